package io.prescale.adapter.identity;

import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;

/**
 * Authorizes accesses by asking the cluster, whose decisions are cached. Whether a user may access
 * the whole group is asked first: the HPA controller may, and reads thousands of metrics.
 * Thread-safe; concurrent questions about one access may ask the cluster more than once.
 */
public final class Authorizer {
  private static final int CAPACITY = 8192;
  private static final Set<String> OPEN_PATHS = Set.of("/healthz", "/livez", "/readyz");

  private final AccessReviewer reviewer;
  private final ExpiringCache<Access, AccessReviewer.Decision> allowed;
  private final ExpiringCache<Access, AccessReviewer.Decision> denied;

  public Authorizer(AccessReviewer reviewer, ReviewTtl ttl, InstantSource clock) {
    this.reviewer = reviewer;
    this.allowed = new ExpiringCache<>(clock, ttl.granted(), CAPACITY);
    this.denied = new ExpiringCache<>(clock, ReviewTtl.REFUSED, CAPACITY);
  }

  /** Whether {@code path} needs no authorization: the kubelet's probes send no credentials. */
  public static boolean isOpen(String path) {
    return OPEN_PATHS.contains(path);
  }

  /**
   * The cluster's decision; may block.
   *
   * @throws ReviewException if the cluster does not answer, in which case the access is not allowed
   */
  public AccessReviewer.Decision decide(Access access) throws ReviewException {
    if (access.user().groups().contains(User.MASTERS)) {
      return new AccessReviewer.Decision(true, "");
    }
    var known = known(access);
    if (known.isPresent()) {
      return known.get();
    }
    var all = access.toAllOfItsGroup();
    if (all.isPresent()) {
      var ofAll = known(all.get());
      var decision = ofAll.isPresent() ? ofAll.get() : review(all.get());
      if (decision.allowed()) {
        return decision;
      }
    }
    return review(access);
  }

  private Optional<AccessReviewer.Decision> known(Access access) {
    return allowed.find(access).or(() -> denied.find(access));
  }

  private AccessReviewer.Decision review(Access access) throws ReviewException {
    var decision = reviewer.review(access);
    return (decision.allowed() ? allowed : denied).put(access, decision);
  }
}
