package io.prescale.controller.cli;

/** The cluster cannot be reached, or does not let us. The message is a sentence for the user. */
final class ClusterException extends Exception {
  private static final long serialVersionUID = 1;

  ClusterException(String message) {
    super(message);
  }

  ClusterException(String message, Throwable cause) {
    super(message, cause);
  }
}
