package io.prescale.placement.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.inventory.Nodes;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.inventory.Pods;
import io.prescale.placement.queue.QueueEntry;
import io.prescale.placement.queue.Quota;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** A ledger of one node with eight cards of 80 GiB, and pods of queues on it. */
final class QueuedNode {
  static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

  /** A card, in thousandths. */
  static final int GPU = 1000;

  static final String RECORD = "hami.io/vgpu-devices-allocated";
  static final List<String> NODES = List.of("a");

  final Ledger ledger = new Ledger(10);

  /** As they were seen once they were bound. */
  final List<PodFacts> bound = new ArrayList<>();

  QueuedNode() {
    ledger.seen(Nodes.a100("a", 8));
  }

  static QueueEntry queue(String name, Quota quota) {
    return new QueueEntry(name, Optional.empty(), quota);
  }

  static PodFacts asking(String name, String queue) {
    return Pods.inQueue(Pods.asking(name, Map.of("nvidia.com/gpu", 1L)), queue, NOW);
  }

  List<PodFacts> waiting(String queue, int pods) {
    return IntStream.range(0, pods)
        .mapToObj(i -> asking(queue + i, queue))
        .peek(ledger::seen)
        .toList();
  }

  Candidates ask(PodFacts pod, Instant now) {
    return ledger.candidates(pod, NODES, true, now, _ -> 0);
  }

  boolean bind(PodFacts pod, Instant now) {
    if (!(ask(pod, now) instanceof Candidates.Nodes)) {
      return false;
    }
    assertThat(ledger.decide(pod.uid(), "a", now)).isInstanceOf(Decision.Bind.class);
    var card = ledger.uses().stream().filter(use -> holds(use, pod)).findFirst().orElseThrow();
    var seen =
        Pods.inQueue(
            Pods.bound(pod, "a", Map.of(RECORD, card.uuid() + ",NVIDIA,81920,100:;")),
            pod.queue().orElseThrow(),
            NOW);
    ledger.seen(seen);
    bound.add(seen);
    return true;
  }

  private static boolean holds(CardUse use, PodFacts pod) {
    return use.parts().stream().anyMatch(part -> part.holder().equals(pod.uid()));
  }

  long bindAll(List<PodFacts> pods, Instant now) {
    return pods.stream().filter(pod -> bind(pod, now)).count();
  }
}
