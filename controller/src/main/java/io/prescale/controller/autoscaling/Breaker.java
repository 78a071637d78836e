package io.prescale.controller.autoscaling;

import io.prescale.controller.autoscaling.Trust.Reason;
import io.prescale.controller.autoscaling.Trust.State;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether forecasts are followed, by how earlier ones settled.
 *
 * <p>What is compared is the pinball loss at the operating level, which is the cost of a shortage
 * and of idleness together in the proportion that the owner accepts (Koenker and Bassett 1978): of
 * the forecast quantile, and of serving the newest value or that of a day before instead. Skill is
 * 1 − loss / loss of the better of these. Losses fade over {@value #MEMORY} settled forecasts; a
 * faster mean over {@value #FAST_MEMORY} notices a forecast that has gone badly wrong: losses twice
 * the reference's, by a margin that matters.
 *
 * <p>It opens after {@value #BAD_IN_ROW} settled forecasts in a row without skill or with coverage
 * out of its band, and closes after {@value #GOOD_IN_ROW} in a row with clear skill and coverage
 * well within. Forecasts go on and are settled while it is open. All is counted in settled
 * forecasts: at a step of a minute, in minutes. The numbers were chosen on production traces, see
 * docs/benchmarks.md. Not thread-safe; O(1) each.
 */
final class Breaker {
  /** Fewer settled forecasts prove nothing. */
  static final int LEAST_SAMPLES = 60;

  static final int MEMORY = 720;
  static final int FAST_MEMORY = 90;
  static final int BAD_IN_ROW = 10;
  static final int GOOD_IN_ROW = 60;

  private static final String NO_REASON = "";

  private static final double CLEAR_SKILL = 0.05;

  /** Below this, demand counts as 0: differences are rounding. */
  private static final double LEAST_DEMAND = 1e-9;

  /** Overlapping windows and bursts make these shares vary by several points on good forecasts. */
  private static final double LEAST_COVERAGE_95 = 0.8;

  private static final double MOST_WELL_BELOW = 0.9;

  /** Share of the mean demand by which it must stay below the median to count. */
  private static final double CLEARLY = 0.01;

  private static final double INNER = 0.03;

  private final double level;
  private final RecentLosses losses;

  /** Of those with a day before alone, since means over different times do not compare. */
  private final RecentLosses besideDays;

  private int samples;
  private double meanDemand;
  private double meanError;
  private double wellBelow;
  private double covered90;
  private double covered95;
  private int badInRow;
  private int goodInRow;
  private State state = State.LEARNING;
  private @Nullable Reason reason;

  /**
   * A forecast, and what could have been served instead.
   *
   * @param operating the forecast quantile at the operating level
   * @param lastValue newest observation when it was made
   * @param dayBefore highest demand in the window a day before; empty when unknown
   */
  record Forecast(
      double p50,
      double p90,
      double p95,
      double operating,
      double lastValue,
      OptionalDouble dayBefore) {}

  /**
   * @param operatingLevel at which a quantile costs as much in shortage as in idleness
   */
  Breaker(double operatingLevel) {
    this.level = operatingLevel;
    this.losses = new RecentLosses(operatingLevel);
    this.besideDays = new RecentLosses(operatingLevel);
  }

  double level() {
    return level;
  }

  /** Writes all that {@link #read} needs. */
  void writeTo(DataOutput out) throws IOException {
    losses.writeTo(out);
    besideDays.writeTo(out);
    for (double mean : new double[] {meanDemand, meanError, wellBelow, covered90, covered95}) {
      out.writeDouble(mean);
    }
    for (int count : new int[] {samples, badInRow, goodInRow}) {
      out.writeInt(count);
    }
    out.writeUTF(state.name());
    out.writeUTF(reason == null ? NO_REASON : reason.name());
  }

  /**
   * The breaker that was written.
   *
   * @throws IllegalArgumentException when no breaker was
   */
  static Breaker read(DataInput in, double operatingLevel) throws IOException {
    var breaker = new Breaker(operatingLevel);
    breaker.losses.read(in);
    breaker.besideDays.read(in);
    breaker.meanDemand = FadingLosses.mean(in);
    breaker.meanError = FadingLosses.mean(in);
    breaker.wellBelow = FadingLosses.mean(in);
    breaker.covered90 = FadingLosses.mean(in);
    breaker.covered95 = FadingLosses.mean(in);
    breaker.samples = count(in);
    breaker.badInRow = count(in);
    breaker.goodInRow = count(in);
    breaker.state = State.valueOf(in.readUTF());
    var reason = in.readUTF();
    breaker.reason = reason.equals(NO_REASON) ? null : Reason.valueOf(reason);
    return breaker;
  }

  static int count(DataInput in) throws IOException {
    int count = in.readInt();
    if (count < 0) {
      throw new IllegalArgumentException("a breaker counts no " + count + " forecasts");
    }
    return count;
  }

  /**
   * Takes in a forecast whose window is over.
   *
   * @param truth highest demand in the window
   */
  void settle(double truth, Forecast forecast) {
    samples++;
    losses.settle(truth, forecast);
    if (forecast.dayBefore().isPresent()) {
      besideDays.settle(truth, forecast);
    }
    double n = Math.min(samples, MEMORY);
    meanDemand += (Math.abs(truth) - meanDemand) / n;
    meanError += (Math.abs(truth - forecast.p50()) - meanError) / n;
    wellBelow += ((forecast.p50() - truth > CLEARLY * usualDemand() ? 1 : 0) - wellBelow) / n;
    covered90 += ((truth <= forecast.p90() ? 1 : 0) - covered90) / n;
    covered95 += ((truth <= forecast.p95() ? 1 : 0) - covered95) / n;
    move();
  }

  private void move() {
    if (samples < LEAST_SAMPLES) {
      return;
    }
    Reason found = fault(0, 0);
    badInRow = found == null ? 0 : badInRow + 1;
    goodInRow = fault(CLEAR_SKILL, INNER) == null ? goodInRow + 1 : 0;
    if (state == State.LEARNING) {
      enter(found == null ? State.CLOSED : State.OPEN, found);
    } else if (state == State.CLOSED && badInRow >= BAD_IN_ROW) {
      enter(State.OPEN, found);
    } else if (state == State.OPEN && goodInRow >= GOOD_IN_ROW) {
      enter(State.CLOSED, null);
    } else if (state == State.OPEN && found != null) {
      reason = found;
    }
  }

  private void enter(State newState, @Nullable Reason why) {
    state = newState;
    reason = why;
  }

  private @Nullable Reason fault(double leastSkill, double inner) {
    if (losses.areNoBetterThan(FadingLosses::lastValue, leastSkill, usualDemand())) {
      return Reason.NO_BETTER_THAN_LAST_VALUE;
    }
    if (besideDays.areEnough()
        && besideDays.areNoBetterThan(FadingLosses::dayBefore, leastSkill, usualDemand())) {
      return Reason.NO_BETTER_THAN_SEASONAL_NAIVE;
    }
    if (covered95 < LEAST_COVERAGE_95 + inner) {
      return Reason.COVERAGE_TOO_LOW;
    }
    return wellBelow > MOST_WELL_BELOW - inner ? Reason.COVERAGE_TOO_HIGH : null;
  }

  private double usualDemand() {
    return Math.max(meanDemand, LEAST_DEMAND);
  }

  /** Skill against the better reference, of what was settled. */
  private double skill() {
    double againstLast = losses.skill(FadingLosses::lastValue);
    return besideDays.areEnough()
        ? Math.min(againstLast, besideDays.skill(FadingLosses::dayBefore))
        : againstLast;
  }

  /** Judges by all that was settled so far, as if learning had only just ended. */
  void judgeAnew() {
    state = State.LEARNING;
    badInRow = 0;
    goodInRow = 0;
    move();
  }

  /** Whether the day before has lately been a better guide than the newest value. */
  boolean prefersDayBefore() {
    return besideDays.areEnough() && besideDays.preferDayBefore();
  }

  /** Whether forecasts are followed. */
  boolean isClosed() {
    return state == State.CLOSED;
  }

  Trust trust() {
    return new Trust(
        state,
        Optional.ofNullable(reason),
        message(),
        when(samples > 0, skill()),
        when(meanDemand > LEAST_DEMAND, meanError / meanDemand),
        when(samples > 0, covered90),
        when(samples > 0, covered95),
        samples);
  }

  private static OptionalDouble when(boolean known, double value) {
    return known ? OptionalDouble.of(value) : OptionalDouble.empty();
  }

  private String message() {
    return switch (state) {
      case LEARNING ->
          "%d of %d forecasts have been settled; until then the newest value is followed."
              .formatted(samples, LEAST_SAMPLES);
      case CLOSED -> "Forecasts are acted on: their losses are " + besideReference() + ".";
      case OPEN -> instead() + ": " + inWords() + ".";
    };
  }

  private String besideReference() {
    double skill = skill();
    return skill <= 0
        ? "no lower than those of the better reference"
        : DecisionInWords.number(100 * skill) + " % below those of the better reference";
  }

  private String instead() {
    return prefersDayBefore()
        ? "The day before is followed, or the newest value where that is higher"
        : "The newest value is followed";
  }

  private String inWords() {
    return switch (reason) {
      case NO_BETTER_THAN_LAST_VALUE ->
          (prefersDayBefore() ? "the newest value" : "it")
              + " has lately done as well as the forecasts";
      case NO_BETTER_THAN_SEASONAL_NAIVE ->
          "the day before has lately done as well as the forecasts";
      case COVERAGE_TOO_LOW ->
          "only %s %% of the windows stayed within the 95 %% quantile"
              .formatted(DecisionInWords.number(100 * covered95));
      case COVERAGE_TOO_HIGH ->
          "demand stayed well below the forecast median in %s %% of the windows"
              .formatted(DecisionInWords.number(100 * wellBelow));
      case null -> "the forecasts are recovering";
    };
  }
}
