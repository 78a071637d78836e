package io.prescale.controller.fairness;

import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Turns to write to a server: so many a second in the long run, and ten seconds' worth at once
 * after a pause. What gets no turn asks again later. As in {@link FairPlaces}, a namespace has at
 * most as many as it leaves free. A turn is forgotten gradually (exponentially, in ten seconds on
 * average), so that none has to be given back. Thread-safe.
 */
public final class WriteTurns {
  private static final int SECONDS = 10;
  private static final double NANOS = SECONDS * 1e9;

  /** Of a namespace's turns, what is forgotten altogether. */
  private static final double NEGLIGIBLE = 0.01;

  private final int atOnce;
  private final LongSupplier nanoTime;
  private final Map<String, Double> taken = new HashMap<>();
  private double takenOfAll;
  private long at;

  /**
   * Turns of which none is taken.
   *
   * @param nanoTime a clock that never goes back
   */
  public WriteTurns(int perSecond, LongSupplier nanoTime) {
    this.atOnce = perSecond * SECONDS;
    this.nanoTime = nanoTime;
    this.at = nanoTime.getAsLong();
  }

  /**
   * Takes a turn, if there is one now. Takes time in proportion to the namespaces that had one
   * lately.
   *
   * @param kept turns that are not for this, but for what is more important
   */
  public synchronized boolean take(String namespace, int kept) {
    forget();
    double free = atOnce - kept - takenOfAll;
    if (taken.getOrDefault(namespace, 0.0) >= free) {
      return false;
    }
    taken.merge(namespace, 1.0, Double::sum);
    takenOfAll++;
    return true;
  }

  /** Counts what cannot wait; the turns of others become fewer. */
  public synchronized void count() {
    forget();
    takenOfAll++;
  }

  private void forget() {
    long now = nanoTime.getAsLong();
    double left = Math.exp(-(now - at) / NANOS);
    at = now;
    takenOfAll *= left;
    taken.replaceAll((_, turns) -> turns * left);
    taken.values().removeIf(turns -> turns < NEGLIGIBLE);
  }
}
