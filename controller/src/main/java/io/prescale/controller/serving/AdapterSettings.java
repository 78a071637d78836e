package io.prescale.controller.serving;

import io.prescale.controller.certificates.Certificates;

/**
 * How the adapter is reached.
 *
 * @param host address to bind
 * @param port to bind; 0 takes a free one
 * @param namespace of the service that leads here
 * @param service its name
 * @param servicePort its port
 * @param register whether the APIService is kept here; otherwise somebody else has made it
 * @param version of the program
 * @param instance names this replica: the pod
 */
public record AdapterSettings(
    String host,
    int port,
    String namespace,
    String service,
    int servicePort,
    Certificates certificates,
    boolean register,
    String version,
    String instance) {
  public AdapterSettings {
    if (host.isBlank() || port < 0 || port > 65_535 || servicePort < 1 || servicePort > 65_535) {
      throw new IllegalArgumentException(
          "cannot be reached on '%s' port %d by service port %d"
              .formatted(host, port, servicePort));
    }
    if (namespace.isBlank() || service.isBlank()) {
      throw new IllegalArgumentException(
          "the adapter's service needs a namespace and a name, not '%s' and '%s'"
              .formatted(namespace, service));
    }
  }
}
