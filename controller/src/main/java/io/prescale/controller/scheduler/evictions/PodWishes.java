package io.prescale.controller.scheduler.evictions;

import static io.prescale.controller.cluster.OrEmpty.orEmpty;

import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What a pod says about every eviction; never fails, whatever users have written.
 *
 * @param grace for the length of its notice
 * @param pauseCost what a pause of it costs beyond its length
 * @param isCritical whether the cluster cannot do without it
 */
public record PodWishes(
    Optional<Duration> grace, Optional<Duration> pauseCost, boolean isCritical) {
  /** A pause hardly loses more work; a larger number is rather meant to forbid it. */
  static final Duration MOST_PAUSE_COST = Duration.ofHours(24);

  private static final String GRACE = "gpu.prescale.io/grace";
  private static final String PAUSE_COST = "gpu.prescale.io/pause-cost";
  private static final int CRITICAL = 2_000_000_000;
  private static final Pattern DURATION = Pattern.compile("([0-9]{1,6})([smh])");

  /** Reads them. */
  public static PodWishes of(Pod pod) {
    var annotations = orEmpty(pod.getMetadata().getAnnotations());
    int priority = Objects.requireNonNullElse(pod.getSpec().getPriority(), 0);
    return new PodWishes(
        Optional.ofNullable(annotations.get(GRACE)).flatMap(PodWishes::duration),
        Optional.ofNullable(annotations.get(PAUSE_COST))
            .flatMap(PodWishes::duration)
            .map(it -> it.compareTo(MOST_PAUSE_COST) > 0 ? MOST_PAUSE_COST : it),
        priority >= CRITICAL);
  }

  /** Such as {@code 90s} or {@code 5m}. */
  public static Optional<Duration> duration(String text) {
    var parts = DURATION.matcher(text);
    if (!parts.matches()) {
      return Optional.empty();
    }
    long number = Long.parseLong(parts.group(1));
    return Optional.of(
        switch (parts.group(2)) {
          case "h" -> Duration.ofHours(number);
          case "m" -> Duration.ofMinutes(number);
          default -> Duration.ofSeconds(number);
        });
  }
}
