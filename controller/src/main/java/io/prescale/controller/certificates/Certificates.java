package io.prescale.controller.certificates;

import java.nio.file.Path;
import java.util.Optional;

/** Where the serving certificate comes from. */
public sealed interface Certificates {
  /**
   * Files that somebody else renews, such as cert-manager; they are read again every minute.
   *
   * @param chain in PEM, the serving certificate first
   * @param key in PEM
   * @param authority what the API server verifies the chain by, in PEM; without it somebody else
   *     keeps the APIService's {@code caBundle}
   */
  record FromFiles(Path chain, Path key, Optional<Path> authority) implements Certificates {}

  /**
   * Made and renewed here, and shared by all replicas.
   *
   * @param secret its name, in the namespace of the service
   */
  record SelfMade(String secret) implements Certificates {}
}
