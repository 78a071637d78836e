package io.prescale.controller.cli.forecast;

import com.fasterxml.jackson.core.JsonGenerator;
import io.prescale.controller.cli.terminal.JsonText;
import java.io.IOException;
import java.io.Writer;
import java.util.List;

/** Writes forecasts as CSV and JSON. */
final class ForecastFiles {

  private ForecastFiles() {}

  /**
   * A row for each step of each forecast: {@code origin}, the start of the first step without an
   * observation, and {@code timestamp}, the start of the forecast step, both in Unix seconds; then
   * a column for each quantile of the mean demand during the step.
   */
  static void writeCsv(List<Double> levels, List<Fan> fans, Writer out) throws IOException {
    out.append("origin,timestamp");
    for (double level : levels) {
      out.append(',').append(QuantileLevels.column(level));
    }
    out.append('\n');
    for (var fan : fans) {
      for (int step = 0; step < fan.steps(); step++) {
        out.append(Long.toString(fan.origin().getEpochSecond()));
        out.append(',').append(Long.toString(fan.time(step).getEpochSecond()));
        for (int level = 0; level < levels.size(); level++) {
          out.append(',').append(Double.toString(fan.value(step, level)));
        }
        out.append('\n');
      }
    }
    out.flush();
  }

  /**
   * One object: {@code format} ("prescale-forecast"), {@code version} (1), {@code trace}, {@code
   * step_seconds}, {@code levels}, and {@code forecasts}, each with its {@code origin} (RFC 3339)
   * and its {@code quantiles}: an array for each step, with a value for each level.
   */
  static void writeJson(String trace, List<Double> levels, List<Fan> fans, Writer out)
      throws IOException {
    var json = JsonText.to(out);
    json.writeStartObject();
    json.writeStringField("format", "prescale-forecast");
    json.writeNumberField("version", 1);
    json.writeStringField("trace", trace);
    json.writeNumberField("step_seconds", fans.getFirst().step().toSeconds());
    json.writeFieldName("levels");
    json.writeArray(levels.stream().mapToDouble(level -> level).toArray(), 0, levels.size());
    json.writeArrayFieldStart("forecasts");
    for (var fan : fans) {
      writeFan(json, fan);
    }
    json.writeEndArray();
    json.writeEndObject();
    json.writeRaw('\n');
    json.flush();
  }

  private static void writeFan(JsonGenerator json, Fan fan) throws IOException {
    json.writeStartObject();
    json.writeStringField("origin", fan.origin().toString());
    json.writeArrayFieldStart("quantiles");
    for (int step = 0; step < fan.steps(); step++) {
      json.writeStartArray();
      for (int level = 0; level < fan.levels().size(); level++) {
        json.writeNumber(fan.value(step, level));
      }
      json.writeEndArray();
    }
    json.writeEndArray();
    json.writeEndObject();
  }
}
