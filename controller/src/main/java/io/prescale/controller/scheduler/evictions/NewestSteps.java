package io.prescale.controller.scheduler.evictions;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The last steps that were explained, the newest first. Thread-safe. */
public final class NewestSteps {
  private static final int MOST = 100;
  private static final Duration REPEATED_WITHIN = Duration.ofHours(1);

  private final Deque<Step> steps = new ArrayDeque<>();

  /**
   * Something that was done, or waits.
   *
   * @param object its kind and name
   * @param sentence what and why
   */
  public record Step(Instant at, String object, String sentence) {}

  /** Remembers a step, unless it repeats what was last said of the object within the hour. */
  synchronized void add(Step step) {
    var last = steps.stream().filter(it -> it.object().equals(step.object())).findFirst();
    if (last.filter(it -> isRepeatedBy(step, it)).isPresent()) {
      return;
    }
    if (steps.size() == MOST) {
      steps.removeLast();
    }
    steps.addFirst(step);
  }

  private static boolean isRepeatedBy(Step step, Step before) {
    return before.sentence().equals(step.sentence())
        && before.at().plus(REPEATED_WITHIN).isAfter(step.at());
  }

  /** At most a hundred. */
  public synchronized List<Step> all() {
    return List.copyOf(steps);
  }
}
