package io.prescale.controller.cli.preset;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.prescale.controller.demand.preset.CapacityProposal;
import io.prescale.controller.demand.preset.Preset;
import io.prescale.controller.demand.preset.PresetQuery;
import java.util.List;

/** Presets and proposals as JSON. */
final class PresetJson {
  private PresetJson() {}

  static ObjectNode list(List<Preset> presets) {
    var json = JsonNodeFactory.instance.objectNode();
    var all = json.putArray("presets");
    presets.forEach(preset -> name(preset, all.addObject()));
    return json;
  }

  private static ObjectNode name(Preset preset, ObjectNode json) {
    return json.put("name", preset.name().text()).put("server", preset.server());
  }

  static ObjectNode of(Preset preset, PresetQuery query, String promql) {
    var json =
        name(preset, JsonNodeFactory.instance.objectNode())
            .put("query", promql)
            .put("measures", query.measures())
            .put("unit", query.unit())
            .put("model_selects", preset.modelSelects());
    preset.traps().forEach(json.putArray("traps")::add);
    return json;
  }

  static ObjectNode of(CapacityProposal proposal, PresetQuery query) {
    var evidence = proposal.evidence();
    var perReplica = proposal.perReplica();
    return JsonNodeFactory.instance
        .objectNode()
        .put(
            "average_value",
            perReplica.isPresent() ? PresetText.quantity(perReplica.getAsDouble()) : null)
        .put("unit", query.unit())
        .put("confidence", PresetText.confidence(proposal))
        .put("window_seconds", evidence.window().toSeconds())
        .put("full_seconds", evidence.full().toSeconds())
        .put("replicas", evidence.replicas())
        .put("lowest", evidence.lowest())
        .put("highest", evidence.highest())
        .put("most_seen", evidence.mostSeen().orElse(0));
  }
}
