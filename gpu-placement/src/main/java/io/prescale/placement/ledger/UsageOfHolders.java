package io.prescale.placement.ledger;

import io.prescale.placement.cluster.GpuNode;
import io.prescale.placement.cluster.Placement;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.overcommit.MemoryUsage;
import io.prescale.placement.overcommit.ObservedMemory;
import io.prescale.placement.overcommit.ObservedMemory.Sharer;
import io.prescale.placement.overcommit.UsageOfCards;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The memory in use on cards, as it was observed of the pods that hold parts of them. */
record UsageOfHolders(ObservedMemory observed, Holdings holdings) implements UsageOfCards {
  @Override
  public List<MemoryUsage> of(GpuNode node, int card) {
    var sharers = new ArrayList<Sharer>();
    UsageOfCards.forEachShare(
        node, card, (placement, promisedMib) -> sharers.add(sharer(placement, promisedMib)));
    return observed.of(node.gpu(card).uuid(), sharers);
  }

  private Sharer sharer(Placement placement, int promisedMib) {
    var pod = holdings.of(placement.request().name()).map(Holding::pod);
    return new Sharer(
        pod.map(PodFacts::namespace).orElse(""),
        pod.map(PodFacts::name).orElse(""),
        pod.map(PodFacts::created).orElse(Instant.MAX),
        promisedMib);
  }
}
