package io.prescale.controller.web;

import io.prescale.controller.autoscaling.Explanation;
import io.prescale.controller.autoscaling.ForecastSummary;
import io.prescale.controller.autoscaling.LeadTime;
import io.prescale.forecasting.online.ForecastParts;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * One decision from what was observed to what the HPA did, as the page shows it. Numbers are in the
 * unit of the metric.
 *
 * @param reason the rule that made the value
 * @param uplift what the accepted risk adds to the forecast median
 * @param sentences the same in words
 */
public record Why(
    String id,
    Instant at,
    String metric,
    double observed,
    Optional<Forecast> forecast,
    String reason,
    double uplift,
    OptionalDouble shortageProbability,
    Lead lead,
    double served,
    double capacityPerReplica,
    int desiredReplicas,
    Hpa hpa,
    List<String> sentences) {

  /** The forecast: {@code level + season + correction + event} is its median. */
  public record Forecast(
      Instant from,
      long windowSeconds,
      double p50,
      double p90,
      double p95,
      double p99,
      double level,
      double season,
      double correction,
      double event,
      double calibration,
      List<Weight> weights) {}

  /** One forecaster's share. */
  public record Weight(String forecaster, double share) {}

  /** The lead time and its parts in seconds; the parts are all 0 unless they were measured. */
  public record Lead(
      long seconds,
      String source,
      int samples,
      long decision,
      long schedule,
      long pull,
      long ready,
      long hpa,
      long scrape) {}

  /** What the HPA made of the value. */
  public record Hpa(int wanted, String gate, String message) {}

  /** The decision of a workload. */
  public static Why of(String id, Explanation it) {
    return new Why(
        id,
        it.at(),
        it.metric(),
        it.observed(),
        it.forecast().map(Why::forecast),
        it.reason().name(),
        it.riskUplift(),
        it.shortageProbability(),
        lead(it.lead()),
        it.served(),
        it.capacityPerReplica(),
        it.desiredReplicas(),
        new Hpa(it.hpa().wanted(), it.hpa().gate().name(), it.hpa().message()),
        it.sentences());
  }

  private static Forecast forecast(ForecastSummary it) {
    ForecastParts parts = it.parts();
    return new Forecast(
        it.origin().plus(it.lead()),
        it.window().toSeconds(),
        it.p50(),
        it.p90(),
        it.p95(),
        it.p99(),
        parts.level(),
        parts.season(),
        parts.correction(),
        parts.event(),
        parts.calibration(),
        parts.weights().stream().map(w -> new Weight(w.forecaster(), w.share())).toList());
  }

  private static Lead lead(LeadTime it) {
    return new Lead(
        it.total().toSeconds(),
        it.source().name(),
        it.samples(),
        it.parts().decision().toSeconds(),
        it.parts().schedule().toSeconds(),
        it.parts().pull().toSeconds(),
        it.parts().ready().toSeconds(),
        it.parts().hpa().toSeconds(),
        it.parts().scrape().toSeconds());
  }
}
