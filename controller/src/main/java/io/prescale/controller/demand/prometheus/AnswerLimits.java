package io.prescale.controller.demand.prometheus;

import java.util.Optional;

/**
 * The largest response that a query may have; a larger one is refused while it arrives.
 *
 * @param bytes of the body
 * @param series in it
 * @param label the only one that is kept of a series, if its value may be the name of a pod; empty
 *     to keep all
 */
public record AnswerLimits(long bytes, int series, Optional<String> label) {
  /** Of an object of Kubernetes. */
  private static final int LONGEST_NAME = 253;

  public AnswerLimits {
    if (bytes < 1 || series < 1) {
      throw new IllegalArgumentException(bytes + " bytes, " + series + " series");
    }
  }

  /** The series of all cards of a cluster, and of everything that a person may query. */
  static AnswerLimits ofManySeries() {
    return new AnswerLimits(64L << 20, 200_000, Optional.empty());
  }

  /** One point for each pod of a namespace: of half a million labels, only theirs is kept. */
  public static AnswerLimits ofPods() {
    return new AnswerLimits(4L << 20, 5_000, Optional.of("pod"));
  }

  /** One series of as many points as a server gives; more series only to say how many there are. */
  public static AnswerLimits ofOneSeries() {
    return new AnswerLimits(4L << 20, 100, Optional.empty());
  }

  boolean keeps(String name, String value) {
    return label.isEmpty() || (label.get().equals(name) && value.length() <= LONGEST_NAME);
  }
}
