package io.prescale.placement.claims;

import io.prescale.placement.claims.Claim.Pin;

/**
 * The next write for a pod. Each can be done again and again; after any of them the API server has
 * what is needed to find the next.
 */
public sealed interface Step {

  /** The pod for whose sake it is. */
  ClaimPod pod();

  /**
   * Makes a claim like another one of the pod's, which only some cards meet.
   *
   * @param like the claim whose request it takes over
   * @param driver of the cards
   */
  record Pinned(ClaimPod pod, Claim.Key claim, Claim like, String driver, Pin pin)
      implements Step {}

  /** Deletes a claim that another one replaces, unless it has changed since it was seen. */
  record Replaced(ClaimPod pod, Claim claim) implements Step {}

  /** Lets kube-scheduler have the pod. */
  record Released(ClaimPod pod) implements Step {}
}
