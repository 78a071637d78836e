package io.prescale.controller.demand.prometheus;

/**
 * The largest response that a query may have; a larger one is refused while it arrives.
 *
 * @param bytes of the body
 * @param series in it
 */
public record AnswerLimits(long bytes, int series) {
  public AnswerLimits {
    if (bytes < 1 || series < 1) {
      throw new IllegalArgumentException(bytes + " bytes, " + series + " series");
    }
  }

  /** The series of all cards of a cluster, and of everything that a person may query. */
  static AnswerLimits ofManySeries() {
    return new AnswerLimits(64L << 20, 200_000);
  }

  /** One point for each pod of a namespace. */
  public static AnswerLimits ofPods() {
    return new AnswerLimits(4L << 20, 5_000);
  }

  /** One series of as many points as a server gives; more series only to say how many there are. */
  public static AnswerLimits ofOneSeries() {
    return new AnswerLimits(4L << 20, 100);
  }
}
