package io.prescale.adapter.identity;

/** The cluster could not be asked who somebody is or what they may do. */
public final class ReviewException extends Exception {
  private static final long serialVersionUID = 1;

  public ReviewException(String message, Throwable cause) {
    super(message, cause);
  }

  public ReviewException(String message) {
    super(message);
  }
}
