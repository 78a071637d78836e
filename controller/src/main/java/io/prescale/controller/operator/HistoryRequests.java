package io.prescale.controller.operator;

import io.prescale.controller.autoscaling.ForecastSettings;
import io.prescale.controller.demand.source.MetricQuery;
import io.prescale.controller.demand.source.MetricSource;
import io.prescale.controller.demand.source.MetricSource.HistoryReading;
import io.prescale.forecasting.TimeSeries;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * The histories of a target that are being read. One that cannot be read is asked for again, until
 * it is there. Not thread-safe.
 *
 * @param <K> what identifies a history
 */
final class HistoryRequests<K> {
  /** After how many steps a history that could not be read is requested again. */
  private static final int RETRY_STEPS = 10;

  private final MetricSource source;
  private final ForecastSettings forecast;
  private final Map<K, Request> requests = new LinkedHashMap<>();

  private record Request(Instant retryAt, CompletableFuture<HistoryReading> answer) {}

  HistoryRequests(MetricSource source, ForecastSettings forecast) {
    this.source = source;
    this.forecast = forecast;
  }

  /** Begins to read the history of a query until the step in which {@code now} lies. */
  void request(K key, MetricQuery query, Instant now) {
    var to = forecast.stepBegin(now);
    requests.put(
        key,
        new Request(
            now.plus(forecast.step().multipliedBy(RETRY_STEPS)),
            source.history(query, to.minus(forecast.remember()), to)));
  }

  boolean isWaitedFor(K key) {
    return requests.containsKey(key);
  }

  /**
   * Hands out what has arrived, and asks again for what has failed.
   *
   * @param queries with the current credentials
   */
  void arrived(Function<K, MetricQuery> queries, Instant now, BiConsumer<K, TimeSeries> taker) {
    for (var key : List.copyOf(requests.keySet())) {
      var request = Objects.requireNonNull(requests.get(key));
      if (!request.answer().isDone()) {
        continue;
      }
      switch (request.answer().resultNow()) {
        case HistoryReading.Found(var series) -> {
          taker.accept(key, series);
          requests.remove(key);
        }
        case HistoryReading.NotFound _ -> {
          if (!now.isBefore(request.retryAt())) {
            request(key, queries.apply(key), now);
          }
        }
      }
    }
  }
}
