package io.prescale.adapter.identity;

/** Thrown when the cluster does not answer a review of a token or an access. */
public final class ReviewException extends Exception {
  private static final long serialVersionUID = 1;

  public ReviewException(String message, Throwable cause) {
    super(message, cause);
  }

  public ReviewException(String message) {
    super(message);
  }
}
