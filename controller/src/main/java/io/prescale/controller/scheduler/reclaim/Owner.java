package io.prescale.controller.scheduler.reclaim;

import static io.prescale.controller.cluster.OrEmpty.orEmpty;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.OwnerReference;
import java.util.Objects;
import java.util.Optional;

/**
 * The object that controls another one, as that one refers to it.
 *
 * @param group of its API, whatever the version
 */
record Owner(String group, String kind, String name, String uid) {
  /** The owner that made an object and makes it again. */
  static Optional<Owner> controlling(ObjectMeta meta) {
    return orEmpty(meta.getOwnerReferences()).stream()
        .filter(owner -> Boolean.TRUE.equals(owner.getController()))
        .map(Owner::of)
        .findFirst();
  }

  private static Owner of(OwnerReference owner) {
    var version = Objects.requireNonNullElse(owner.getApiVersion(), "");
    return new Owner(
        version.substring(0, Math.max(0, version.indexOf('/'))),
        Objects.requireNonNullElse(owner.getKind(), ""),
        Objects.requireNonNullElse(owner.getName(), ""),
        Objects.requireNonNullElse(owner.getUid(), ""));
  }
}
