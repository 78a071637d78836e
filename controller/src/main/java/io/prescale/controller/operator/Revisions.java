package io.prescale.controller.operator;

import io.fabric8.kubernetes.api.model.Pod;
import io.prescale.controller.api.v1alpha1.RolloutStatus;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Detects by pods' labels that a new revision is rolled out. */
final class Revisions {
  /** The most specific first: a group of a LeaderWorkerSet has StatefulSets of its own. */
  private static final List<String> LABELS =
      List.of(
          "leaderworkerset.sigs.k8s.io/template-revision-hash",
          "rollouts-pod-template-hash",
          "pod-template-hash",
          "controller-revision-hash");

  private Revisions() {}

  /**
   * The revision before while there is a pod of it, since two revisions may live side by side; then
   * the one whose first pod is the newest of all first pods. A revision to which a target is rolled
   * back counts from its first pod after that.
   *
   * @param before what was known; null at the first look
   */
  static @Nullable RolloutStatus newest(
      List<Pod> pods, @Nullable RolloutStatus before, Instant now) {
    Map<String, List<Instant>> created =
        pods.stream()
            .filter(pod -> revision(pod).isPresent())
            .collect(
                Collectors.groupingBy(
                    pod -> revision(pod).orElseThrow(),
                    Collectors.mapping(Revisions::createdAt, Collectors.toList())));
    var newest =
        created.entrySet().stream()
            .max(
                Map.Entry.comparingByValue(
                    Comparator.<List<Instant>, Instant>comparing(
                        it -> it.stream().min(Comparator.naturalOrder()).orElseThrow())));
    if (newest.isEmpty() || (before != null && created.containsKey(before.revision()))) {
      return before;
    }
    var revision = newest.get().getKey();
    return new RolloutStatus(
        revision, before == null ? null : since(newest.get().getValue(), before.at(), now));
  }

  private static Instant since(
      List<Instant> created, @Nullable Instant rolloutBefore, Instant now) {
    return created.stream()
        .filter(it -> rolloutBefore == null || it.isAfter(rolloutBefore))
        .min(Comparator.naturalOrder())
        .orElse(now);
  }

  private static Optional<String> revision(Pod pod) {
    return Stream.ofNullable(pod.getMetadata().getLabels())
        .flatMap(labels -> LABELS.stream().map(labels::get))
        .filter(Objects::nonNull)
        .findFirst();
  }

  private static Instant createdAt(Pod pod) {
    return Instant.parse(pod.getMetadata().getCreationTimestamp());
  }
}
