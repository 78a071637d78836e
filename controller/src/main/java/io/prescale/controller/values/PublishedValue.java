package io.prescale.controller.values;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.prescale.controller.api.v1alpha1.Amount;
import io.prescale.controller.api.v1alpha1.MetricStatus;
import io.prescale.controller.api.v1alpha1.PlanPoint;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is served of one metric, in the terms of {@link MetricStatus}, whose part it is.
 *
 * @param metric its name
 * @param served a Kubernetes quantity that is not negative
 * @param servedAt when it was computed
 * @param freshSeconds how long after that it is fresh
 * @param ttlSeconds how long after that it may stand in for a newer one; at most a day
 * @param floor lower bound of every answer; a quantity
 * @param plan rises, ascending in time
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
record PublishedValue(
    String metric,
    String served,
    Instant servedAt,
    long freshSeconds,
    long ttlSeconds,
    String floor,
    List<PlanPoint> plan) {
  private static final long LONGEST_LIFE = Duration.ofDays(1).toSeconds();

  PublishedValue {
    plan = plan == null ? List.of() : List.copyOf(plan);
    Objects.requireNonNull(metric, "metric");
    Objects.requireNonNull(servedAt, "servedAt");
    if (!areAmounts(served, floor)) {
      throw new IllegalArgumentException(
          "served %s and floor %s must be quantities that are not negative"
              .formatted(served, floor));
    }
    if (!areLives(freshSeconds, ttlSeconds)) {
      throw new IllegalArgumentException(
          "0 <= freshSeconds <= ttlSeconds <= %d does not hold for %d and %d"
              .formatted(LONGEST_LIFE, freshSeconds, ttlSeconds));
    }
  }

  private static boolean areAmounts(@Nullable String served, @Nullable String floor) {
    return Amount.milli(served).isPresent() && Amount.milli(floor).isPresent();
  }

  private static boolean areLives(long fresh, long ttl) {
    return fresh >= 0 && fresh <= ttl && ttl <= LONGEST_LIFE;
  }

  /** What a status says of a metric; empty before a value was served, or if it makes no sense. */
  static Optional<PublishedValue> of(MetricStatus status) {
    var served = status.served();
    var at = status.servedAt();
    var fresh = status.freshSeconds();
    var ttl = status.ttlSeconds();
    var floor = status.floor();
    if (served == null || at == null || fresh == null || ttl == null || floor == null) {
      return Optional.empty();
    }
    return areAmounts(served, floor) && areLives(fresh, ttl)
        ? Optional.of(
            new PublishedValue(status.name(), served, at, fresh, ttl, floor, status.plan()))
        : Optional.empty();
  }

  /** Whether its time to live has not ended, and it is not further ahead of the clock than that. */
  boolean mayBeServed(Instant now) {
    return Duration.between(servedAt, now).abs().toSeconds() <= ttlSeconds;
  }

  /** The status with this value, if the status does not say a later one. */
  MetricStatus mergedInto(MetricStatus status) {
    var known = status.servedAt();
    return !status.name().equals(metric) || (known != null && !servedAt.isAfter(known))
        ? status
        : status.serving(served, servedAt, freshSeconds, ttlSeconds, floor, plan);
  }
}
