package io.prescale.controller.simulation.report;

import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.CharacterEscapes;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.prescale.controller.simulation.replay.PolicyRun;
import io.prescale.controller.simulation.replay.Quantiles;
import io.prescale.controller.simulation.replay.ReplayResult;
import io.prescale.controller.simulation.replay.Tick;
import java.io.IOException;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The data that the page's script draws, as JSON that is safe inside a script element. Values per
 * minute are {@link Column}s; {@code overloaded} holds pairs of minutes, from (inclusive) and to
 * (exclusive).
 */
final class ChartData {

  private static final ObjectWriter JSON = new ObjectMapper().writer(new ScriptEscapes());

  private final ReplayResult result;
  private final ReportSubject about;
  private final ScoredMinutes minutes;

  ChartData(ReplayResult result, ReportSubject about) {
    this.result = result;
    this.about = about;
    this.minutes = new ScoredMinutes(result);
  }

  /** {@code <} and {@code &} as \\u escapes, so that text cannot end the script element. */
  private static final class ScriptEscapes extends CharacterEscapes {
    private static final long serialVersionUID = 1;

    private final int[] escapes = CharacterEscapes.standardAsciiEscapesForJSON();

    ScriptEscapes() {
      escapes['<'] = CharacterEscapes.ESCAPE_STANDARD;
      escapes['>'] = CharacterEscapes.ESCAPE_STANDARD;
      escapes['&'] = CharacterEscapes.ESCAPE_STANDARD;
    }

    @Override
    public int[] getEscapeCodesForAscii() {
      return escapes.clone();
    }

    @Override
    public @Nullable SerializableString getEscapeSequence(int ch) {
      return null;
    }
  }

  String json() throws IOException {
    List<Tick> demand = result.runs().getLast().ticks();
    var json =
        JsonNodeFactory.instance
            .objectNode()
            .put("start", result.trace().start().getEpochSecond())
            .put("minutes", result.trace().minutes())
            .put("scoredFrom", result.trace().scoredFrom())
            .put("lead", result.settings().leadMinutes())
            .put("window", result.settings().windowMinutes())
            .put("zone", Figures.zone(about.zone()))
            .put("subject", Markup.wellFormed(about.policy()))
            .put("demand", column(demand, Tick::observed))
            .put("needed", needed(demand));
    ArrayNode runs = json.putArray("runs");
    result.runs().forEach(run -> add(run, runs.addObject()));
    return JSON.writeValueAsString(json);
  }

  private String needed(List<Tick> ticks) {
    return Column.of(
        ticks.size(),
        i -> {
          var demand = ticks.get(i).observed();
          return demand.isPresent() ? Integer.toString(minutes.needed(demand.getAsDouble())) : "";
        });
  }

  private void add(PolicyRun run, ObjectNode json) {
    List<Tick> ticks = run.ticks();
    json.put("policy", Markup.wellFormed(run.outcome().policy()))
        .put("desired", Column.ofIntegers(ticks.size(), i -> ticks.get(i).desiredReplicas()))
        .put("ready", Column.ofIntegers(ticks.size(), i -> ticks.get(i).readyReplicas()));
    ArrayNode overloaded = json.putArray("overloaded");
    minutes.overloaded(run).forEach(it -> overloaded.add(it.from()).add(it.to()));
    if (run.outcome().coverage().isPresent()) {
      json.put("served", column(ticks, Tick::served))
          .put("p50", column(ticks, tick -> tick.quantile(Quantiles::p50)))
          .put("p90", column(ticks, tick -> tick.quantile(Quantiles::p90)))
          .put("p95", column(ticks, tick -> tick.quantile(Quantiles::p95)))
          .put("p99", column(ticks, tick -> tick.quantile(Quantiles::p99)));
    }
    var why = new RationaleColumns(run);
    if (!why.areEmpty()) {
      why.addTo(json.putObject("why"));
    }
  }

  private static String column(List<Tick> ticks, Function<Tick, OptionalDouble> value) {
    return Column.ofMeasurements(ticks.size(), i -> value.apply(ticks.get(i)).orElse(Double.NaN));
  }
}
