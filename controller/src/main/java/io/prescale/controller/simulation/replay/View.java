package io.prescale.controller.simulation.replay;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;

/**
 * What is known at the start of a minute: the observations that were complete by then, and the
 * replicas of the policy's own HPA.
 */
public final class View {

  private final Instant start;
  private final int minute;
  private final double[] observed;
  private final int currentReplicas;
  private final int readyReplicas;

  /**
   * @param observed holds nothing but NaN from {@code minute} on for as long as this minute lasts,
   *     so that the future is out of reach even for code that ignores the bounds
   */
  View(Instant start, int minute, double[] observed, int currentReplicas, int readyReplicas) {
    this.start = start;
    this.minute = minute;
    this.observed = observed;
    this.currentReplicas = currentReplicas;
    this.readyReplicas = readyReplicas;
  }

  /** Minutes since the replay began, and the number of observations that are complete. */
  public int minute() {
    return minute;
  }

  public Instant time() {
    return time(minute);
  }

  /** The start of a minute, past or to come. */
  public Instant time(int anyMinute) {
    return start.plus(Duration.ofMinutes(anyMinute));
  }

  /** Demand during the last minute, if there was one and it was observed. */
  public OptionalDouble newest() {
    return highest(Math.max(0, minute - 1), minute);
  }

  /** Highest demand in the minutes from (inclusive) to (exclusive), if any was observed. */
  public OptionalDouble highest(int from, int to) {
    Objects.checkFromToIndex(from, to, minute);
    return highest(observed, from, to);
  }

  /** Highest value from (inclusive) to (exclusive) that is not missing (NaN). */
  static OptionalDouble highest(double[] values, int from, int to) {
    return Arrays.stream(values, from, to).filter(value -> !Double.isNaN(value)).max();
  }

  /** A copy of the last {@code minutes} observations, or of all when there are fewer. */
  public double[] last(int minutes) {
    return Arrays.copyOfRange(observed, Math.max(0, minute - minutes), minute);
  }

  public int currentReplicas() {
    return currentReplicas;
  }

  public int readyReplicas() {
    return readyReplicas;
  }

  /** The larger of two values, of which either may be unknown. */
  static OptionalDouble larger(OptionalDouble a, OptionalDouble b) {
    return DoubleStream.concat(a.stream(), b.stream()).max();
  }
}
