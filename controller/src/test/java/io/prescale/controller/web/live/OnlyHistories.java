package io.prescale.controller.web.live;

import io.prescale.controller.autoscaling.Reading;
import io.prescale.controller.demand.source.MetricQuery;
import io.prescale.controller.demand.source.MetricSource;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;

/** A source of which nothing but histories is asked. */
interface OnlyHistories extends MetricSource {
  @Override
  default CompletableFuture<Reading> read(MetricQuery query, Instant after, Instant until) {
    throw new UnsupportedOperationException("only histories are read");
  }

  @Override
  default CompletableFuture<LatestReading> latest(MetricQuery query, Instant at) {
    throw new UnsupportedOperationException("only histories are read");
  }
}
