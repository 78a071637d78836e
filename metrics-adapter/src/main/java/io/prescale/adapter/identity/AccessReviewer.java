package io.prescale.adapter.identity;

/** Asks the cluster whether an access is allowed. */
@FunctionalInterface
public interface AccessReviewer {
  /**
   * The cluster's decision. May block.
   *
   * @throws ReviewException if the cluster does not answer
   */
  Decision review(Access access) throws ReviewException;

  /**
   * The cluster's decision.
   *
   * @param reason the cluster's reason, often empty
   */
  record Decision(boolean allowed, String reason) {}
}
