package io.prescale.controller.operator;

import io.fabric8.kubernetes.api.model.Pod;
import io.prescale.controller.autoscaling.ScaleUp;
import io.prescale.controller.autoscaling.ScaleUp.PodStart;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Recognizes scale-ups by a workload's pods from tick to tick: a decision for more replicas, and
 * the pods that appear after it. Pods that appear without one, as in a rollout, do not count, nor
 * do those whose images were pulled ahead: a lead time that was learned from them would be too
 * short for the others. Not thread-safe.
 */
final class PodTimeline {
  /** A scale-up whose pods are not all ready by then is abandoned. */
  private static final Duration PATIENCE = Duration.ofHours(2);

  /** Later pods have another cause, such as a rollout. */
  private static final Duration SOON = Duration.ofMinutes(5);

  private final List<Running> running = new ArrayList<>();
  private @Nullable Set<String> known;
  private @Nullable Instant decided;
  private @Nullable Instant decidedByOthers;

  /** A scale-up that is not over, with what is known of its pods, by their UID. */
  private record Running(Instant decided, Map<String, PodStart> pods) {}

  /**
   * A decision was made.
   *
   * @param more whether for more replicas than there are to be
   */
  void decided(boolean more, Instant now) {
    if (!more) {
      decided = null;
    } else if (decided == null) {
      decided = now;
    }
  }

  /**
   * Others decided since the last look: pods that appear soon are theirs.
   *
   * @param more whether for more replicas than before
   */
  void decidedByOthers(boolean more, Instant now) {
    decidedByOthers = more ? now : null;
  }

  /**
   * Looks at all pods of the workload; gives the scale-ups that are over. A pod that drains is no
   * capacity, whatever its readiness says: it is not waited for.
   */
  List<ScaleUp> observe(List<Pod> pods, Instant now) {
    var before = known;
    known = uids(pods);
    if (before == null) { // why they were created is unknown
      return List.of();
    }
    var staying = pods.stream().filter(pod -> !PodTimes.isGoing(pod)).toList();
    begin(
        staying.stream().filter(pod -> !before.contains(pod.getMetadata().getUid())).toList(), now);
    staying.forEach(this::update);
    return over(uids(staying), now);
  }

  private static Set<String> uids(List<Pod> pods) {
    return pods.stream().map(pod -> pod.getMetadata().getUid()).collect(Collectors.toSet());
  }

  private boolean isByOthers(Instant now) {
    return decidedByOthers != null && now.isBefore(decidedByOthers.plus(SOON));
  }

  private void begin(List<Pod> appeared, Instant now) {
    if (appeared.isEmpty() || (decided == null && !isByOthers(now))) {
      return;
    }
    var starts = new LinkedHashMap<String, PodStart>();
    appeared.forEach(pod -> starts.put(pod.getMetadata().getUid(), PodTimes.of(pod)));
    var created = starts.values().stream().map(PodStart::created).min(Comparator.naturalOrder());
    running.add(new Running(decided == null ? created.orElseThrow() : decided, starts));
    decided = null;
    decidedByOthers = null;
  }

  private void update(Pod pod) {
    var uid = pod.getMetadata().getUid();
    for (Running scaleUp : running) {
      var start = scaleUp.pods().get(uid);
      if (start != null && PodTimes.wasPulledAhead(pod)) {
        scaleUp.pods().remove(uid);
      } else if (start != null && start.ready().isEmpty()) {
        scaleUp.pods().put(uid, PodTimes.of(pod));
      }
    }
  }

  /** Over is a scale-up whose pods are ready, gone or going, or that took too long. */
  private List<ScaleUp> over(Set<String> present, Instant now) {
    var over = new ArrayList<ScaleUp>();
    var still = new ArrayList<Running>();
    for (Running scaleUp : running) {
      boolean waits =
          scaleUp.pods().entrySet().stream()
              .anyMatch(pod -> pod.getValue().ready().isEmpty() && present.contains(pod.getKey()));
      if (waits && now.isBefore(scaleUp.decided().plus(PATIENCE))) {
        still.add(scaleUp);
      } else {
        over.add(new ScaleUp(scaleUp.decided(), List.copyOf(scaleUp.pods().values())));
      }
    }
    running.clear();
    running.addAll(still);
    return over;
  }
}
