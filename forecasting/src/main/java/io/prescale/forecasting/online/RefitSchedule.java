package io.prescale.forecasting.online;

/**
 * Decides when models are stale: after a fixed number of steps, after half as much history again
 * while there is little, and early when the latest losses are several times the usual. All is
 * counted in steps: of a minute each, drift is judged on two hours against two days.
 */
final class RefitSchedule {
  private static final double DRIFT_RATIO = 4;
  private static final int FIRST_AT = 60;
  private static final int FAST_MEMORY = 120;
  private static final int SLOW_MEMORY = 2 * 1440;
  private static final int LEAST_BETWEEN = 60;

  private final int every;
  private double fastLoss;
  private double slowLoss;
  private int losses;
  private int sinceRefit;
  private int heldAtRefit;
  private int held;

  RefitSchedule(int every) {
    this.every = every;
  }

  /** One step has passed, with this loss of the combination; NaN when nothing was settled. */
  void step(double loss) {
    sinceRefit++;
    held++;
    if (!Double.isNaN(loss)) {
      losses++;
      fastLoss += (loss - fastLoss) / Math.min(losses, FAST_MEMORY);
      slowLoss += (loss - slowLoss) / Math.min(losses, SLOW_MEMORY);
    }
  }

  boolean due(int known) {
    if (known < FIRST_AT) {
      return false;
    }
    boolean young = heldAtRefit == 0 || (held >= 1.5 * heldAtRefit && sinceRefit >= LEAST_BETWEEN);
    return young || sinceRefit >= every || (drifted() && sinceRefit >= LEAST_BETWEEN);
  }

  private boolean drifted() {
    return losses > FAST_MEMORY && fastLoss > DRIFT_RATIO * slowLoss;
  }

  /** So many steps are known from an earlier life, of which no model is left. */
  void resume(int known) {
    held = known;
  }

  void started() {
    sinceRefit = 0;
    heldAtRefit = Math.max(1, held);
  }
}
