package io.prescale.forecasting;

import java.time.Duration;
import java.util.Optional;

/**
 * How irregular samples become a {@link TimeSeries}. Start from {@link #defaults()}.
 *
 * <p>Two rules have no option: samples out of order are sorted, and a sample that is not a finite
 * number leaves its step without a value. Nothing is ever interpolated.
 *
 * @param step length of a step; detected from the gaps between samples when empty
 * @param duplicates which of several samples of the same instant counts
 * @param withinStep what several samples inside one step become
 * @param negatives what a negative value becomes
 * @param maximumSteps longest series accepted, as a guard against absurd timestamps
 */
public record GridRules(
    Optional<Duration> step,
    Duplicates duplicates,
    WithinStep withinStep,
    Negatives negatives,
    int maximumSteps) {
  /** Which of several samples of the same instant counts. */
  public enum Duplicates {
    LAST_WINS,
    FIRST_WINS
  }

  /** What several samples inside one step become. */
  public enum WithinStep {
    MEAN,
    MAXIMUM,
    LAST
  }

  /** What a negative value becomes: demand cannot be negative, other quantities can. */
  public enum Negatives {
    MISSING,
    KEPT
  }

  public GridRules {
    if (step.isPresent() && step.get().toMillis() < 1) {
      throw new IllegalArgumentException("step must be at least a millisecond: " + step.get());
    }
    if (maximumSteps < 1) {
      throw new IllegalArgumentException("maximumSteps must be positive: " + maximumSteps);
    }
  }

  /**
   * Detected step, last duplicate, mean within a step, negatives missing, and at most two million
   * steps, which is more than three weeks of seconds or three years of minutes.
   */
  public static GridRules defaults() {
    return new GridRules(
        Optional.empty(), Duplicates.LAST_WINS, WithinStep.MEAN, Negatives.MISSING, 2_000_000);
  }

  public GridRules withStep(Duration step) {
    return new GridRules(Optional.of(step), duplicates, withinStep, negatives, maximumSteps);
  }

  public GridRules withDuplicates(Duplicates duplicates) {
    return new GridRules(step, duplicates, withinStep, negatives, maximumSteps);
  }

  public GridRules withWithinStep(WithinStep withinStep) {
    return new GridRules(step, duplicates, withinStep, negatives, maximumSteps);
  }

  public GridRules withNegatives(Negatives negatives) {
    return new GridRules(step, duplicates, withinStep, negatives, maximumSteps);
  }

  public GridRules withMaximumSteps(int maximumSteps) {
    return new GridRules(step, duplicates, withinStep, negatives, maximumSteps);
  }
}
