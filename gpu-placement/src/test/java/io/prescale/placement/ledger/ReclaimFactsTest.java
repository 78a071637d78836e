package io.prescale.placement.ledger;

import static io.prescale.placement.ledger.QueuedNode.GPU;
import static io.prescale.placement.ledger.QueuedNode.NODES;
import static io.prescale.placement.ledger.QueuedNode.NOW;
import static io.prescale.placement.ledger.QueuedNode.asking;
import static io.prescale.placement.ledger.QueuedNode.queue;
import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.cluster.Gpu;
import io.prescale.placement.cluster.GpuHealth;
import io.prescale.placement.inventory.Nearness;
import io.prescale.placement.inventory.NetworkLabels;
import io.prescale.placement.inventory.Nodes;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.inventory.PodSelector;
import io.prescale.placement.inventory.Pods;
import io.prescale.placement.notice.Claimant;
import io.prescale.placement.queue.Quota;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What the ledger says and keeps for taking back, on one node with eight cards. */
class ReclaimFactsTest {
  private static final int MANY = 100;

  private final QueuedNode node = new QueuedNode();
  private final Ledger ledger = node.ledger;

  /** As for a claim for which other pods are taken. */
  @Test
  void keptCardsAreGivenToTheirClaimOnly() {
    ledger.queues(
        List.of(queue("serving", Quota.train(8 * GPU, 1)), queue("batch", Quota.train(0, 1))));
    assertThat(node.bindAll(node.waiting("batch", 4), NOW)).isEqualTo(4);
    var free =
        ledger.uses().stream().filter(use -> use.parts().isEmpty()).map(CardUse::uuid).toList();
    var claim = node.waiting("serving", 1).getFirst();
    ledger.keep(List.of(new KeptCards(Set.of(claim.uid()), Set.copyOf(free))));
    var other = Pods.inQueue(Pods.asking("other", Map.of("nvidia.com/gpu", 1L)), "serving", NOW);
    ledger.seen(other);

    assertThat(node.ask(other, NOW))
        .isEqualTo(new Candidates.Nowhere(Map.of("a", "keeps cards for other pods"), Set.of()));
    assertThat(node.ask(claim, NOW)).isInstanceOf(Candidates.Nodes.class);

    ledger.keep(List.of());

    assertThat(ledger.awaken(MANY, NOW)).containsExactly(other);
  }

  /** The replacement of a pod that moves is bound to them, and a claim would be left without. */
  @Test
  void cardsThatAreBookedForMovesAreClosedToClaims() {
    ledger.queues(List.of(queue("serving", Quota.train(8 * GPU, 1))));
    var card = ledger.uses().getFirst().uuid();
    var mover = new PodSelector("default", Map.of("app", "mover"));
    ledger.keepForMoves(List.of(KeptCards.place(mover, Set.of(card))));

    var facts = ledger.reclaimFacts(ReclaimQuestion.ofClaims(Set.of(), Map.of())).orElseThrow();

    assertThat(facts.cluster().nodes().flatMap(it -> it.spec().gpus().stream()))
        .filteredOn(gpu -> gpu.health().state() != GpuHealth.State.USABLE)
        .extracting(Gpu::uuid)
        .containsExactly(card);
    assertThat(ledger.cluster().nodes().flatMap(it -> it.spec().gpus().stream()))
        .allMatch(gpu -> gpu.health().state() == GpuHealth.State.USABLE);
  }

  /** Otherwise the last of what a queue has borrowed could not be taken back. */
  @Test
  void aShareIsAsLargeWhereItIsChargedAsWhereItIsTaken() {
    ledger.queues(List.of(queue("batch", Quota.train(0, 1))));
    var share = Pods.asking("p", Map.of("nvidia.com/gpu", 1L, "nvidia.com/gpumem", 27_000L));
    var record = Map.of(QueuedNode.RECORD, "GPU-a-0,NVIDIA,27000,0:;");
    ledger.seen(Pods.inQueue(Pods.bound(share, "a", record), "batch", NOW));

    var facts = ledger.reclaimFacts(ReclaimQuestion.ofClaims(Set.of(), Map.of())).orElseThrow();

    assertThat(facts.used()).containsEntry("batch", 329L);
    var node = facts.cluster().find("a").orElseThrow();
    assertThat(node.milliOf(node.placements().getFirst())).isEqualTo(329);
  }

  @Test
  void roomIsMadeInOneZoneForAGangThatHasToBeWithinOne() {
    var zone = "topology.kubernetes.io/zone";
    for (var node : List.of("b1", "b2", "c1")) {
      var position = NetworkLabels.KNOWN.position(Map.of(zone, node.substring(0, 1)));
      ledger.seen(Nodes.a100(node, 1).at(position));
    }
    ledger.queues(
        List.of(queue("serving", Quota.train(8 * GPU, 1)), queue("batch", Quota.train(0, 1))));
    var near = new Nearness(Optional.of(zone), Optional.empty(), false);
    var gang = new PodFacts.Group("train", 3, near, false);
    var members =
        IntStream.range(0, 3)
            .mapToObj(i -> Pods.inGroup(asking("train" + i, "serving"), gang))
            .toList();
    members.forEach(ledger::seen);
    members.forEach(
        pod -> ledger.candidates(pod, List.of("a", "b1", "b2", "c1"), true, NOW, _ -> 0));

    assertThat(
            ledger
                .reclaimFacts(ReclaimQuestion.ofClaims(Set.of(), Map.of()))
                .orElseThrow()
                .claimants())
        .singleElement()
        .satisfies(claim -> assertThat(claim.nodes()).contains(Set.of("b1", "b2")));
  }

  /** Each is a reason to decide at once what is taken back, and no repeated question is one. */
  @Test
  void countsRefusalsOfPodsThatTheirQueueIsOwed() {
    ledger.queues(
        List.of(queue("serving", Quota.train(2 * GPU, 1)), queue("batch", Quota.train(0, 1))));
    assertThat(node.bindAll(node.waiting("batch", 8), NOW)).isEqualTo(8);

    var more = asking("more", "batch");
    ledger.seen(more);
    assertThat(node.ask(more, NOW).isRefusal()).isTrue();
    assertThat(ledger.refusalsOwed()).as("a pod beyond its queue's due").isZero();

    var claim = asking("claim", "serving");
    ledger.seen(claim);
    assertThat(node.ask(claim, NOW)).isInstanceOf(Candidates.Nowhere.class);
    assertThat(ledger.refusalsOwed()).isEqualTo(1);

    assertThat(node.ask(claim, NOW)).isInstanceOf(Candidates.Nowhere.class);
    assertThat(ledger.refusalsOwed()).as("the same pod again").isEqualTo(1);
  }

  @Test
  void theFactsForTakingBackNameHoldersClaimsAndTheNodesThatWereAskedAbout() {
    ledger.queues(
        List.of(queue("serving", Quota.train(2 * GPU, 1)), queue("batch", Quota.train(0, 1))));
    assertThat(node.bindAll(node.waiting("batch", 8), NOW)).isEqualTo(8);
    var claim = node.waiting("serving", 1).getFirst();
    assertThat(
            ledger
                .reclaimFacts(ReclaimQuestion.ofClaims(Set.of(), Map.of()))
                .orElseThrow()
                .claimants())
        .isEmpty();
    assertThat(node.ask(claim, NOW)).isInstanceOf(Candidates.Nowhere.class);

    var facts =
        ledger
            .reclaimFacts(
                ReclaimQuestion.ofClaims(Set.of(), Map.of("suspended", node.bound.getFirst())))
            .orElseThrow();

    assertThat(facts.held())
        .hasSize(8)
        .allMatch(ReclaimFacts.Held::isTakeable)
        .allSatisfy(held -> assertThat(held.queue()).isEqualTo("batch"));
    assertThat(facts.used()).containsEntry("batch", 8L * GPU);
    assertThat(facts.demand()).containsEntry("serving", 1L * GPU);
    assertThat(facts.claimants())
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.key()).isEqualTo(claim.uid());
              assertThat(it.milli()).isEqualTo(GPU);
              assertThat(it.nodes()).contains(Set.of("a"));
            });
    assertThat(facts.suspended().get("suspended"))
        .extracting(ReclaimFacts.Ask::queue, ReclaimFacts.Ask::milli)
        .containsExactly("batch", 1L * GPU);
  }

  @Test
  void aPodThatIsDeletedWhileItWaitsLaysNoClaim() {
    ledger.queues(
        List.of(queue("serving", Quota.train(2 * GPU, 1)), queue("batch", Quota.train(0, 1))));
    assertThat(node.bindAll(node.waiting("batch", 8), NOW)).isEqualTo(8);
    var claim = node.waiting("serving", 1).getFirst();
    assertThat(node.ask(claim, NOW)).isInstanceOf(Candidates.Nowhere.class);

    ledger.seen(Pods.leaving(claim));

    assertThat(keys(Set.of())).isEmpty();
  }

  @Test
  void whatIsBeingBoundOrOnlyCountedIsHeldToo() {
    ledger.seen(Nodes.plain("plain", 1));
    ledger.queues(List.of(queue("batch", Quota.train(0, 1))));
    var pods = node.waiting("batch", 3);
    assertThat(node.bind(pods.getFirst(), NOW)).isTrue();
    node.ask(pods.get(1), NOW);
    assertThat(ledger.decide(pods.get(1).uid(), "a", NOW)).isInstanceOf(Decision.Bind.class);
    var counted = Pods.inQueue(Pods.bound(pods.get(2), "plain", Map.of()), "batch", NOW);
    ledger.seen(counted);
    node.ask(asking("offered", "batch"), NOW);

    var held =
        ledger.reclaimFacts(ReclaimQuestion.ofClaims(Set.of(), Map.of())).orElseThrow().held();

    assertThat(held).hasSize(3);
    assertThat(held.stream().filter(ReclaimFacts.Held::isTakeable))
        .extracting(each -> each.pod().uid())
        .containsExactly(pods.getFirst().uid());
  }

  @Test
  void preemptionSparesTheCardsThatAreKeptForAClaim() {
    ledger.queues(
        List.of(queue("serving", Quota.train(8 * GPU, 1)), queue("batch", Quota.train(0, 1))));
    assertThat(node.bindAll(node.waiting("batch", 4), NOW)).isEqualTo(4);
    var important = Pods.withPriority(asking("important", "batch"), 10);
    assertThat(Victims.on(ledger, important, "a", List.of(), Set.of())).contains(List.of());
    var free =
        ledger.uses().stream().filter(use -> use.parts().isEmpty()).map(CardUse::uuid).toList();

    ledger.keep(List.of(new KeptCards(Set.of("uid-claim"), Set.copyOf(free))));

    assertThat(Victims.on(ledger, important, "a", List.of(), Set.of()).orElseThrow()).hasSize(1);
  }

  /** Unless pods have their notice for them, or cards are kept for them. */
  @Test
  void ofThoseThatWaitOnlyPodsOfQueuesThatAreOwedMoreLayClaim() {
    ledger.queues(
        List.of(queue("serving", Quota.train(2 * GPU, 1)), queue("batch", Quota.train(0, 1))));
    assertThat(node.bindAll(node.waiting("batch", 8), NOW)).isEqualTo(8);
    var borrowers = IntStream.range(0, 20).mapToObj(i -> asking("more" + i, "batch")).toList();
    var claims = node.waiting("serving", 2);
    borrowers.forEach(ledger::seen);
    borrowers.forEach(pod -> assertThat(node.ask(pod, NOW).isRefusal()).isTrue());
    claims.forEach(pod -> assertThat(node.ask(pod, NOW).isRefusal()).isTrue());

    assertThat(keys(Set.of()))
        .containsExactlyInAnyOrder(claims.getFirst().uid(), claims.getLast().uid());

    var noticed = borrowers.getFirst();
    var kept = borrowers.getLast();
    ledger.keep(List.of(new KeptCards(Set.of(kept.uid()), Set.of("GPU-a-0"))));
    assertThat(keys(Set.of(noticed.uid())))
        .containsExactlyInAnyOrder(
            claims.getFirst().uid(), claims.getLast().uid(), noticed.uid(), kept.uid());
  }

  private List<String> keys(Set<String> noticed) {
    return ledger
        .reclaimFacts(ReclaimQuestion.ofClaims(noticed, Map.of()))
        .orElseThrow()
        .claimants()
        .stream()
        .map(Claimant::key)
        .toList();
  }

  @Test
  void theNodesThatWereAskedAboutAreRecordedOnlyOnceTheyAreOfUseAndOnce() {
    ledger.queues(
        List.of(queue("serving", Quota.train(2 * GPU, 1)), queue("batch", Quota.train(0, 1))));
    assertThat(node.bindAll(node.waiting("batch", 8), NOW)).isEqualTo(8);
    var claims = node.waiting("serving", 2);
    claims.forEach(pod -> node.ask(pod, NOW));
    assertThat(
            ledger
                .reclaimFacts(ReclaimQuestion.ofClaims(Set.of(), Map.of()))
                .orElseThrow()
                .claimants())
        .hasSize(2)
        .allSatisfy(claim -> assertThat(claim.nodes()).isEmpty());

    claims.forEach(pod -> ledger.candidates(pod, new ArrayList<>(NODES), true, NOW, _ -> 0));

    var known =
        ledger.reclaimFacts(ReclaimQuestion.ofClaims(Set.of(), Map.of())).orElseThrow().claimants();
    assertThat(known.getFirst().nodes()).contains(Set.of("a"));
    assertThat(known.getLast().nodes().orElseThrow())
        .isSameAs(known.getFirst().nodes().orElseThrow());
  }

  /** Its queue was deleted, or given children, while it was suspended. */
  @Test
  void suspendedWorkOfAQueueThatCannotHoldWorkDoesNoHarm() {
    ledger.queues(List.of(queue("serving", Quota.train(2 * GPU, 1))));

    var facts =
        ledger
            .reclaimFacts(
                ReclaimQuestion.ofClaims(Set.of(), Map.of("homeless", asking("template", "gone"))))
            .orElseThrow();

    assertThat(facts.suspended().get("homeless"))
        .extracting(ReclaimFacts.Ask::queue)
        .isEqualTo("gone");
    assertThat(facts.demand()).doesNotContainKey("gone");
  }
}
