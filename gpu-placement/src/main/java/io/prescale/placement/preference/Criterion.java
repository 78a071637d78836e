package io.prescale.placement.preference;

/** Something by which places are compared. */
public interface Criterion {
  /** The idea in a few words, as in {@code least fragmentation}. */
  String name();

  /** A cost in the units of the idea, as in {@code 54 of 100 points}. */
  String inWords(long cost);
}
