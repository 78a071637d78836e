package io.prescale.adapter.server;

import java.util.Locale;

/**
 * A port of a program's server, with what is served there.
 *
 * @param name by which an {@link OnListener} names it, in lower case
 * @param host address to bind
 * @param port to bind; 0 takes a free one
 * @param tls whether {@link TlsSettings} apply
 */
public record Listener(String name, String host, int port, boolean tls) {
  /** Of TCP. */
  public static final int HIGHEST_PORT = 65_535;

  public Listener {
    if (host.isBlank() || port < 0 || port > HIGHEST_PORT) {
      throw new IllegalArgumentException("cannot listen on '%s' port %d".formatted(host, port));
    }
    if (!name.equals(name.toLowerCase(Locale.ROOT))) { // Micronaut's names of properties are
      throw new IllegalArgumentException("the listener " + name + " is not in lower case");
    }
  }

  /** A listener without TLS. */
  public static Listener plain(String name, String host, int port) {
    return new Listener(name, host, port, false);
  }
}
