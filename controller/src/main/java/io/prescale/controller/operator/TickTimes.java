package io.prescale.controller.operator;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;

/**
 * When targets tick: each at a place of its own after the end of its steps, so that not all do at
 * once.
 */
final class TickTimes {
  /** Ticks of few targets follow the end of a step at once, within a quarter of it. */
  private static final int USUAL_PART = 4;

  private static final Duration USUAL_SPREAD = Duration.ofSeconds(10);

  /** Between the beginnings of two ticks, where there are many. */
  private static final Duration BETWEEN_TICKS = Duration.ofMillis(25);

  /** The part of a step by which a tick may be later than a step after the last. */
  private static final int PART_OF_A_MOVE = 4;

  private TickTimes() {}

  /** The time over which the ticks of targets are spread: at most four fifths of a step. */
  static Duration spread(Duration step, int targets) {
    var few = Collections.min(List.of(step.dividedBy(USUAL_PART), USUAL_SPREAD));
    var most = step.multipliedBy(4).dividedBy(5);
    var many = Collections.min(List.of(most, BETWEEN_TICKS.multipliedBy(targets)));
    return Collections.max(List.of(few, many));
  }

  /**
   * The next tick: at the target's place after the end of the step that contains {@code now}. A
   * target that ticked elsewhere, at its first tick or because it was late, moves there within some
   * steps. At once, its value would be nearly two steps old on the way.
   *
   * @param stepBegin of the step that contains {@code now}
   * @param offset of the place, from the end of a step
   */
  static Instant next(Instant now, Instant stepBegin, Duration step, Duration offset) {
    var place = stepBegin.plus(step).plus(offset);
    var latest = now.plus(step).plus(step.dividedBy(PART_OF_A_MOVE));
    return place.isBefore(latest) ? place : latest;
  }
}
