package io.prescale.forecasting;

/** Counted things for messages: {@code 1 replica}, {@code 2 replicas}. */
public final class CountInWords {
  private CountInWords() {}

  /** The noun is given in the singular; its plural ends in s. */
  public static String of(long count, String noun) {
    return count + " " + noun + (count == 1 ? "" : "s");
  }
}
