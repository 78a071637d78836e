package io.prescale.adapter.server;

import java.io.IOException;

/** A listener could not be bound, most often because its port is taken. */
public final class ListenerException extends IOException {
  private static final long serialVersionUID = 1;

  private final transient Listener listener;

  public ListenerException(Listener listener, Throwable cause) {
    super(
        "cannot listen on %s port %d (%s)"
            .formatted(listener.host(), listener.port(), cause.getMessage()),
        cause);
    this.listener = listener;
  }

  public Listener listener() {
    return listener;
  }
}
