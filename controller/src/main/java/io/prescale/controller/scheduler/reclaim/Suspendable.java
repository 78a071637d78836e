package io.prescale.controller.scheduler.reclaim;

import io.fabric8.kubernetes.api.model.ObjectMeta;

/** An object that is suspended as a whole, with all pods that it makes. */
record Suspendable(SuspendableKind kind, String namespace, String name, String uid) {
  static Suspendable of(SuspendableKind kind, ObjectMeta meta) {
    return new Suspendable(kind, meta.getNamespace(), meta.getName(), meta.getUid());
  }

  /** Names it among all workloads. */
  String key() {
    return "%s %s/%s".formatted(kind.kind(), namespace, name);
  }
}
