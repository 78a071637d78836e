package io.prescale.controller.scheduler.warm;

import static io.prescale.controller.cluster.OrEmpty.orEmpty;

import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.prescale.controller.cluster.WrittenTime;
import io.prescale.placement.inventory.PodSelector;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A pod that has become ready.
 *
 * @param images whether its images were there when it was bound
 * @param took from its binding until then; both times are of whole seconds
 * @param ready the last time, which is the first if it was seen then
 */
record PodStarted(
    String namespace,
    Map<String, String> labels,
    ImageState images,
    Duration took,
    Instant created,
    Instant ready) {
  /** Pods that take longer wait for what no image can hasten. */
  private static final Duration LONGEST = Duration.ofHours(2);

  PodStarted {
    labels = Map.copyOf(labels);
  }

  /**
   * Reads it from a pod that says how its images were, and is ready without a restart; empty for
   * all others.
   */
  static Optional<PodStarted> of(Pod pod) {
    var images = ImageState.of(pod);
    if (images.isEmpty() || pod.getStatus() == null || wasRestarted(pod)) {
      return Optional.empty();
    }
    var meta = pod.getMetadata();
    var created = WrittenTime.read(meta.getCreationTimestamp());
    var bound = since(pod, "PodScheduled");
    var ready = since(pod, "Ready");
    if (created.isEmpty() || bound.isEmpty() || ready.isEmpty()) {
      return Optional.empty();
    }
    var took = Duration.between(bound.get(), ready.get());
    return took.isNegative() || took.compareTo(LONGEST) > 0
        ? Optional.empty()
        : Optional.of(
            new PodStarted(
                meta.getNamespace(),
                orEmpty(meta.getLabels()),
                images.get(),
                took,
                created.get(),
                ready.get()));
  }

  boolean isOf(PodSelector pods) {
    return namespace.equals(pods.namespace())
        && labels.entrySet().containsAll(pods.labels().entrySet());
  }

  private static Optional<Instant> since(Pod pod, String type) {
    return orEmpty(pod.getStatus().getConditions()).stream()
        .filter(it -> type.equals(it.getType()) && "True".equals(it.getStatus()))
        .map(PodCondition::getLastTransitionTime)
        .filter(Objects::nonNull)
        .findFirst()
        .flatMap(WrittenTime::read);
  }

  private static boolean wasRestarted(Pod pod) {
    return orEmpty(pod.getStatus().getContainerStatuses()).stream()
        .map(ContainerStatus::getRestartCount)
        .anyMatch(it -> it != null && it > 0);
  }
}
