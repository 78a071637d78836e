package io.prescale.controller.demand.preset;

/**
 * Tokens a second that all present requests would take together. Tokens that are generated stop at
 * what the replicas can do, however long the queue; times the present requests over the running
 * ones, they go on: with nobody waiting it is the throughput itself.
 */
final class Pace {
  private Pace() {}

  /**
   * The expression.
   *
   * @param generated tokens a second
   * @param present running and waiting requests
   * @param running requests; a divisor of 1 instead of 0 keeps an idle server at 0
   */
  static String tokens(String generated, String present, String running) {
    return "%s * %s / clamp_min(%s,1)".formatted(generated, present, running);
  }
}
