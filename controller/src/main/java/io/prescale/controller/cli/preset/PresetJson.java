package io.prescale.controller.cli.preset;

import com.fasterxml.jackson.core.JsonGenerator;
import io.prescale.controller.cli.terminal.JsonText;
import io.prescale.controller.demand.preset.CapacityProposal;
import io.prescale.controller.demand.preset.Preset;
import io.prescale.controller.demand.preset.PresetQuery;
import java.io.IOException;
import java.io.Writer;
import java.util.List;

/** Writes presets and proposals as JSON. */
final class PresetJson {

  private PresetJson() {}

  static void writeList(List<Preset> presets, Writer out) throws IOException {
    var json = start(out);
    json.writeArrayFieldStart("presets");
    for (var preset : presets) {
      json.writeStartObject();
      json.writeStringField("name", preset.name().text());
      json.writeStringField("server", preset.server());
      json.writeEndObject();
    }
    json.writeEndArray();
    end(json);
  }

  static void write(Preset preset, PresetQuery query, String promql, Writer out)
      throws IOException {
    var json = start(out);
    json.writeStringField("name", preset.name().text());
    json.writeStringField("server", preset.server());
    json.writeStringField("query", promql);
    json.writeStringField("measures", query.measures());
    json.writeStringField("unit", query.unit());
    json.writeStringField("model_selects", preset.modelSelects());
    json.writeArrayFieldStart("traps");
    for (var trap : preset.traps()) {
      json.writeString(trap);
    }
    json.writeEndArray();
    end(json);
  }

  static void write(CapacityProposal proposal, PresetQuery query, Writer out) throws IOException {
    var evidence = proposal.evidence();
    var json = start(out);
    json.writeFieldName("average_value");
    if (proposal.perReplica().isPresent()) {
      json.writeString(PresetText.quantity(proposal.perReplica().getAsDouble()));
    } else {
      json.writeNull();
    }
    json.writeStringField("unit", query.unit());
    json.writeStringField("confidence", PresetText.confidence(proposal));
    json.writeNumberField("window_seconds", evidence.window().toSeconds());
    json.writeNumberField("full_seconds", evidence.full().toSeconds());
    json.writeNumberField("replicas", evidence.replicas());
    json.writeNumberField("lowest", evidence.lowest());
    json.writeNumberField("highest", evidence.highest());
    json.writeNumberField("most_seen", evidence.mostSeen().orElse(0));
    end(json);
  }

  private static JsonGenerator start(Writer out) throws IOException {
    var json = JsonText.to(out);
    json.writeStartObject();
    return json;
  }

  private static void end(JsonGenerator json) throws IOException {
    json.writeEndObject();
    json.writeRaw('\n');
    json.flush();
  }
}
