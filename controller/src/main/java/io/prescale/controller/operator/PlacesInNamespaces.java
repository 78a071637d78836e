package io.prescale.controller.operator;

import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which PredictiveHPAs have one of the places of their namespace. All are looked at once in a
 * while, and not at each reconciliation, which would cost a namespace the square of their number.
 * Thread-safe.
 */
final class PlacesInNamespaces {
  /** The longest that a place which was left stays empty. */
  private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(10);

  private final NamespaceLimit limit;
  private @Nullable Look newest;

  /**
   * What was seen.
   *
   * @param taken UIDs of those with a place, by namespace; one that came since may take a free one
   */
  private record Look(Map<String, Set<String>> taken, Instant at) {
    boolean isOver(Instant now) {
      return now.isBefore(at) || !now.isBefore(at.plus(BETWEEN_LOOKS));
    }
  }

  PlacesInNamespaces(NamespaceLimit limit) {
    this.limit = limit;
  }

  /**
   * Refuses a PredictiveHPA without a place.
   *
   * @param all of all namespaces, also those of other replicas; asked for at most once in 10 s
   */
  synchronized void require(
      PredictiveHPA resource, Supplier<Stream<PredictiveHPA>> all, Instant now) throws NotReady {
    var look = newest;
    if (look == null || look.isOver(now)) {
      look = new Look(limit.oldest(all.get()), now);
      newest = look;
    }
    var meta = resource.getMetadata();
    var taken = look.taken().computeIfAbsent(meta.getNamespace(), _ -> new HashSet<>());
    if (taken.size() < limit.most()) {
      taken.add(meta.getUid());
    }
    if (!taken.contains(meta.getUid())) {
      throw limit.refusal(meta.getNamespace());
    }
  }
}
