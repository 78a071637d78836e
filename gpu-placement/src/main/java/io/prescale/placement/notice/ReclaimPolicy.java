package io.prescale.placement.notice;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * On which terms a queue gives back what it has borrowed.
 *
 * @param grace the longest notice, and that of pods that wish for none
 * @param maxPerHour how many of its pods may be taken in an hour
 */
public record ReclaimPolicy(Mode mode, Duration grace, int maxPerHour) {
  /** Nothing is taken, and nothing is said. */
  public static final ReclaimPolicy OFF = new ReclaimPolicy(Mode.OFF, Duration.ZERO, 0);

  /** What is done. */
  public enum Mode {
    OFF,
    /** It is only said what would be done. */
    ADVISE,
    ACT
  }

  public ReclaimPolicy {
    if (grace.isNegative() || maxPerHour < 0) {
      throw new IllegalArgumentException(
          "a grace of %s and %d pods an hour; give 0 or more".formatted(grace, maxPerHour));
    }
  }

  /** The queues that give cards back, of the policies of all. */
  public static Set<String> acting(Map<String, ReclaimPolicy> policies) {
    return policies.entrySet().stream()
        .filter(it -> it.getValue().mode() == Mode.ACT)
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }

  /** The notice that a pod gets: what it wishes for, and no more than the queue allows. */
  public Duration graceFor(Optional<Duration> wish) {
    return wish.filter(asked -> !asked.isNegative() && asked.compareTo(grace) < 0).orElse(grace);
  }
}
