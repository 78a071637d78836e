package io.prescale.controller.lab;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A morning in three and a half minutes: a service needs eight replicas of a card each, 32 in its
 * peak, and eight again. Replicas are created a lead ahead, as from a forecast that is right.
 */
final class PeakMorning {
  static final int TROUGH = 8;
  static final int PEAK = 32;

  /** How long a morning is watched. */
  static final Duration LENGTH = Duration.ofSeconds(210);

  /** A replica's, from its binding until it serves. */
  static final Duration COLD_START = Duration.ofSeconds(8);

  /** From the creation of a replica until it has to serve. */
  static final Duration LEAD = Duration.ofSeconds(12);

  private static final int STEP = 2;
  private static final int STEPS = (PEAK - TROUGH) / STEP;
  private static final Duration EACH = Duration.ofSeconds(3);
  private static final Duration RISE = Duration.ofSeconds(50);
  private static final Duration FALL = Duration.ofSeconds(125);

  /** Before the creation of a replica, so that its cards are free by then. */
  private static final Duration MARGIN = Duration.ofSeconds(5);

  private PeakMorning() {}

  /** Replicas that have to serve. */
  static int needed(Duration since) {
    int more = steps(since.minus(RISE)) - steps(since.minus(FALL));
    return TROUGH + STEP * more;
  }

  /** Replicas that are wanted: those that are needed until a lead has passed. */
  static int wanted(Duration since) {
    return Math.max(needed(since), needed(since.plus(LEAD)));
  }

  private static int steps(Duration since) {
    return since.isNegative() ? 0 : (int) Math.min(STEPS, 1 + since.toMillis() / EACH.toMillis());
  }

  /** What is expected, as the needs of a GpuBooking in YAML. */
  static String needs(Instant start) {
    return IntStream.range(0, STEPS)
        .mapToObj(
            step ->
                "{from: \"%s\", until: \"%s\", replicas: %d, percent: 95}"
                    .formatted(
                        time(start, RISE.plus(EACH.multipliedBy(step)).minus(LEAD).minus(MARGIN)),
                        time(start, FALL.plus(EACH.multipliedBy(STEPS - 1L - step))),
                        TROUGH + STEP * (step + 1)))
        .collect(Collectors.joining(", ", "[", "]"));
  }

  private static Instant time(Instant start, Duration since) {
    return start.plus(since).truncatedTo(ChronoUnit.SECONDS);
  }
}
