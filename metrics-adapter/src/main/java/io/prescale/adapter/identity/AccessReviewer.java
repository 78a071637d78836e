package io.prescale.adapter.identity;

/** Asks the cluster whether a user may do something. */
@FunctionalInterface
public interface AccessReviewer {
  /**
   * The cluster's decision. May block.
   *
   * @throws ReviewException if the cluster does not answer
   */
  Decision review(Access access) throws ReviewException;

  /**
   * Yes or no.
   *
   * @param reason of the cluster, often empty
   */
  record Decision(boolean allowed, String reason) {}
}
