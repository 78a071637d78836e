package io.prescale.controller.cli.place;

import com.fasterxml.jackson.core.JsonGenerator;
import io.prescale.controller.cli.terminal.JsonText;
import io.prescale.controller.place.PodOutcome;
import io.prescale.placement.cluster.Placement;
import io.prescale.placement.consolidation.Move;
import java.io.IOException;
import java.io.Writer;
import java.util.Locale;
import java.util.Optional;

/** Writes a report as JSON; docs/reference/place-files.md describes the format. */
record PlaceJson(PlaceReport report, Optional<PlaceMoves> moves) {

  /** Writes the report. The caller closes the writer. */
  void write(Writer out) throws IOException {
    try (var json = JsonText.to(out)) {
      json.writeStartObject();
      json.writeStringField("format", "prescale-place");
      json.writeNumberField("version", 1);
      json.writeNumberField("nodes", report.nodes().size());
      json.writeNumberField("gpus", report.gpus());
      json.writeArrayFieldStart("runs");
      for (var run : report.runs()) {
        write(run, json);
      }
      json.writeEndArray();
      if (moves.isPresent()) {
        write(moves.get(), json);
      }
      json.writeEndObject();
    }
    out.append('\n').flush();
  }

  /** Writes one pod's outcome and its reason. The caller closes the writer. */
  static void write(PodOutcome outcome, Writer out) throws IOException {
    try (var json = JsonText.to(out)) {
      json.writeStartObject();
      json.writeStringField("format", "prescale-place-explanation");
      json.writeNumberField("version", 1);
      writeFields(outcome, json);
      switch (outcome) {
        case PodOutcome.Placed placed -> {
          json.writeStringField("why", placed.choice().sentence());
          json.writeObjectFieldStart("costs");
          for (var cost : placed.choice().costs()) {
            json.writeNumberField(cost.preference(), cost.cost());
          }
          json.writeEndObject();
        }
        case PodOutcome.Refused refused -> {
          json.writeObjectFieldStart("nodes");
          for (var node : refused.nodes()) {
            json.writeStringField(node.node(), node.reason().phrase(1));
          }
          json.writeEndObject();
        }
        case PodOutcome.Running _, PodOutcome.Reclaimed _, PodOutcome.Evicted _ -> {}
      }
      json.writeEndObject();
    }
    out.append('\n').flush();
  }

  private static void write(PlaceReport.Run run, JsonGenerator json) throws IOException {
    json.writeStartObject();
    json.writeStringField("policy", run.policy());
    json.writeNumberField("placed", run.placed());
    json.writeNumberField("refused", run.refused().size());
    json.writeNumberField("evicted", run.evicted());
    json.writeNumberField("returned", run.returned());
    json.writeNumberField("allocated_milli", run.allocatedMilli());
    json.writeNumberField("fragmented_milli", run.fragmentedMilli());
    json.writeNumberField("decisions_per_second", Math.round(run.decisionsPerSecond()));
    json.writeArrayFieldStart("pods");
    for (var outcome : run.outcomes()) {
      json.writeStartObject();
      writeFields(outcome, json);
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void writeFields(PodOutcome outcome, JsonGenerator json) throws IOException {
    json.writeStringField("pod", outcome.request().name());
    json.writeStringField("outcome", word(outcome));
    if (outcome.place().isPresent()) {
      writePlace(outcome.place().get(), json);
    }
    switch (outcome) {
      case PodOutcome.Running _, PodOutcome.Placed _ -> {}
      case PodOutcome.Reclaimed reclaimed -> {
        json.writeArrayFieldStart("victims");
        for (var victim : reclaimed.victims()) {
          json.writeString(victim.name());
        }
        json.writeEndArray();
        json.writeBooleanField("proven_least", reclaimed.isProvenLeast());
      }
      case PodOutcome.Evicted evicted -> {
        json.writeStringField("evicted_from", evicted.from().node());
        json.writeStringField("evicted_for", evicted.claimant().name());
      }
      case PodOutcome.Refused refused -> json.writeStringField("reason", refused.summary());
    }
  }

  private static String word(PodOutcome outcome) {
    return switch (outcome) {
      case PodOutcome.Running _ -> "running";
      case PodOutcome.Placed _ -> "placed";
      case PodOutcome.Reclaimed _ -> "reclaimed";
      case PodOutcome.Evicted _ -> "evicted";
      case PodOutcome.Refused _ -> "refused";
    };
  }

  private static void writePlace(Placement place, JsonGenerator json) throws IOException {
    json.writeStringField("node", place.node());
    json.writeArrayFieldStart("cards");
    for (var share : place.shares()) {
      json.writeStartObject();
      json.writeNumberField("card", share.card());
      json.writeStringField("uuid", share.uuid());
      json.writeNumberField("compute_milli", share.computeMilli());
      json.writeNumberField("memory_mib", share.memoryMib());
      if (share.mig().isPresent()) {
        json.writeStringField("mig", share.mig().get().profile());
        json.writeNumberField("mig_slice", share.mig().get().start());
      }
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void write(PlaceMoves moves, JsonGenerator json) throws IOException {
    var plan = moves.plan();
    json.writeObjectFieldStart("moves");
    json.writeNumberField("cost_milli", plan.costMilli());
    json.writeNumberField("gain_milli", plan.gainMilli());
    json.writeArrayFieldStart("steps");
    for (var move : plan.moves()) {
      write(move, json);
    }
    json.writeEndArray();
    if (plan.target().isPresent()) {
      json.writeObjectFieldStart("then");
      json.writeStringField("pod", plan.target().get().request().name());
      writePlace(plan.target().get(), json);
      json.writeEndObject();
    }
    json.writeArrayFieldStart("stuck");
    for (var pod : plan.stuck()) {
      json.writeString(pod.request().name());
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void write(Move move, JsonGenerator json) throws IOException {
    json.writeStartObject();
    json.writeStringField("pod", move.from().request().name());
    json.writeStringField("reason", move.reason().name().toLowerCase(Locale.ROOT));
    json.writeNumberField("cost_milli", move.costMilli());
    json.writeNumberField("gain_milli", move.gainMilli());
    json.writeObjectFieldStart("from");
    writePlace(move.from(), json);
    json.writeEndObject();
    json.writeObjectFieldStart("to");
    writePlace(move.to(), json);
    json.writeEndObject();
    json.writeEndObject();
  }
}
