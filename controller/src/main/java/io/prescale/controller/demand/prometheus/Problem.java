package io.prescale.controller.demand.prometheus;

import io.prescale.controller.input.InputException.Fault;

/** What kind of thing went wrong with a request. */
public enum Problem {
  /** Nobody answers there, or somebody who is no Prometheus. */
  UNREACHABLE(Fault.UNREACHABLE),
  /** No connection or no answer in time. */
  TIMEOUT(Fault.UNREACHABLE),
  /** Credentials are missing or wrong, or a certificate is not trusted. */
  ACCESS_DENIED(Fault.UNREACHABLE),
  /** The server answers that it is overloaded or broken. */
  SERVER_ERROR(Fault.UNREACHABLE),
  /** The server does not accept the query. */
  QUERY_REFUSED(Fault.UNUSABLE),
  /** More bytes than any expected answer has. */
  TOO_LARGE(Fault.UNUSABLE),
  /** An answer that the query cannot have. */
  UNUSABLE_ANSWER(Fault.UNUSABLE),
  /** The query finds nothing. */
  NO_DATA(Fault.UNUSABLE),
  /** The query finds more than one series. */
  MANY_SERIES(Fault.UNUSABLE);

  private final Fault fault;

  Problem(Fault fault) {
    this.fault = fault;
  }

  /** Who has to act. */
  public Fault fault() {
    return fault;
  }
}
