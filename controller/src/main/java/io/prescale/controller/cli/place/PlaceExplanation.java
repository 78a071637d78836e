package io.prescale.controller.cli.place;

import io.prescale.controller.place.PodOutcome;
import io.prescale.placement.cluster.GpuShare;
import io.prescale.placement.cluster.Placement;
import java.util.ArrayList;
import java.util.List;

/** Explains where a pod is placed, or why it is refused. */
record PlaceExplanation(PodOutcome outcome) {

  List<String> lines() {
    var lines = new ArrayList<String>();
    lines.add("%s requests %s.".formatted(outcome.request().name(), outcome.request().shape()));
    switch (outcome) {
      case PodOutcome.Running running -> addPlace("It runs on", running.placement(), lines);
      case PodOutcome.Placed placed -> addChoice(placed, lines);
      case PodOutcome.Reclaimed reclaimed -> addVictims(reclaimed, lines);
      case PodOutcome.Evicted evicted -> {
        addPlace("It is evicted from", evicted.from(), lines);
        lines.add("Why: to make room for %s.".formatted(evicted.claimant().name()));
        evicted.place().ifPresent(place -> addPlace("It is placed again on", place, lines));
      }
      case PodOutcome.Refused refused -> addRefusal(refused, lines);
    }
    return lines;
  }

  private static void addPlace(String verb, Placement placement, List<String> lines) {
    lines.add("%s %s.".formatted(verb, placement.node()));
    placement.shares().forEach(share -> lines.add("  " + words(share)));
  }

  private static void addVictims(PodOutcome.Reclaimed reclaimed, List<String> lines) {
    addPlace("It is placed on", reclaimed.placement(), lines);
    lines.add(
        "Why: it fits only if these pods are evicted, %s:"
            .formatted(
                reclaimed.isProvenLeast()
                    ? "and fewer do not suffice"
                    : "and no smaller set was found"));
    reclaimed.victims().forEach(victim -> lines.add("  " + victim.name()));
  }

  private static void addChoice(PodOutcome.Placed placed, List<String> lines) {
    addPlace("It is placed on", placed.placement(), lines);
    lines.add("Why: %s.".formatted(placed.choice().sentence()));
    placed
        .choice()
        .costs()
        .forEach(cost -> lines.add("  %s: %s".formatted(cost.preference(), cost.words())));
  }

  private static String words(GpuShare share) {
    return "card %d (%s): %d/1000 of its compute, %s%s"
        .formatted(
            share.card(),
            share.uuid(),
            share.computeMilli(),
            share.memoryMib() == 0 ? "memory unknown" : "%,d MiB".formatted(share.memoryMib()),
            share
                .mig()
                .map(slot -> ", MIG %s from slice %d".formatted(slot.profile(), slot.start()))
                .orElse(""));
  }

  private static void addRefusal(PodOutcome.Refused refused, List<String> lines) {
    lines.add("It is refused: %s.".formatted(refused.summary()));
    refused
        .nodes()
        .forEach(node -> lines.add("  %s %s".formatted(node.node(), node.reason().phrase(1))));
  }
}
