package io.prescale.placement.claims;

import io.prescale.placement.claims.Claim.Pin;

/**
 * The next write for a pod. Each may be repeated; after each, the API server has what is needed to
 * find the next.
 */
public sealed interface Step {

  /** The pod that needs the write. */
  ClaimPod pod();

  /**
   * Creates a claim like another one of the pod's that only the chosen cards meet.
   *
   * @param like the claim whose request it takes over
   * @param driver of the cards
   */
  record Pinned(ClaimPod pod, Claim.Key claim, Claim like, String driver, Pin pin)
      implements Step {}

  /** Deletes a claim that another one replaces, unless it has changed since it was observed. */
  record Replaced(ClaimPod pod, Claim claim) implements Step {}

  /** Releases the pod to kube-scheduler. */
  record Released(ClaimPod pod) implements Step {}
}
