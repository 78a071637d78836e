package io.prescale.placement.filter;

import io.prescale.placement.topology.CardSet;

/** Whether a request fits a node. */
public sealed interface Verdict {

  /** The request fits on any of these cards, or with required links on some sets of them. */
  record Fits(CardSet cards) implements Verdict {}

  /** The request does not fit. */
  record Refuses(Reason reason) implements Verdict {}
}
