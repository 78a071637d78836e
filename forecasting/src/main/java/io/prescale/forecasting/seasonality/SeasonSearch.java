package io.prescale.forecasting.seasonality;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One search for seasons: the seasons found so far, and the signal without them. */
final class SeasonSearch {
  // In about 2 % of series without a season, one is found by chance: a third of this error is spent
  // on the day and the week, the rest on the octaves from ten minutes to two weeks, in equal
  // shares.
  private static final double LOG_LEVEL_OF_USUAL_PERIOD = Math.log(0.003);
  private static final double LOG_LEVEL_OF_OCTAVE = Math.log(0.001);

  /** Autocorrelation below which a season is too weak to use, however significant. */
  private static final double WEAKEST = 0.1;

  private static final int PEAKS = 4;
  private static final int MOST_SEASONS_OF_A_RANGE = 3;

  /** Of two periods, one up to this many times the other, only one becomes a season. */
  private static final int MOST_PARTS = 8;

  /** The exception: both the day and the week. */
  private static final int DAYS_OF_A_WEEK = 7;

  /** The relative strength from which a multiple, or a part, of a period replaces it. */
  private static final double GAIN_OF_A_MULTIPLE = 1.05;

  private static final double LOSS_OF_A_PART = 0.9;

  /** A period that passed every test. */
  record Found(double periodSteps, double strength) {}

  private final double[] rest;
  private final RoundPeriods roundPeriods;
  private final List<Found> found = new ArrayList<>();

  /** Takes ownership of the signal and changes it. */
  SeasonSearch(double[] signal, Duration step) {
    this.rest = signal;
    this.roundPeriods = new RoundPeriods(signal.length, step);
  }

  List<Found> found() {
    return found;
  }

  /**
   * Looks for seasons with periods between the limits, in steps.
   *
   * @param usual a period to test in any case
   * @param usualParts into how many parts the usual period is split to distinguish it from a known
   *     season of one part's length; 1 if there is none
   */
  void among(double shortest, double longest, double usual, int usualParts) {
    var range = new Range(shortest, Math.min(longest, rest.length / 2.0));
    for (int i = 0; i < MOST_SEASONS_OF_A_RANGE; i++) {
      var season = usualSeason(range, usual, usualParts).or(() -> searched(range, usual));
      if (season.isEmpty() || isKnown(season.get().periodSteps())) {
        return;
      }
      accept(season.get(), range);
    }
  }

  /** The residue that rounding leaves of a season may look like the season itself. */
  private boolean isKnown(double period) {
    return found.stream().anyMatch(known -> known.periodSteps() == period);
  }

  private record Range(double shortest, double longest) {
    /** Allows for the error of rounding a period to steps. */
    boolean contains(double period) {
      return period >= shortest * 0.999 && period <= longest * 1.001;
    }
  }

  private Optional<Found> usualSeason(Range range, double usual, int parts) {
    if (!range.contains(usual)) {
      return Optional.empty();
    }
    var test = new CycleTest(rest);
    double logProbability =
        parts > 1 ? test.logProbability(usual, parts) : test.logProbability(usual);
    return logProbability < LOG_LEVEL_OF_USUAL_PERIOD
        ? strongEnough(shortestEquivalent(test, usual, range))
        : Optional.empty();
  }

  private Optional<Found> searched(Range range, double usual) {
    var test = new CycleTest(rest);
    for (double peak : Spectrum.peaks(rest, range.shortest(), range.longest(), PEAKS)) {
      double period = roundPeriods.nearest(Spectrum.refined(rest, peak));
      if (range.contains(period) && test.logProbability(period) < logLevel(period)) {
        double multiple =
            isPart(period, usual) && range.contains(usual)
                ? usual
                : longestAddition(test, period, range);
        var season = strongEnough(shortestEquivalent(test, multiple, range));
        if (season.isPresent()) {
          return season;
        }
      }
    }
    return Optional.empty();
  }

  /** Corrects for the candidates of an octave: about two for each cycle in the series. */
  private double logLevel(double period) {
    return LOG_LEVEL_OF_OCTAVE - Math.log(2 * rest.length / period);
  }

  /** The longest multiple that adds something to the period, which was its harmonic. */
  private double longestAddition(CycleTest test, double period, Range range) {
    for (int parts = MOST_PARTS; parts > 1; parts--) {
      double multiple = roundPeriods.nearest(parts * period);
      if (range.contains(multiple)
          && test.logProbability(multiple, parts) < logLevel(multiple)
          && strength(multiple, period) > GAIN_OF_A_MULTIPLE * strength(period)) {
        return multiple;
      }
    }
    return period;
  }

  /** The shortest part of the period to which the whole of it adds nothing. */
  private double shortestEquivalent(CycleTest test, double period, Range range) {
    for (int parts = MOST_PARTS; parts > 1; parts--) {
      double part = period / parts;
      if (range.contains(part)
          && test.logProbability(period, parts) > LOG_LEVEL_OF_USUAL_PERIOD
          && strength(part, period) >= LOSS_OF_A_PART * strength(period)) {
        return part;
      }
    }
    return period;
  }

  private Optional<Found> strongEnough(double period) {
    double strength = strength(period);
    return strength < WEAKEST ? Optional.empty() : Optional.of(new Found(period, strength));
  }

  private double strength(double period) {
    return strength(period, period);
  }

  /** To be compared with that of another period, a strength needs the same smoothing. */
  private double strength(double period, double smoothedForPeriod) {
    return new RepeatedProfile(rest, period).strength(smoothedForPeriod);
  }

  private void accept(Found season, Range range) {
    var profile = new RepeatedProfile(rest, season.periodSteps());
    // Periods that divide this one disappear with it, so they are searched for before.
    profile
        .prominentPart(MOST_PARTS, (int) (season.periodSteps() / range.shortest() + 1e-9))
        .ifPresent(part -> strongEnough(part).ifPresent(found::add));
    found.removeIf(other -> isHarmonic(other, season));
    found.add(season);
    profile.subtractFrom(rest);
  }

  /** Sidebands of a day that a week shapes, for example, are the week's harmonics. */
  private static boolean isHarmonic(Found shorter, Found longer) {
    return isPart(shorter.periodSteps(), longer.periodSteps())
        && Math.rint(longer.periodSteps() / shorter.periodSteps()) != DAYS_OF_A_WEEK;
  }

  private static boolean isPart(double shorter, double longer) {
    double ratio = longer / shorter;
    double parts = Math.rint(ratio);
    return parts > 1 && parts <= MOST_PARTS && Math.abs(ratio - parts) < 0.05;
  }
}
