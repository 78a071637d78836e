package io.prescale.controller.demand.prometheus;

import io.prescale.controller.input.InputException.Fault;

/** The kind of failure of a request. */
public enum Problem {
  /** The server does not respond, or is not a Prometheus server. */
  UNREACHABLE(Fault.UNREACHABLE),
  /** No connection or no response in time. */
  TIMEOUT(Fault.UNREACHABLE),
  /** Credentials are missing or wrong, or a certificate is not trusted. */
  ACCESS_DENIED(Fault.UNREACHABLE),
  /** The server reports that it is overloaded or broken. */
  SERVER_ERROR(Fault.UNREACHABLE),
  /** The server rejects the query. */
  QUERY_REFUSED(Fault.UNUSABLE),
  /** The response is larger than expected. */
  TOO_LARGE(Fault.UNUSABLE),
  /** The response is not a valid result of the query. */
  UNUSABLE_ANSWER(Fault.UNUSABLE),
  /** The query finds no series. */
  NO_DATA(Fault.UNUSABLE),
  /** The query finds more than one series. */
  MANY_SERIES(Fault.UNUSABLE);

  private final Fault fault;

  Problem(Fault fault) {
    this.fault = fault;
  }

  /** The kind of input failure, which decides the exit code. */
  public Fault fault() {
    return fault;
  }
}
