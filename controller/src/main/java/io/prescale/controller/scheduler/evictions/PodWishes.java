package io.prescale.controller.scheduler.evictions;

import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What a pod says about every eviction; never fails, whatever users have written.
 *
 * @param grace for the length of its notice
 * @param isCritical whether the cluster cannot do without it
 */
public record PodWishes(Optional<Duration> grace, boolean isCritical) {
  private static final String GRACE = "gpu.prescale.io/grace";
  private static final int CRITICAL = 2_000_000_000;
  private static final Pattern DURATION = Pattern.compile("([0-9]{1,6})([smh])");

  /** Reads them. */
  public static PodWishes of(Pod pod) {
    var annotations =
        Objects.requireNonNullElse(pod.getMetadata().getAnnotations(), Map.<String, String>of());
    int priority = Objects.requireNonNullElse(pod.getSpec().getPriority(), 0);
    return new PodWishes(
        Optional.ofNullable(annotations.get(GRACE)).flatMap(PodWishes::duration),
        priority >= CRITICAL);
  }

  /** Such as {@code 90s} or {@code 5m}. */
  static Optional<Duration> duration(String text) {
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
