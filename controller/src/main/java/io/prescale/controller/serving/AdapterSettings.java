package io.prescale.controller.serving;

import io.prescale.adapter.identity.ReviewTtl;
import io.prescale.adapter.server.Listener;
import io.prescale.controller.certificates.Certificates;

/**
 * The addresses and the identity of the adapter.
 *
 * @param host address to bind
 * @param port port to bind; 0 takes a free one
 * @param namespace namespace of the service in front of this adapter
 * @param service name of that service
 * @param servicePort port of that service
 * @param reviewTtl how long the cluster's answers about callers hold
 * @param register whether to maintain the APIService; otherwise it is maintained externally
 * @param passThrough what becomes of the metrics of an adapter that is registered already
 * @param version version of the program
 * @param instance name of this replica, such as its pod
 */
public record AdapterSettings(
    String host,
    int port,
    String namespace,
    String service,
    int servicePort,
    Certificates certificates,
    ReviewTtl reviewTtl,
    boolean register,
    PassThrough passThrough,
    String version,
    String instance) {
  /** What becomes of the metrics of an adapter that is registered already. */
  public enum PassThrough {
    /** Its registration is left alone. */
    NONE,
    /** Requests for its metrics pass through Prescale, over verified TLS. */
    VERIFIED,
    /** The same, even if its certificate cannot be verified. */
    UNVERIFIED
  }

  public AdapterSettings {
    if (host.isBlank()
        || port < 0
        || servicePort < 1
        || Math.max(port, servicePort) > Listener.HIGHEST_PORT) {
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
