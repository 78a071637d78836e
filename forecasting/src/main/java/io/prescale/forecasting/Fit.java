package io.prescale.forecasting;

/** The result of fitting a model to a history. */
public sealed interface Fit {
  /** A model, ready to forecast. */
  record Fitted(FittedForecaster model) implements Fit {}

  /**
   * No model, which is normal for a short or empty history.
   *
   * @param reason a phrase for the user: "needs 10 values, has 3"
   */
  record Refused(String reason) implements Fit {}
}
