package io.prescale.forecasting;

/** Samples that no reasonable grid can hold. The message is a sentence for whoever sent them. */
public final class UngriddableException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  UngriddableException(String message) {
    super(message);
  }
}
