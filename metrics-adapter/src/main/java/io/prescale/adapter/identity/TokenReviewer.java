package io.prescale.adapter.identity;

import java.util.Optional;

/** Asks the cluster whose token this is. */
@FunctionalInterface
public interface TokenReviewer {
  /**
   * The owner of a bearer token, or nothing if the cluster does not know it. May block.
   *
   * @throws ReviewException if the cluster does not answer
   */
  Optional<User> review(String token) throws ReviewException;
}
