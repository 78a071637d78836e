package io.prescale.placement.ledger;

import io.prescale.placement.cluster.Gpu;
import io.prescale.placement.inventory.DemandReader;
import io.prescale.placement.inventory.PodDemand;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.ledger.Holding.State;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads what moves need to know. */
record MoveReader(
    Fleet fleet,
    Holdings holdings,
    WaitingPods waiting,
    QueueAccounts queues,
    DemandReader reader,
    PodGroups groups,
    CardKeeping kept,
    RequestsInUse requests) {
  /** As {@link Ledger#moveFacts}. */
  MoveFacts read() {
    waiting.beginRecordingAsks();
    return new MoveFacts(
        fleet.cluster(),
        holdings.all().flatMap(this::held).toList(),
        wanting(),
        waiting.all().map(PodFacts::uid).collect(Collectors.toSet()),
        sickCards(),
        kept.forClaims(),
        requests.workload());
  }

  private Stream<MoveFacts.Held> held(Holding holding) {
    return holding.state() == State.SEEN && holding.placement().isPresent()
        ? cards(reader.read(holding.pod())).stream()
            .map(
                demand ->
                    new MoveFacts.Held(
                        holding.pod(),
                        demand.shape(),
                        groups.gangOf(holding.pod()),
                        mayReturn(holding.pod())))
        : Stream.of();
  }

  private Set<String> sickCards() {
    return fleet
        .cluster()
        .nodes()
        .flatMap(
            node ->
                node.spec().gpus().stream()
                    .filter(card -> fleet.isSick(node.name(), card))
                    .map(Gpu::uuid))
        .collect(Collectors.toSet());
  }

  /** Once it has left, its queue must be owed what it had; otherwise another one may get it. */
  private boolean mayReturn(PodFacts pod) {
    return queues
        .balance()
        .map(
            balance ->
                queues.chargeFor(pod.uid()).stream().anyMatch(it -> balance.isOwed(it.queue(), 0)))
        .orElse(true);
  }

  private static Optional<PodDemand.Cards> cards(PodDemand demand) {
    return demand instanceof PodDemand.Cards cards ? Optional.of(cards) : Optional.empty();
  }

  /** Members of gangs are left out: room for one of them is of no use. */
  private List<MoveFacts.Wanting> wanting() {
    return waiting
        .inOrder(
            refused ->
                !refused.heldBack()
                    && groups.gangOf(refused.pod()).isEmpty()
                    && !kept.isForClaimOf(refused.pod()))
        .stream()
        .flatMap(refused -> wanting(refused).stream())
        .toList();
  }

  private Optional<MoveFacts.Wanting> wanting(WaitingPods.Refused refused) {
    return waiting
        .nodesAskedFor(refused.pod().uid())
        .flatMap(
            nodes ->
                cards(refused.demand())
                    .map(demand -> new MoveFacts.Wanting(refused.pod(), demand.shape(), nodes)));
  }
}
