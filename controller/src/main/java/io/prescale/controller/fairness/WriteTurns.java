package io.prescale.controller.fairness;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/**
 * Turns to write to a server: so many a second in the long run, and ten seconds' worth at once
 * after a pause, of which replicas that share the work have a part each. What gets no turn asks
 * again later. As in {@link FairPlaces}, a namespace has at most as many as it leaves free. A turn
 * is forgotten gradually (exponentially, in ten seconds on average), so that none has to be given
 * back. Thread-safe.
 */
public final class WriteTurns {
  private static final int SECONDS = 10;
  private static final double NANOS = SECONDS * 1e9;

  /** Of a namespace's turns, what is forgotten altogether. */
  private static final double NEGLIGIBLE = 0.01;

  private final int atOnce;
  private final DoubleSupplier part;
  private final LongSupplier nanoTime;
  private final Map<String, Double> byNamespace = new HashMap<>();
  private final Map<Urgency, Double> byUrgency = new EnumMap<>(Urgency.class);
  private double all;
  private long at;

  /** Who leaves turns to whom. No urgency ever keeps another from all turns. */
  public enum Urgency {
    /** Never waits; the turns of others become fewer, first its namespace's. */
    AT_ONCE(0, Double.POSITIVE_INFINITY),
    HIGH(0, 0.5),
    USUAL(0.1, 0.25),
    LOW(0.25, 0.05);

    /** The share of all turns that it leaves to what is more urgent. */
    private final double left;

    /** The share that it has whatever else is written. */
    private final double least;

    Urgency(double left, double least) {
      this.left = left;
      this.least = least;
    }
  }

  /**
   * Turns of which none is taken.
   *
   * @param perSecond of all processes together
   * @param part that this one has, from 0 to 1, which may change
   * @param nanoTime a clock that never goes back
   */
  public WriteTurns(int perSecond, DoubleSupplier part, LongSupplier nanoTime) {
    this.atOnce = perSecond * SECONDS;
    this.part = part;
    this.nanoTime = nanoTime;
    this.at = nanoTime.getAsLong();
  }

  /**
   * Takes a turn, if there is one now. Takes time in proportion to the namespaces that wrote
   * lately.
   */
  public synchronized boolean take(String namespace, Urgency urgency) {
    forget();
    double most = atOnce * part.getAsDouble();
    double free =
        Math.max(
            most * (1 - urgency.left) - all,
            most * urgency.least - byUrgency.getOrDefault(urgency, 0.0));
    if (byNamespace.getOrDefault(namespace, 0.0) >= free) {
      return false;
    }
    byUrgency.merge(urgency, 1.0, Double::sum);
    byNamespace.merge(namespace, 1.0, Double::sum);
    all++;
    return true;
  }

  private void forget() {
    long now = nanoTime.getAsLong();
    double left = Math.exp(-(now - at) / NANOS);
    at = now;
    all *= left;
    byUrgency.replaceAll((_, turns) -> turns * left);
    byNamespace.replaceAll((_, turns) -> turns * left);
    byNamespace.values().removeIf(turns -> turns < NEGLIGIBLE);
  }
}
