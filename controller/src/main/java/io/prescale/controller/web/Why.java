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
  public static Why of(String id, Explanation explanation) {
    return new Why(
        id,
        explanation.at(),
        explanation.metric(),
        explanation.observed(),
        explanation.forecast().map(Why::forecast),
        explanation.reason().name(),
        explanation.riskUplift(),
        explanation.shortageProbability(),
        lead(explanation.lead()),
        explanation.served(),
        explanation.capacityPerReplica(),
        explanation.desiredReplicas(),
        new Hpa(
            explanation.hpa().wanted(),
            explanation.hpa().gate().name(),
            explanation.hpa().message()),
        explanation.sentences());
  }

  private static Forecast forecast(ForecastSummary forecast) {
    ForecastParts parts = forecast.parts();
    return new Forecast(
        forecast.origin().plus(forecast.lead()),
        forecast.window().toSeconds(),
        forecast.p50(),
        forecast.p90(),
        forecast.p95(),
        forecast.p99(),
        parts.level(),
        parts.season(),
        parts.correction(),
        parts.event(),
        parts.calibration(),
        parts.weights().stream().map(w -> new Weight(w.forecaster(), w.share())).toList());
  }

  private static Lead lead(LeadTime lead) {
    return new Lead(
        lead.total().toSeconds(),
        lead.source().name(),
        lead.samples(),
        lead.parts().decision().toSeconds(),
        lead.parts().schedule().toSeconds(),
        lead.parts().pull().toSeconds(),
        lead.parts().ready().toSeconds(),
        lead.parts().hpa().toSeconds(),
        lead.parts().scrape().toSeconds());
  }
}
