package io.prescale.placement.filter;

import io.prescale.placement.topology.CardSet;

/** Whether a request fits a node. */
public sealed interface Verdict {

  /** It fits, on any so many of these cards as it asks; with links, on some of them. */
  record Fits(CardSet cards) implements Verdict {}

  /** It does not. */
  record Refuses(Reason reason) implements Verdict {}
}
