package io.prescale.controller.simulation.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.CharacterEscapes;
import io.prescale.controller.simulation.replay.PolicyRun;
import io.prescale.controller.simulation.replay.ReplayResult;
import io.prescale.controller.simulation.replay.Tick;
import java.io.IOException;
import java.io.StringWriter;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The data that the page's script draws, as JSON that is safe inside a script element. Values per
 * minute are {@link Column}s; {@code overloaded} holds pairs of minutes, from (inclusive) and to
 * (exclusive).
 */
final class ChartData {

  private static final JsonFactory JSON = new JsonFactory();

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
    var text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(text)) {
      json.setCharacterEscapes(new ScriptEscapes());
      json.writeStartObject();
      json.writeNumberField("start", result.trace().start().getEpochSecond());
      json.writeNumberField("minutes", result.trace().minutes());
      json.writeNumberField("scoredFrom", result.trace().scoredFrom());
      json.writeNumberField("lead", minutes.leadMinutes());
      json.writeNumberField("window", minutes.windowMinutes());
      json.writeStringField("zone", Figures.zone(about.zone()));
      json.writeStringField("subject", Markup.wellFormed(about.policy()));
      List<Tick> demand = result.runs().getLast().ticks();
      column(json, "demand", demand, Tick::observed);
      json.writeStringField("needed", needed(demand));
      json.writeArrayFieldStart("runs");
      for (PolicyRun run : result.runs()) {
        run(json, run);
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    return text.toString();
  }

  private String needed(List<Tick> ticks) {
    return Column.of(
        ticks.size(),
        i -> {
          double demand = ticks.get(i).observed();
          return Double.isNaN(demand) ? "" : Integer.toString(minutes.needed(demand));
        });
  }

  private void run(JsonGenerator json, PolicyRun run) throws IOException {
    json.writeStartObject();
    json.writeStringField("policy", Markup.wellFormed(run.outcome().policy()));
    List<Tick> ticks = run.ticks();
    integers(json, "desired", ticks.stream().mapToInt(Tick::desiredReplicas).toArray());
    integers(json, "ready", ticks.stream().mapToInt(Tick::readyReplicas).toArray());
    json.writeArrayFieldStart("overloaded");
    for (ScoredMinutes.Stretch stretch : minutes.overloaded(run)) {
      json.writeNumber(stretch.from());
      json.writeNumber(stretch.to());
    }
    json.writeEndArray();
    if (run.outcome().coverage().isPresent()) {
      column(json, "served", ticks, Tick::served);
      column(json, "p50", ticks, Tick::p50);
      column(json, "p90", ticks, Tick::p90);
      column(json, "p95", ticks, Tick::p95);
      column(json, "p99", ticks, Tick::p99);
    }
    var why = new RationaleColumns(run);
    if (!why.areEmpty()) {
      json.writeFieldName("why");
      why.write(json);
    }
    json.writeEndObject();
  }

  private static void integers(JsonGenerator json, String name, int[] values) throws IOException {
    json.writeStringField(name, Column.ofIntegers(values.length, i -> values[i]));
  }

  private static void column(
      JsonGenerator json, String name, List<Tick> ticks, ToDoubleFunction<Tick> value)
      throws IOException {
    json.writeStringField(
        name, Column.ofMeasurements(ticks.size(), i -> value.applyAsDouble(ticks.get(i))));
  }
}
