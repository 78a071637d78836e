package io.prescale.controller.plan;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * How often what was said with a probability has come true.
 *
 * @param squares sum of the squared differences between probability and outcome
 * @param bands statements by their probability, from 0 to 1 in tenths
 */
public record Calibration(double squares, List<Band> bands) {
  private static final int BANDS = 10;

  /**
   * Statements of similar probability.
   *
   * @param said how many
   * @param expected the sum of their probabilities
   * @param came how many came true
   */
  public record Band(long said, double expected, long came) {
    public static final Band NONE = new Band(0, 0, 0);

    public Band {
      if (said < 0 || came < 0 || came > said || !(expected >= 0 && expected <= said)) {
        throw new IllegalArgumentException(
            "%d of %d statements came true, %s were expected".formatted(came, said, expected));
      }
    }
  }

  public Calibration {
    bands = List.copyOf(bands);
    if (bands.size() != BANDS || !(squares >= 0)) {
      throw new IllegalArgumentException("a calibration has %d bands".formatted(BANDS));
    }
  }

  /** Nothing was said yet. */
  public static Calibration none() {
    return new Calibration(0, Collections.nCopies(BANDS, Band.NONE));
  }

  /** With another statement whose time has passed. */
  public Calibration with(double probability, boolean came) {
    if (!(probability >= 0 && probability <= 1)) {
      throw new IllegalArgumentException("no probability: " + probability);
    }
    int index = Math.min(BANDS - 1, (int) (probability * BANDS));
    var band = bands.get(index);
    var next = new ArrayList<>(bands);
    next.set(
        index,
        new Band(
            band.said() + 1,
            Math.min(band.said() + 1.0, band.expected() + probability),
            band.came() + (came ? 1 : 0)));
    double error = probability - (came ? 1 : 0);
    return new Calibration(squares + error * error, next);
  }

  /** How many statements were scored. */
  public long said() {
    return bands.stream().mapToLong(Band::said).sum();
  }
}
