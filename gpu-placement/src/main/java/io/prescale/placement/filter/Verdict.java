package io.prescale.placement.filter;

import io.prescale.placement.topology.CardSet;

/** Whether a request fits a node. */
public sealed interface Verdict {

  /**
   * The request fits on as many of these cards as it needs: on any, or with required links on some.
   */
  record Fits(CardSet cards) implements Verdict {}

  /** The request does not fit. */
  record Refuses(Reason reason) implements Verdict {}
}
