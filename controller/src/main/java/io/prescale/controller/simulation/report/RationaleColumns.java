package io.prescale.controller.simulation.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.prescale.controller.autoscaling.ScalingDecision.Reason;
import io.prescale.controller.simulation.replay.PolicyRun;
import io.prescale.controller.simulation.replay.Rationale;
import io.prescale.forecasting.online.ForecastParts;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * The reasons of a policy's decisions as {@link Column}s: the index of the reason, the probability
 * of a shortage in percent, the parts of the forecast, and the share of each forecaster in percent.
 * The correction by the models is left out: it is the median minus the other parts.
 */
final class RationaleColumns {

  private static final List<Reason> REASONS = List.of(Reason.values());

  private final List<Optional<Rationale>> rationales;

  RationaleColumns(PolicyRun run) {
    this.rationales = run.rationales();
  }

  boolean areEmpty() {
    return rationales.stream().allMatch(Optional::isEmpty);
  }

  void addTo(ObjectNode json) {
    ArrayNode reasons = json.putArray("reasons");
    REASONS.forEach(reason -> reasons.add(reason.name()));
    json.put("reason", column(it -> REASONS.indexOf(it.decision().reason())))
        .put(
            "risk",
            column(it -> percent(it.decision().shortageProbability().orElse(Double.NaN), 10)))
        .put("level", partColumn(ForecastParts::level))
        .put("season", partColumn(ForecastParts::season))
        .put("event", partColumn(ForecastParts::event))
        .put("calibration", partColumn(ForecastParts::calibration));
    ObjectNode shares = json.putObject("shares");
    for (String forecaster : forecasters()) {
      shares.put(
          Markup.wellFormed(forecaster), partColumn(parts -> percent(share(parts, forecaster), 1)));
    }
  }

  private List<String> forecasters() {
    return rationales.stream()
        .flatMap(it -> it.flatMap(Rationale::parts).stream())
        .flatMap(parts -> parts.weights().stream())
        .map(ForecastParts.Weight::forecaster)
        .distinct()
        .sorted()
        .toList();
  }

  private static double share(ForecastParts parts, String forecaster) {
    return parts.weights().stream()
        .filter(weight -> weight.forecaster().equals(forecaster))
        .mapToDouble(ForecastParts.Weight::share)
        .sum();
  }

  /** Converts to percent, rounded to a fraction of a percent. */
  private static double percent(double share, int parts) {
    return Double.isNaN(share) ? share : (double) Math.round(100 * parts * share) / parts;
  }

  private String column(ToDoubleFunction<Rationale> value) {
    return Column.ofMeasurements(
        rationales.size(), i -> rationales.get(i).map(value::applyAsDouble).orElse(Double.NaN));
  }

  private String partColumn(ToDoubleFunction<ForecastParts> value) {
    return column(it -> it.parts().map(value::applyAsDouble).orElse(Double.NaN));
  }
}
