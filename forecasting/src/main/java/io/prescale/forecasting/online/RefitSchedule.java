package io.prescale.forecasting.online;

import java.time.Duration;
import java.util.Arrays;

/**
 * Decides when models are stale: after a fixed time, when a short history has grown by half, and
 * when the mean loss of the last two hours is several times that of the last two days. Where
 * observations are rare, each of these times covers at least a few of them.
 */
final class RefitSchedule implements Learned {
  /** The fewest steps from which a level can be estimated. */
  static final int FEWEST_STEPS = 24;

  private static final double DRIFT_RATIO = 4;
  private static final Duration FIRST = Duration.ofHours(1);
  private static final Duration LEAST_BETWEEN = Duration.ofHours(1);
  private static final Duration FAST_MEMORY = Duration.ofHours(2);
  private static final Duration SLOW_MEMORY = Duration.ofDays(2);
  private static final int FEWEST_BETWEEN = 4;
  private static final int FEWEST_FAST = 8;
  private static final int FEWEST_SLOW = 96;

  private final int every;
  private final int first;
  private final int leastBetween;
  private final int fastMemory;
  private final int slowMemory;
  private double fastLoss;
  private double slowLoss;
  private int losses;
  private int sinceRefit;
  private int heldAtRefit;
  private int held;

  /**
   * @param every the longest time between refits
   * @param step of the observations
   */
  RefitSchedule(Duration every, Duration step) {
    this.every = steps(every, step, 1);
    this.first = steps(FIRST, step, FEWEST_STEPS);
    this.leastBetween = steps(LEAST_BETWEEN, step, FEWEST_BETWEEN);
    this.fastMemory = steps(FAST_MEMORY, step, FEWEST_FAST);
    this.slowMemory = steps(SLOW_MEMORY, step, FEWEST_SLOW);
  }

  private static int steps(Duration time, Duration step, int fewest) {
    return Math.toIntExact(Math.max(fewest, time.dividedBy(step)));
  }

  /** Records a step with the loss of the combination; NaN when no forecast was settled. */
  void step(double loss) {
    sinceRefit++;
    held++;
    if (!Double.isNaN(loss)) {
      losses++;
      fastLoss += (loss - fastLoss) / Math.min(losses, fastMemory);
      slowLoss += (loss - slowLoss) / Math.min(losses, slowMemory);
    }
  }

  boolean due(int known) {
    if (known < first) {
      return false;
    }
    boolean young = heldAtRefit == 0 || (held >= 1.5 * heldAtRefit && sinceRefit >= leastBetween);
    return young || sinceRefit >= every || (drifted() && sinceRefit >= leastBetween);
  }

  /** Whether there is too little for a first refit. */
  boolean isBeforeFirst(int known) {
    return heldAtRefit == 0 && known < first;
  }

  private boolean drifted() {
    return losses > fastMemory && fastLoss > DRIFT_RATIO * slowLoss;
  }

  /** Continues after a restart with this many known steps and no models. */
  void resume(int known) {
    held = known;
    heldAtRefit = 0;
  }

  @Override
  public double[] state() {
    return new double[] {fastLoss, slowLoss, losses, sinceRefit, heldAtRefit, held};
  }

  @Override
  public void restore(double[] state) {
    boolean legal = Arrays.stream(state).allMatch(it -> it >= 0 && Double.isFinite(it));
    if (!legal || Arrays.stream(state).skip(2).anyMatch(count -> count >= Integer.MAX_VALUE)) {
      throw new IllegalArgumentException("holds no record of refits: " + Arrays.toString(state));
    }
    fastLoss = state[0];
    slowLoss = state[1];
    losses = (int) state[2];
    sinceRefit = (int) state[3];
    heldAtRefit = (int) state[4];
    held = (int) state[5];
  }

  void started() {
    sinceRefit = 0;
    heldAtRefit = Math.max(1, held);
  }
}
