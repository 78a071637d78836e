package io.prescale.forecasting.classic;

import io.prescale.forecasting.Season;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The sines and cosines that describe one season (FPP3 §7.4): a pair for each harmonic below the
 * grid's Nyquist frequency that no shorter season has.
 */
record FourierTerms(Season season, List<Integer> harmonics) {
  private static final int MOST_HARMONICS = 16;

  /** Points of a profile: 64 for each wave of the highest harmonic. */
  private static final int PROFILE_KNOTS = 64 * MOST_HARMONICS;

  FourierTerms {
    harmonics = List.copyOf(harmonics);
  }

  /** The terms of each season; seasons are ordered from the shortest. */
  static List<FourierTerms> of(List<Season> seasons, Duration step, Duration history) {
    var terms = new ArrayList<FourierTerms>();
    for (var season : seasons) {
      var harmonics = new ArrayList<Integer>();
      double steps = (double) season.period().toMillis() / step.toMillis();
      for (int j = 1; j < steps / 2 && harmonics.size() < MOST_HARMONICS; j++) {
        double cycles = j * ratio(history, season.period());
        if (terms.stream().noneMatch(shorter -> shorter.has(cycles, history))) {
          harmonics.add(j);
        }
      }
      terms.add(new FourierTerms(season, harmonics));
    }
    return terms;
  }

  /** Whether a harmonic has this many cycles over the history, to within half a cycle. */
  private boolean has(double cycles, Duration history) {
    double own = ratio(history, season.period());
    return harmonics.stream().anyMatch(j -> Math.abs(j * own - cycles) < 0.5);
  }

  private static double ratio(Duration a, Duration b) {
    return (double) a.toMillis() / b.toMillis();
  }

  /** How many harmonics there are. */
  int count() {
    return harmonics.size();
  }

  /**
   * Puts the terms at a phase into {@code row} from {@code column} on: cosine and sine of each
   * harmonic, in turn, times its size from {@link #sizes}.
   */
  void fill(double[] row, int column, double phase, double[] sizes) {
    double cosine = Math.cos(2 * Math.PI * phase);
    double sine = Math.sin(2 * Math.PI * phase);
    double real = 1;
    double imaginary = 0;
    int harmonic = 0;
    for (int h = 0; h < sizes.length; h++) {
      for (; harmonic < harmonics.get(h); harmonic++) {
        double rotated = real * cosine - imaginary * sine;
        imaginary = real * sine + imaginary * cosine;
        real = rotated;
      }
      row[column + 2 * h] = sizes[h] * real;
      row[column + 2 * h + 1] = sizes[h] * imaginary;
    }
  }

  /** The amplitude of each harmonic averaged over a block of steps, by Dirichlet's kernel. */
  double[] sizes(Duration step, int stepsOfBlock) {
    var sizes = new double[harmonics.size()];
    for (int h = 0; h < sizes.length; h++) {
      double angle = Math.PI * harmonics.get(h) * ratio(step, season.period());
      sizes[h] = Math.sin(stepsOfBlock * angle) / (stepsOfBlock * Math.sin(angle));
    }
    return sizes;
  }

  /** The season as a curve, from the coefficients of cosine and sine of each harmonic, in turn. */
  PeriodicProfile profile(double[] coefficients) {
    var knots = new double[PROFILE_KNOTS];
    for (int k = 0; k < knots.length; k++) {
      for (int c = 0; c + 1 < coefficients.length; c += 2) {
        double angle = 2 * Math.PI * harmonics.get(c / 2) * k / knots.length;
        knots[k] += coefficients[c] * Math.cos(angle) + coefficients[c + 1] * Math.sin(angle);
      }
    }
    return new PeriodicProfile(knots);
  }
}
