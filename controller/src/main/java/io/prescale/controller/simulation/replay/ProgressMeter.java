package io.prescale.controller.simulation.replay;

/** Adds up what the threads of a replay have done. */
final class ProgressMeter {

  private static final int REPORTS = 500;

  private final Replay.Progress progress;
  private final long total;
  private long passed;
  private long reported;

  ProgressMeter(Replay.Progress progress, long total) {
    this.progress = progress;
    this.total = total;
  }

  synchronized void pass(int minutes) {
    passed += minutes;
    if (passed - reported >= total / REPORTS || passed == total) {
      reported = passed;
      progress.passed(passed, total);
    }
  }
}
