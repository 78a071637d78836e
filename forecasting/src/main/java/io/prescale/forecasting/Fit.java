package io.prescale.forecasting;

/** The outcome of learning from history. */
public sealed interface Fit {
  /** A model, ready to forecast. */
  record Fitted(FittedForecaster model) implements Fit {}

  /**
   * No model, which is normal for a short or empty history.
   *
   * @param reason a phrase for a person: "needs 10 values, has 3"
   */
  record Refused(String reason) implements Fit {}
}
