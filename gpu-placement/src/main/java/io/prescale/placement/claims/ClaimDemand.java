package io.prescale.placement.claims;

import io.prescale.placement.cluster.RequestShape;

/** What a claim asks for. */
sealed interface ClaimDemand {

  /** Cards or shares of cards. */
  record Cards(RequestShape shape) implements ClaimDemand {}

  /** Something that is not understood or does not exist, with a sentence why. */
  record Refused(String sentence) implements ClaimDemand {}
}
