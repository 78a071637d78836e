package io.prescale.controller.demo;

import io.prescale.controller.simulation.cards.PausableJob;
import io.prescale.controller.simulation.cards.SharedCards;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/** Submits Jobs so that of each kind one waits: whatever services leave over is wanted. */
final class TrainingBacklog {
  /** New Jobs of a kind in a minute; bounds the first minute of a large cluster. */
  private static final int MOST_A_MINUTE = 20;

  private final SharedCards shared;
  private final Map<String, PausableJob> newest = new HashMap<>();
  private int submitted;

  TrainingBacklog(SharedCards shared) {
    this.shared = shared;
  }

  /** Submits what is missing. */
  void fill(Instant now) {
    for (var model : DemoCatalog.MODELS) {
      int left = MOST_A_MINUTE;
      while (left > 0 && !hasOneThatWaits(model)) {
        submitted++;
        left--;
        var job = DemoCatalog.job(model, submitted);
        newest.put(model, job);
        shared.submit(job, now);
      }
    }
  }

  private boolean hasOneThatWaits(String model) {
    var job = newest.get(model);
    return job != null && !shared.isRunning(job) && !job.hasBegun();
  }
}
