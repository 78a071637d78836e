package io.prescale.adapter.api;

/** Ends the handling of a request with a failure for the client. */
final class FailureException extends Exception {
  private static final long serialVersionUID = 1;

  private final transient Failure failure;

  FailureException(Failure failure) {
    super(failure.message());
    this.failure = failure;
  }

  Failure failure() {
    return failure;
  }
}
