package io.prescale.controller.demand.prometheus;

import io.prescale.controller.input.InputException;
import org.jspecify.annotations.Nullable;

/** A query to Prometheus failed. The message is a sentence for the user. */
public final class PrometheusException extends InputException {
  private static final long serialVersionUID = 1;

  private final Problem problem;

  PrometheusException(Problem problem, String message) {
    super(problem.fault(), message);
    this.problem = problem;
  }

  PrometheusException(Problem problem, String message, @Nullable Throwable cause) {
    this(problem, message);
    initCause(cause);
  }

  /** The kind of failure. */
  public Problem problem() {
    return problem;
  }
}
