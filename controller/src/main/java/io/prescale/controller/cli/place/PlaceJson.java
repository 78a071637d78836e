package io.prescale.controller.cli.place;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.prescale.controller.place.PodOutcome;
import io.prescale.placement.cluster.Placement;
import io.prescale.placement.consolidation.Move;
import java.util.Locale;
import java.util.Optional;

/** The results of {@code prescale place} as JSON; docs/reference/place-files.md has the format. */
final class PlaceJson {

  private PlaceJson() {}

  static ObjectNode of(PlaceReport report, Optional<PlaceMoves> moves) {
    var json = document("prescale-place");
    json.put("nodes", report.nodes().size()).put("gpus", report.gpus());
    var runs = json.putArray("runs");
    report.runs().forEach(run -> add(run, runs.addObject()));
    moves.ifPresent(plan -> add(plan, json.putObject("moves")));
    return json;
  }

  /** One pod's outcome and its reason. */
  static ObjectNode of(PodOutcome outcome) {
    var json = document("prescale-place-explanation");
    add(outcome, json);
    switch (outcome) {
      case PodOutcome.Placed placed -> {
        json.put("why", placed.choice().sentence());
        var costs = json.putObject("costs");
        placed.choice().costs().forEach(cost -> costs.put(cost.preference(), cost.cost()));
      }
      case PodOutcome.Refused refused -> {
        var nodes = json.putObject("nodes");
        refused.nodes().forEach(node -> nodes.put(node.node(), node.reason().phrase(1)));
      }
      case PodOutcome.Running _, PodOutcome.Reclaimed _, PodOutcome.Evicted _ -> {}
    }
    return json;
  }

  static ObjectNode document(String format) {
    return JsonNodeFactory.instance.objectNode().put("format", format).put("version", 1);
  }

  private static void add(PlaceReport.Run run, ObjectNode json) {
    json.put("policy", run.policy())
        .put("placed", run.placed())
        .put("refused", run.refused().size())
        .put("evicted", run.evicted())
        .put("returned", run.returned())
        .put("allocated_milli", run.allocatedMilli())
        .put("fragmented_milli", run.fragmentedMilli())
        .put("decisions_per_second", Math.round(run.decisionsPerSecond()));
    var pods = json.putArray("pods");
    run.outcomes().forEach(outcome -> add(outcome, pods.addObject()));
  }

  private static void add(PodOutcome outcome, ObjectNode json) {
    json.put("pod", outcome.request().name()).put("outcome", word(outcome));
    outcome.place().ifPresent(place -> add(place, json));
    switch (outcome) {
      case PodOutcome.Running _, PodOutcome.Placed _ -> {}
      case PodOutcome.Reclaimed reclaimed -> {
        var victims = json.putArray("victims");
        reclaimed.victims().forEach(victim -> victims.add(victim.name()));
        json.put("proven_least", reclaimed.isProvenLeast());
      }
      case PodOutcome.Evicted evicted ->
          json.put("evicted_from", evicted.from().node())
              .put("evicted_for", evicted.claimant().name());
      case PodOutcome.Refused refused -> json.put("reason", refused.summary());
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

  private static void add(Placement place, ObjectNode json) {
    var cards = json.put("node", place.node()).putArray("cards");
    for (var share : place.shares()) {
      var card =
          cards
              .addObject()
              .put("card", share.card())
              .put("uuid", share.uuid())
              .put("compute_milli", share.computeMilli())
              .put("memory_mib", share.memoryMib());
      share.mig().ifPresent(slot -> card.put("mig", slot.profile()).put("mig_slice", slot.start()));
    }
  }

  private static void add(PlaceMoves moves, ObjectNode json) {
    var plan = moves.plan();
    json.put("cost_milli", plan.costMilli()).put("gain_milli", plan.gainMilli());
    var steps = json.putArray("steps");
    plan.moves().forEach(move -> add(move, steps.addObject()));
    plan.target()
        .ifPresent(place -> add(place, json.putObject("then").put("pod", place.request().name())));
    var stuck = json.putArray("stuck");
    plan.stuck().forEach(pod -> stuck.add(pod.request().name()));
  }

  private static void add(Move move, ObjectNode json) {
    json.put("pod", move.from().request().name())
        .put("reason", move.reason().name().toLowerCase(Locale.ROOT))
        .put("cost_milli", move.costMilli())
        .put("gain_milli", move.gainMilli());
    add(move.from(), json.putObject("from"));
    add(move.to(), json.putObject("to"));
  }
}
