package io.prescale.controller.scheduler.queues;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.prescale.controller.api.v1alpha1.GpuQueue;
import io.prescale.controller.api.v1alpha1.GpuQueueSpec;
import io.prescale.controller.api.v1alpha1.GpuQueueStatus;
import io.prescale.controller.api.v1alpha1.QueueKind;
import io.prescale.controller.api.v1alpha1.ReclaimMode;
import io.prescale.placement.notice.ReclaimPolicy;
import io.prescale.placement.notice.ReclaimPolicy.Mode;
import io.prescale.placement.queue.CardPool;
import io.prescale.placement.queue.QueueEntry;
import io.prescale.placement.queue.Quota;
import java.util.Objects;
import java.util.Optional;

/** Reads GpuQueues; never fails, whatever an object that was admitted long ago looks like. */
public final class QueueReader {
  private final KubernetesSerialization json = new KubernetesSerialization();

  /**
   * A GpuQueue as it was read.
   *
   * @param entry what it says; empty when the spec cannot be read
   */
  public record Written(GpuQueue queue, Optional<QueueEntry> entry) {
    String name() {
      return queue.getMetadata().getName();
    }
  }

  /** Reads one. */
  public Written read(GenericKubernetesResource resource) {
    var queue = new GpuQueue();
    queue.setMetadata(resource.getMetadata());
    part(resource, "spec", GpuQueueSpec.class).ifPresent(queue::setSpec);
    part(resource, "status", GpuQueueStatus.class).ifPresent(queue::setStatus);
    return new Written(queue, entry(queue));
  }

  private <T> Optional<T> part(GenericKubernetesResource resource, String name, Class<T> type) {
    try {
      return Optional.ofNullable(resource.getAdditionalProperties().get(name))
          .map(part -> json.convertValue(part, type));
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  private static Optional<QueueEntry> entry(GpuQueue queue) {
    var spec = queue.getSpec();
    if (spec == null) {
      return Optional.empty();
    }
    try {
      return quota(spec)
          .map(
              quota ->
                  new QueueEntry(
                      queue.getMetadata().getName(),
                      Optional.ofNullable(spec.parent()),
                      quota,
                      CardPool.of(spec.models())));
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  /** On which terms a queue gives cards back; empty unless it is said and can be read. */
  static Optional<ReclaimPolicy> policy(GpuQueue queue) {
    var spec = queue.getSpec();
    var terms = spec == null || spec.kind() == QueueKind.Build ? null : spec.reclaim();
    if (terms == null || terms.mode() == ReclaimMode.Off) {
      return Optional.empty();
    }
    try {
      var mode = terms.mode() == ReclaimMode.Act ? Mode.ACT : Mode.ADVISE;
      return Optional.of(new ReclaimPolicy(mode, terms.graceLength(), terms.mostPerHour()));
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  /**
   * What a queue may have.
   *
   * @throws IllegalArgumentException if the amounts contradict each other
   */
  private static Optional<Quota> quota(GpuQueueSpec spec) {
    var guarantee = spec.guaranteeMilli();
    var limit = spec.limitMilli(Quota.UNLIMITED);
    if (guarantee.isEmpty() || limit.isEmpty()) {
      return Optional.empty();
    }
    var quota =
        spec.kind() == QueueKind.Build
            ? Quota.build(guarantee.get())
            : Quota.train(guarantee.get(), Objects.requireNonNullElse(spec.weight(), 1))
                .withLimit(limit.get());
    return Optional.of(quota.withPriority(Objects.requireNonNullElse(spec.priority(), 0)));
  }
}
