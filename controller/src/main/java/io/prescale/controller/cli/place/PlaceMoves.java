package io.prescale.controller.cli.place;

import io.prescale.controller.cli.terminal.Numbers;
import io.prescale.placement.cluster.GpuShare;
import io.prescale.placement.cluster.Placement;
import io.prescale.placement.consolidation.Move;
import io.prescale.placement.consolidation.MovePlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A plan of moves as text.
 *
 * @param wanted the pod to make room for
 */
record PlaceMoves(MovePlan plan, Optional<String> wanted) {

  List<String> lines() {
    var lines = new ArrayList<String>();
    lines.add(plan.moves().isEmpty() ? "No moves." : title());
    for (int i = 0; i < plan.moves().size(); i++) {
      lines.add("  %3d  %s".formatted(i + 1, words(plan.moves().get(i))));
    }
    wanted.ifPresent(pod -> lines.add(verdict(pod)));
    plan.stuck()
        .forEach(
            pod ->
                lines.add(
                    "%s must stay on its unhealthy card on %s: no other place fits."
                        .formatted(pod.request().name(), pod.node())));
    return lines;
  }

  private String title() {
    int count = plan.moves().size();
    return "%s work on %s GPU%s:"
        .formatted(
            count == 1 ? "1 move, which interrupts" : count + " moves, which interrupt",
            Numbers.brief(plan.costMilli() / 1000.0),
            plan.gainMilli() == 0
                ? ""
                : "; fragmentation falls by " + Numbers.brief(plan.gainMilli() / 1000.0));
  }

  private String verdict(String pod) {
    return plan.target()
        .map(place -> "Then %s fits %s.".formatted(pod, words(place)))
        .orElse("No permitted moves make room for %s.".formatted(pod));
  }

  private static String words(Move move) {
    return "%s: %s to %s (%s)"
        .formatted(
            move.from().request().name(),
            words(move.from()),
            words(move.to()),
            switch (move.reason()) {
              case SICK_CARD -> "its card is unhealthy";
              case MAKES_WAY -> "makes way";
              case DEFRAGMENTS -> "reduces fragmentation";
            });
  }

  private static String words(Placement place) {
    var cards =
        place.shares().stream()
            .map(GpuShare::card)
            .map(String::valueOf)
            .collect(Collectors.joining(", "));
    return place.node()
        + (place.shares().isEmpty() ? "" : place.shares().size() == 1 ? " card " : " cards ")
        + cards;
  }
}
