package io.prescale.controller.demand.source;

import io.prescale.controller.autoscaling.Reading;
import io.prescale.controller.demand.prometheus.RangeAnswer.Latest;
import io.prescale.forecasting.TimeSeries;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Where metrics come from. Every future completes within a limit of time, and none exceptionally: a
 * failure is an answer too.
 */
public interface MetricSource {
  /**
   * The samples after {@code after}, up to {@code now}.
   *
   * @param after the time of the newest sample that is known
   */
  CompletableFuture<Reading> read(MetricQuery query, Instant after, Instant now);

  /** The newest value of every series that a query finds, of up to some thousand. */
  CompletableFuture<LatestReading> latest(MetricQuery query, Instant now);

  /** The history from {@code from} to {@code to}, on the grid that the control loop wants. */
  CompletableFuture<HistoryReading> history(MetricQuery query, Instant from, Instant to);

  /** The answer to a request for the newest values. */
  sealed interface LatestReading {
    /** As many as the query finds, perhaps none. */
    record Found(List<Latest> series) implements LatestReading {
      public Found {
        series = List.copyOf(series);
      }
    }

    /** No answer, and why. */
    record NotFound(Reading.Missing missing) implements LatestReading {}
  }

  /** The answer to a request for a history. */
  sealed interface HistoryReading {
    /** One series; its steps begin at whole multiples of the step since the epoch. */
    record Found(TimeSeries series) implements HistoryReading {}

    /** None, and why. */
    record NotFound(Reading.Missing missing) implements HistoryReading {}
  }
}
