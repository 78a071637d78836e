package io.prescale.controller.scheduler.facts;

import static io.prescale.controller.cluster.OrEmpty.orEmpty;

import io.fabric8.kubernetes.api.model.Pod;
import io.prescale.controller.cluster.WrittenTime;
import io.prescale.controller.scheduler.evictions.PodWishes;
import io.prescale.placement.inventory.DeclaredLength;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * For how long pods run at most: to their deadline, or as long as their annotation says, whichever
 * is shorter; what makes no sense says nothing.
 */
public final class PodLengths {
  /** On the template of a Job's pods, since its own deadline does not stand on them. */
  private static final String ENDS_WITHIN = "gpu.prescale.io/ends-within";

  /** As good as never, and more is beyond every time that can be written. */
  private static final Duration LONGEST = Duration.ofDays(365);

  private PodLengths() {}

  /** What a pod says. */
  public static Optional<DeclaredLength> of(Pod pod) {
    var annotations = orEmpty(pod.getMetadata().getAnnotations());
    var deadline =
        Optional.ofNullable(pod.getSpec().getActiveDeadlineSeconds()).map(Duration::ofSeconds);
    var within = Optional.ofNullable(annotations.get(ENDS_WITHIN)).flatMap(PodWishes::duration);
    return Stream.of(deadline, within)
        .flatMap(Optional::stream)
        .filter(it -> it.isPositive() && it.compareTo(LONGEST) <= 0)
        .min(Duration::compareTo)
        .map(length -> new DeclaredLength(length, start(pod)));
  }

  private static Optional<Instant> start(Pod pod) {
    return pod.getStatus() == null
        ? Optional.empty()
        : WrittenTime.read(pod.getStatus().getStartTime());
  }
}
