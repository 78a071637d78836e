package io.prescale.placement.preference;

/** A criterion by which places are compared. */
public interface Criterion {
  /** The criterion in a few words, as in {@code least fragmentation}. */
  String name();

  /** A cost in the criterion's units, as in {@code 54 of 100 points}. */
  String inWords(long cost);
}
