package io.prescale.forecasting;

/**
 * What happened to samples on their way to a grid.
 *
 * @param samples how many were received
 * @param duplicates how many were replaced by another sample of the same instant
 * @param outOfOrder how many came after a sample with a later time
 * @param notFinite how many were NaN or infinite, and so left no value
 * @param negative how many were negative although that is impossible, and so left no value
 * @param merged how many shared a step with another value, and were combined with it
 * @param missingSteps how many steps of the series have no value
 */
public record IngestReport(
    int samples,
    int duplicates,
    int outOfOrder,
    int notFinite,
    int negative,
    int merged,
    int missingSteps) {
  public IngestReport {
    if (samples < 0
        || duplicates < 0
        || outOfOrder < 0
        || notFinite < 0
        || negative < 0
        || merged < 0
        || missingSteps < 0) {
      throw new IllegalArgumentException("counts cannot be negative");
    }
  }
}
