package io.prescale.controller.demand.preset;

/**
 * Tokens per second that all present requests would generate together. Throughput alone saturates
 * at the capacity of the replicas, however long the queue. Multiplied by present over running
 * requests it keeps growing with the queue; without a queue it equals throughput.
 */
final class Pace {
  private Pace() {}

  /**
   * The PromQL expression.
   *
   * @param generated tokens per second
   * @param present running and waiting requests
   * @param running running requests; the divisor is at least 1, so that an idle server yields 0
   */
  static String tokens(String generated, String present, String running) {
    return "%s * %s / clamp_min(%s,1)".formatted(generated, present, running);
  }
}
