package io.prescale.adapter.identity;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Set;

/**
 * Authorizes accesses by asking the cluster; both decisions are cached for 10 s ({@code
 * k8s.io/apiserver/pkg/server/options/authorization.go}). Thread-safe.
 */
public final class Authorizer {
  private static final Duration HOLD_FOR = Duration.ofSeconds(10);
  private static final int CAPACITY = 8192;
  private static final Set<String> OPEN_PATHS = Set.of("/healthz", "/livez", "/readyz");

  private final AccessReviewer reviewer;
  private final ExpiringCache<Access, AccessReviewer.Decision> decisions;

  public Authorizer(AccessReviewer reviewer, InstantSource clock) {
    this.reviewer = reviewer;
    this.decisions = new ExpiringCache<>(clock, HOLD_FOR, CAPACITY);
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
    return decisions.get(access, reviewer::review);
  }
}
