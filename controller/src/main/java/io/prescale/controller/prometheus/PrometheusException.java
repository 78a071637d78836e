package io.prescale.controller.prometheus;

import io.prescale.controller.input.InputException;
import org.jspecify.annotations.Nullable;

/** Prometheus did not give what was asked of it. The message is a sentence for the user. */
public final class PrometheusException extends InputException {
  private static final long serialVersionUID = 1;

  PrometheusException(Fault fault, String message) {
    super(fault, message);
  }

  PrometheusException(Fault fault, String message, @Nullable Throwable cause) {
    super(fault, message);
    initCause(cause);
  }
}
