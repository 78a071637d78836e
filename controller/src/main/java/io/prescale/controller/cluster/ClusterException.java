package io.prescale.controller.cluster;

/** The cluster cannot be reached, or denies access. The message is a sentence for the user. */
public final class ClusterException extends Exception {
  private static final long serialVersionUID = 1;

  public ClusterException(String message) {
    super(message);
  }

  public ClusterException(String message, Throwable cause) {
    super(message, cause);
  }
}
