package io.prescale.adapter.identity;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.Semaphore;

/**
 * Finds the owners of bearer tokens by asking the cluster, and caches owners and rejections by a
 * hash of the token. Thread-safe.
 */
final class TokenOwners {
  private static final int CAPACITY = 4096;

  /** So that a flood of tokens takes only a part of the API server's attention. */
  private static final int UNDER_REVIEW = 16;

  private final TokenReviewer reviewer;
  private final ExpiringCache<String, User> owners;
  private final ExpiringCache<String, Boolean> rejected;
  private final Semaphore reviews = new Semaphore(UNDER_REVIEW);

  TokenOwners(TokenReviewer reviewer, ReviewTtl ttl, InstantSource clock) {
    this.reviewer = reviewer;
    this.owners = new ExpiringCache<>(clock, ttl.granted(), CAPACITY);
    this.rejected = new ExpiringCache<>(clock, ReviewTtl.REFUSED, CAPACITY);
  }

  /**
   * The owner; empty if the cluster rejects the token. May block.
   *
   * @throws ReviewException if the cluster does not answer, or too many tokens are under review
   */
  Optional<User> find(String token) throws ReviewException {
    var key = sha256(token);
    var known = owners.find(key);
    if (known.isPresent() || rejected.find(key).isPresent()) {
      return known;
    }
    if (!reviews.tryAcquire()) {
      throw new ReviewException("too many tokens are under review; try again later");
    }
    try {
      var owner = reviewer.review(token);
      owner.ifPresentOrElse(user -> owners.put(key, user), () -> rejected.put(key, true));
      return owner;
    } finally {
      reviews.release();
    }
  }

  private static String sha256(String token) {
    try {
      var bytes = token.getBytes(StandardCharsets.UTF_8);
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK provides SHA-256", e);
    }
  }
}
