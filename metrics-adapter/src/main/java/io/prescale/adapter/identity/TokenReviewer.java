package io.prescale.adapter.identity;

import java.util.Optional;

/** Asks the cluster for the owner of a token. */
@FunctionalInterface
public interface TokenReviewer {
  /**
   * The owner of a bearer token; empty if the cluster does not know it. May block.
   *
   * @throws ReviewException if the cluster does not answer
   */
  Optional<User> review(String token) throws ReviewException;
}
