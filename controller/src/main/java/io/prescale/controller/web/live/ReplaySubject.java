package io.prescale.controller.web.live;

import io.prescale.controller.autoscaling.ForecastSettings;
import io.prescale.controller.demand.source.MetricQuery;
import io.prescale.controller.operator.LeadingQuery;
import io.prescale.controller.schedules.Schedules;
import io.prescale.controller.simulation.replay.Caution;
import io.prescale.controller.simulation.replay.ReplaySettings;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The subject of a replay, or of a forecast of the next day.
 *
 * @param metrics the demands to replay, at least one
 * @param settings settings of the HPA and of cold starts; the capacity is that of the first metric
 * @param caution how cautiously it is decided
 * @param forecast how demand is forecast: its time zone and declared events
 * @param schedules floors and ceilings by the clock
 * @param cardsPerReplica cards, or parts of them, that a replica asks for; empty if unknown
 * @param source where the demand comes from, for the report
 */
public record ReplaySubject(
    List<RecordedMetric> metrics,
    ReplaySettings settings,
    Caution caution,
    ForecastSettings forecast,
    Schedules schedules,
    OptionalDouble cardsPerReplica,
    String source) {

  /**
   * A demand that is recorded.
   *
   * @param query query for the demand by the minute
   * @param capacityPerReplica demand that one ready replica carries
   * @param leading series that may show the demand before it comes
   */
  public record RecordedMetric(
      String name, MetricQuery query, double capacityPerReplica, List<LeadingQuery> leading) {
    /** A demand that no other series leads. */
    public RecordedMetric(String name, MetricQuery query, double capacityPerReplica) {
      this(name, query, capacityPerReplica, List.of());
    }

    public RecordedMetric {
      leading = List.copyOf(leading);
    }
  }

  public ReplaySubject {
    metrics = List.copyOf(metrics);
    if (metrics.isEmpty()) {
      throw new IllegalArgumentException("nothing to replay from " + source);
    }
  }

  /** The metric of a name, or the first. */
  Optional<RecordedMetric> metric(Optional<String> name) {
    return metrics.stream()
        .filter(it -> name.isEmpty() || it.name().equals(name.get()))
        .findFirst();
  }
}
