package io.prescale.forecasting;

/** Thrown for samples that no reasonable grid can hold; the message is a sentence for the user. */
public final class UngriddableException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  UngriddableException(String message) {
    super(message);
  }
}
