package io.prescale.adapter.api;

/** The other adapter did not answer; the message is a sentence for the client. */
public final class UpstreamException extends Exception {
  private static final long serialVersionUID = 1;

  public UpstreamException(String message) {
    super(message);
  }
}
