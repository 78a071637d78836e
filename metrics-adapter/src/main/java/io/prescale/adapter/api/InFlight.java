package io.prescale.adapter.api;

import io.prescale.adapter.identity.Authentication;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Limits how many requests are answered at once so that no caller starves another. Thread-safe.
 *
 * <p>One caller may hold as many places as are left free (Choudhury and Hahne, "Dynamic queue
 * length thresholds for shared-memory packet switches", 1998): a half when alone, a third beside an
 * equal, and a newcomer always finds room. All anonymous requests are one caller, with at most a
 * twentieth of the places; callers who do not come through the front proxy hold at most a half
 * together.
 */
public final class InFlight {
  private static final int ANONYMOUS_SHARE = 20;
  private static final int DIRECT_SHARE = 2;

  /** By what its members have in common, how they are limited together. */
  private enum Group {
    ANONYMOUS,
    DIRECT,
    PROXIED;

    static Group of(Authentication.Known caller) {
      return caller.user().isAnonymous() ? ANONYMOUS : caller.byProxy() ? PROXIED : DIRECT;
    }

    int limit(int places) {
      return switch (this) {
        case ANONYMOUS -> Math.max(1, places / ANONYMOUS_SHARE);
        case DIRECT -> Math.max(1, places / DIRECT_SHARE);
        case PROXIED -> places;
      };
    }
  }

  private record Caller(Group group, String name) {
    static Caller of(Authentication.Known known) {
      var group = Group.of(known);
      return new Caller(group, group == Group.ANONYMOUS ? "" : known.user().name());
    }
  }

  /** A place that is held until it is closed. */
  public final class Place implements AutoCloseable {
    private final Caller caller;

    private Place(Caller caller) {
      this.caller = caller;
    }

    @Override
    public void close() {
      release(caller);
    }
  }

  private final int places;
  private final Map<Caller, Integer> byCaller = new HashMap<>();
  private final Map<Group, Integer> byGroup = new HashMap<>();
  private int taken;

  public InFlight(int places) {
    if (places < 1) {
      throw new IllegalArgumentException(
          "no request could be answered with %d places".formatted(places));
    }
    this.places = places;
  }

  /** A place for a request; empty if the caller's share is used up. */
  public synchronized Optional<Place> take(Authentication.Known known) {
    var caller = Caller.of(known);
    var group = caller.group();
    if (byCaller.getOrDefault(caller, 0) >= places - taken
        || byGroup.getOrDefault(group, 0) >= group.limit(places)) {
      return Optional.empty();
    }
    taken++;
    byCaller.merge(caller, 1, Integer::sum);
    byGroup.merge(group, 1, Integer::sum);
    return Optional.of(new Place(caller));
  }

  private synchronized void release(Caller caller) {
    taken--;
    byCaller.computeIfPresent(caller, (_, held) -> held == 1 ? null : held - 1);
    byGroup.merge(caller.group(), -1, Integer::sum);
  }
}
