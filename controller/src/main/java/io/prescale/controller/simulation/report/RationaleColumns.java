package io.prescale.controller.simulation.report;

import com.fasterxml.jackson.core.JsonGenerator;
import io.prescale.controller.autoscaling.ScalingDecision.Reason;
import io.prescale.controller.simulation.replay.PolicyRun;
import io.prescale.controller.simulation.replay.Rationale;
import io.prescale.forecasting.online.ForecastParts;
import java.io.IOException;
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

  void write(JsonGenerator json) throws IOException {
    json.writeStartObject();
    json.writeFieldName("reasons");
    String[] reasons = REASONS.stream().map(Reason::name).toArray(String[]::new);
    json.writeArray(reasons, 0, reasons.length);
    json.writeStringField("reason", column(it -> REASONS.indexOf(it.decision().reason())));
    json.writeStringField(
        "risk", column(it -> percent(it.decision().shortageProbability().orElse(Double.NaN), 10)));
    json.writeStringField("level", partColumn(ForecastParts::level));
    json.writeStringField("season", partColumn(ForecastParts::season));
    json.writeStringField("event", partColumn(ForecastParts::event));
    json.writeStringField("calibration", partColumn(ForecastParts::calibration));
    json.writeObjectFieldStart("shares");
    for (String forecaster : forecasters()) {
      json.writeStringField(
          Markup.wellFormed(forecaster), partColumn(parts -> percent(share(parts, forecaster), 1)));
    }
    json.writeEndObject();
    json.writeEndObject();
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
