package io.prescale.controller.serving;

import io.prescale.adapter.server.Listener;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Set;

/**
 * How KEDA is answered.
 *
 * @param port port to bind with TLS
 * @param authorities that sign the certificates of KEDA's operator; at least one
 * @param clients names of certificates that may call; at least one
 */
public record KedaSettings(
    String host, int port, List<X509Certificate> authorities, Set<String> clients) {
  /** The name of its listener. */
  public static final String LISTENER = "keda";

  public KedaSettings {
    authorities = List.copyOf(authorities);
    clients = Set.copyOf(clients);
    if (authorities.isEmpty()) {
      throw new IllegalArgumentException(
          "there is no CA certificate to know KEDA's operator by; give one in PEM");
    }
    if (clients.isEmpty() || clients.stream().anyMatch(String::isBlank)) {
      throw new IllegalArgumentException(
          "names of KEDA's client certificates are %s; write one or more, such as keda-operator"
              .formatted(clients));
    }
  }

  /** Where it listens. */
  public Listener listener() {
    return new Listener(LISTENER, host, port, true);
  }
}
