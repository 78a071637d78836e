package io.prescale.controller.scheduler.evictions;

import java.util.Optional;

/** A pod by its names. */
public interface NamedPod {
  /** Unlike its name, never that of another pod. */
  String uid();

  String namespace();

  String name();

  /** The name of the Job that has made it, which counts its eviction as a failure. */
  default Optional<String> job() {
    return Optional.empty();
  }

  /** The display form {@code namespace/name}. */
  default String display() {
    return namespace() + "/" + name();
  }
}
