package io.prescale.forecasting;

/** An {@link IngestReport} in which only what a test names is not zero. */
final class ExpectedReport {
  private final int samples;
  private int duplicates;
  private int outOfOrder;
  private int notFinite;
  private int negative;
  private int merged;
  private int missingSteps;

  ExpectedReport(int samples) {
    this.samples = samples;
  }

  ExpectedReport duplicates(int count) {
    duplicates = count;
    return this;
  }

  ExpectedReport outOfOrder(int count) {
    outOfOrder = count;
    return this;
  }

  ExpectedReport notFinite(int count) {
    notFinite = count;
    return this;
  }

  ExpectedReport negative(int count) {
    negative = count;
    return this;
  }

  ExpectedReport merged(int count) {
    merged = count;
    return this;
  }

  ExpectedReport missingSteps(int count) {
    missingSteps = count;
    return this;
  }

  IngestReport build() {
    return new IngestReport(
        samples, duplicates, outOfOrder, notFinite, negative, merged, missingSteps);
  }
}
