package io.prescale.controller.certificates;

import java.nio.file.Path;
import java.util.Optional;

/** The source of the serving certificate. */
public sealed interface Certificates {
  /**
   * Files that are renewed externally, such as by cert-manager, and read again every minute.
   *
   * @param chain certificates in PEM, the serving certificate first
   * @param key private key in PEM
   * @param authority authority for the API server to verify the chain, in PEM; without it the
   *     APIService's {@code caBundle} is maintained externally
   */
  record FromFiles(Path chain, Path key, Optional<Path> authority) implements Certificates {}

  /**
   * A certificate that Prescale issues, renews and shares between its replicas.
   *
   * @param secret name of the Secret, in the service's namespace
   */
  record SelfMade(String secret) implements Certificates {}
}
