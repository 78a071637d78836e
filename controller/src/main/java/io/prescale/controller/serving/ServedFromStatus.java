package io.prescale.controller.serving;

import io.prescale.adapter.PlannedValue;
import io.prescale.adapter.ServedMetric;
import io.prescale.controller.api.v1alpha1.Amount;
import io.prescale.controller.api.v1alpha1.ConditionStatus;
import io.prescale.controller.api.v1alpha1.MetricEntry;
import io.prescale.controller.api.v1alpha1.MetricStatus;
import io.prescale.controller.api.v1alpha1.PlanPoint;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.api.v1alpha1.StatusCondition;
import io.prescale.controller.operator.hpa.HpaWish;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads the values to serve from the status of a PredictiveHPA. */
final class ServedFromStatus {
  private static final long DEFAULT_FRESH_SECONDS = 120;

  private ServedFromStatus() {}

  /**
   * What is published for one metric.
   *
   * @param value the last computed value
   * @param problem why there is no newer one
   */
  record Published(Optional<ServedMetric> value, Optional<String> problem) {}

  /** What is published for its metrics. */
  static Map<String, Published> of(PredictiveHPA resource) {
    var labels = labels(resource.getMetadata().getName());
    var all = new LinkedHashMap<String, Published>();
    metrics(resource).forEach(metric -> all.put(metric, published(resource, metric, labels)));
    return all;
  }

  /**
   * The names of the spec's metrics, in its order. While it cannot be read, the status's: the
   * values that they had before age and are then refused.
   */
  static Stream<String> metrics(PredictiveHPA resource) {
    if (resource.unreadable().isEmpty()) {
      return resource.getSpec().forecastMetrics().stream().map(MetricEntry::name);
    }
    return Stream.ofNullable(resource.getStatus())
        .flatMap(status -> status.metrics().stream())
        .map(MetricStatus::name);
  }

  /** The labels by which the HPA selects the values of one PredictiveHPA. */
  static SortedMap<String, String> labels(String predictiveHpa) {
    return new TreeMap<>(Map.of(HpaWish.SELECTOR_LABEL, predictiveHpa));
  }

  private static Published published(
      PredictiveHPA resource, String metric, SortedMap<String, String> labels) {
    var status = status(resource, metric);
    var value = status.flatMap(known -> value(known, labels));
    var error = resource.unreadable().or(() -> status.map(MetricStatus::lastError));
    if (value.isEmpty() && error.isEmpty()) {
      return new Published(value, Optional.of(whyNothing(resource)));
    }
    return new Published(value, error);
  }

  private static Optional<MetricStatus> status(PredictiveHPA resource, String metric) {
    return resource.getStatus() == null
        ? Optional.empty()
        : resource.getStatus().metrics().stream()
            .filter(status -> status.name().equals(metric))
            .findFirst();
  }

  private static Optional<ServedMetric> value(
      MetricStatus status, SortedMap<String, String> labels) {
    var milli = Amount.milli(status.served());
    var at = status.servedAt();
    if (milli.isEmpty() || at == null) {
      return Optional.empty();
    }
    var fresh = Duration.ofSeconds(positive(status.freshSeconds(), DEFAULT_FRESH_SECONDS));
    var ttl = Duration.ofSeconds(positive(status.ttlSeconds(), fresh.toSeconds()));
    return Optional.of(
        new ServedMetric(
            labels,
            milli.get(),
            at,
            0,
            planned(status.plan()),
            fresh,
            ttl.compareTo(fresh) < 0 ? fresh : ttl,
            Amount.milli(status.floor()).orElse(0L)));
  }

  private static List<PlannedValue> planned(List<PlanPoint> plan) {
    return plan.stream()
        .flatMap(
            point ->
                Amount.milli(point.value()).stream()
                    .map(milli -> new PlannedValue(point.at(), milli)))
        .toList();
  }

  private static long positive(@Nullable Long seconds, long otherwise) {
    return seconds == null || seconds < 0 ? otherwise : seconds;
  }

  /** The message of the condition that explains why no value was computed yet. */
  private static String whyNothing(PredictiveHPA resource) {
    var conditions =
        resource.getStatus() == null
            ? Stream.<StatusCondition>empty()
            : resource.getStatus().conditions().stream();
    return conditions
        .filter(condition -> condition.status() != ConditionStatus.True)
        .map(StatusCondition::message)
        .filter(Objects::nonNull)
        .filter(message -> !message.isBlank())
        .findFirst()
        .orElse("no value has been computed yet");
  }
}
