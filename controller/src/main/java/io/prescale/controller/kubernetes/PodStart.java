package io.prescale.controller.kubernetes;

import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * How one pod came to serve.
 *
 * @param uid of the pod
 * @param created when the API server had it
 * @param scheduled when it had a node, which may be after a new node came
 * @param started when its last container ran: its images are there
 * @param ready when it first could serve
 */
record PodStart(String uid, Instant created, Instant scheduled, Instant started, Instant ready) {
  PodStart {
    if (scheduled.isBefore(created) || started.isBefore(scheduled) || ready.isBefore(started)) {
      throw new IllegalArgumentException(
          "a pod's start goes forward: %s, %s, %s, %s"
              .formatted(created, scheduled, started, ready));
    }
  }

  /**
   * The start of a pod that is ready; empty for one that is not, and for one whose containers were
   * restarted, because its readiness may be of a later time.
   */
  static Optional<PodStart> of(Pod pod) {
    var created = HpaStates.instant(pod.getMetadata().getCreationTimestamp());
    var ready = since(pod, "Ready");
    if (created.isEmpty() || ready.isEmpty() || wasRestarted(pod)) {
      return Optional.empty();
    }
    var scheduled = latest(created.get(), since(pod, "PodScheduled").orElse(created.get()));
    var started = latest(scheduled, started(pod).orElse(scheduled));
    return Optional.of(
        new PodStart(
            pod.getMetadata().getUid(),
            created.get(),
            scheduled,
            started,
            latest(started, ready.get())));
  }

  static boolean isReady(Pod pod) {
    return since(pod, "Ready").isPresent();
  }

  /** Times in a pod have whole seconds and come from several clocks. */
  private static Instant latest(Instant a, Instant b) {
    return a.isAfter(b) ? a : b;
  }

  private static Optional<Instant> since(Pod pod, String condition) {
    return Stream.ofNullable(pod.getStatus())
        .flatMap(status -> Stream.ofNullable(status.getConditions()))
        .flatMap(Collection::stream)
        .filter(found -> condition.equals(found.getType()) && "True".equals(found.getStatus()))
        .findFirst()
        .map(PodCondition::getLastTransitionTime)
        .flatMap(HpaStates::instant);
  }

  private static boolean wasRestarted(Pod pod) {
    return containers(pod)
        .anyMatch(status -> status.getRestartCount() != null && status.getRestartCount() > 0);
  }

  private static Optional<Instant> started(Pod pod) {
    return containers(pod)
        .flatMap(status -> Stream.ofNullable(status.getState()))
        .flatMap(state -> Stream.ofNullable(state.getRunning()))
        .flatMap(running -> HpaStates.instant(running.getStartedAt()).stream())
        .max(Comparator.naturalOrder());
  }

  private static Stream<ContainerStatus> containers(Pod pod) {
    return Stream.ofNullable(pod.getStatus())
        .flatMap(status -> Stream.ofNullable(status.getContainerStatuses()))
        .flatMap(Collection::stream);
  }
}
