package io.prescale.controller.scheduler.evictions;

/** A pod by its names. */
public interface NamedPod {
  /** Unlike its name, never that of another pod. */
  String uid();

  String namespace();

  String name();

  /** The display form {@code namespace/name}. */
  default String display() {
    return namespace() + "/" + name();
  }
}
