package io.prescale.controller.operator;

import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.prescale.controller.autoscaling.ScaleUp.PodStart;
import io.prescale.controller.cluster.WrittenTime;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads from a pod when what happened to it on its way to serving. */
final class PodTimes {
  /** Where the scheduler extender says whether a pod's images were on its node. */
  static final String IMAGES = "gpu.prescale.io/images";

  private static final Set<String> PULLED_AHEAD = Set.of("pulled-ahead", "pulling");

  private PodTimes() {}

  /**
   * The pod's times. Its images count as pulled when its last container ran. A pod whose containers
   * were restarted has no first time of readiness any more.
   */
  static PodStart of(Pod pod) {
    return new PodStart(
        created(pod).orElse(Instant.EPOCH),
        since(pod, "PodScheduled"),
        started(pod),
        wasRestarted(pod) ? Optional.empty() : since(pod, "Ready"));
  }

  /**
   * Whether a pod found images on its node that were pulled there for it. How long it takes says
   * nothing of the next one, which may come to another node.
   */
  static boolean wasPulledAhead(Pod pod) {
    var images = images(pod);
    return images != null && PULLED_AHEAD.contains(images);
  }

  static @Nullable String images(Pod pod) {
    var annotations = pod.getMetadata().getAnnotations();
    return annotations == null ? null : annotations.get(IMAGES);
  }

  /** How many pods are ready and stay. */
  static int serving(List<Pod> pods) {
    return (int) pods.stream().filter(PodTimes::isServing).count();
  }

  static boolean isServing(Pod pod) {
    return isReady(pod) && !isGoing(pod);
  }

  /** How many pods wait because the scheduler has found no node for them. */
  static int unschedulable(List<Pod> pods) {
    return (int) pods.stream().filter(pod -> !isGoing(pod) && isUnschedulable(pod)).count();
  }

  private static boolean isUnschedulable(Pod pod) {
    return conditions(pod, "PodScheduled")
        .anyMatch(it -> "False".equals(it.getStatus()) && "Unschedulable".equals(it.getReason()));
  }

  static boolean isReady(Pod pod) {
    return since(pod, "Ready").isPresent();
  }

  static boolean isGoing(Pod pod) {
    return pod.getMetadata().getDeletionTimestamp() != null;
  }

  private static Optional<Instant> created(Pod pod) {
    return WrittenTime.read(pod.getMetadata().getCreationTimestamp());
  }

  private static Optional<Instant> since(Pod pod, String condition) {
    return conditions(pod, condition)
        .filter(found -> "True".equals(found.getStatus()))
        .findFirst()
        .map(PodCondition::getLastTransitionTime)
        .flatMap(WrittenTime::read);
  }

  private static Stream<PodCondition> conditions(Pod pod, String type) {
    return Stream.ofNullable(pod.getStatus())
        .flatMap(status -> Stream.ofNullable(status.getConditions()))
        .flatMap(Collection::stream)
        .filter(found -> type.equals(found.getType()));
  }

  private static boolean wasRestarted(Pod pod) {
    return containers(pod)
        .anyMatch(status -> status.getRestartCount() != null && status.getRestartCount() > 0);
  }

  private static Optional<Instant> started(Pod pod) {
    return containers(pod)
        .flatMap(status -> Stream.ofNullable(status.getState()))
        .flatMap(state -> Stream.ofNullable(state.getRunning()))
        .flatMap(running -> WrittenTime.read(running.getStartedAt()).stream())
        .max(Comparator.naturalOrder());
  }

  private static Stream<ContainerStatus> containers(Pod pod) {
    return Stream.ofNullable(pod.getStatus())
        .flatMap(status -> Stream.ofNullable(status.getContainerStatuses()))
        .flatMap(Collection::stream);
  }
}
