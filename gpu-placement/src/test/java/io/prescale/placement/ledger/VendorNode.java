package io.prescale.placement.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.inventory.HamiAnnotations;
import io.prescale.placement.inventory.NodeFacts;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.inventory.Pods;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A ledger of one node, n, with cards of some vendor. */
final class VendorNode {
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

  final Ledger ledger = new Ledger(10);

  Candidates offer(PodFacts pod) {
    ledger.seen(pod);
    return ledger.candidates(pod, List.of("n"), true, NOW, _ -> 0);
  }

  /** Binds a pod and observes it; returns what was written into it. */
  Map<String, String> bound(PodFacts pod) {
    assertThat(offer(pod)).isEqualTo(new Candidates.Nodes(List.of("n")));
    var bind = (Decision.Bind) ledger.decide(pod.uid(), "n", NOW);
    var chosen = bind.cards().orElseThrow();
    var annotations = HamiAnnotations.of(chosen.family(), chosen.devices(), "n", NOW);
    ledger.seen(Pods.bound(pod, "n", annotations));
    return annotations;
  }

  String refusal(PodFacts pod) {
    return ((Candidates.Nowhere) offer(pod)).reasons().getOrDefault("n", "");
  }

  /**
   * A pod of one container.
   *
   * @param resources such as {@code amd.com/gpu=1 amd.com/gpumem=1024}
   */
  static PodFacts asking(String name, String resources) {
    return Pods.asking(name, amounts(resources));
  }

  static Map<String, Long> amounts(String resources) {
    var asked = new HashMap<String, Long>();
    for (var resource : resources.split(" ", -1)) {
      var parts = resource.split("=", 2);
      asked.put(parts[0], Long.parseLong(parts[1]));
    }
    return asked;
  }

  static NodeFacts offering(Map<String, Long> allocatable) {
    return new NodeFacts("n", Map.of(), Map.of(), allocatable, true, false);
  }
}
