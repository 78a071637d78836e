package io.prescale.placement.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.inventory.Families;
import io.prescale.placement.inventory.Nearness;
import io.prescale.placement.inventory.NetworkLabels;
import io.prescale.placement.inventory.NodeFacts;
import io.prescale.placement.inventory.Nodes;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.inventory.Pods;
import io.prescale.placement.queue.CardPool;
import io.prescale.placement.queue.QueueEntry;
import io.prescale.placement.queue.Quota;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Queues that have the cards of some models for themselves. */
class QueuesOfModelsTest {
  private static final Instant NOW = Instant.parse("2026-11-29T12:00:00Z");
  private static final long GPU = 1000;
  private static final List<String> NODES = List.of("a100", "h100");

  private static final String ZONE = "topology.kubernetes.io/zone";
  private static final List<String> NODES_AND_L4 = List.of("a100", "h100", "l4");

  private final Ledger ledger = new Ledger(10);

  @BeforeEach
  void fourCardsOfEachModel() {
    ledger.seen(Nodes.a100("a100", 4));
    ledger.seen(h100("h100", 4));
  }

  private static NodeFacts h100(String name, int cards) {
    var register = Nodes.a100Register(name, cards).replace("A100-SXM4", "H100");
    return Nodes.registering(name, Families.NVIDIA.registerKey(), register, "nvidia.com/gpu");
  }

  private static QueueEntry queue(String name, int guarantee, String... models) {
    return new QueueEntry(
        name, Optional.empty(), Quota.train(guarantee * GPU, 1), CardPool.of(List.of(models)));
  }

  private static final List<QueueEntry> QUEUES =
      List.of(queue("serving", 4, "H100"), queue("training", 0, "h100"), queue("default", 0));

  private static PodFacts asking(String name, String queue) {
    return Pods.inQueue(Pods.asking(name, Map.of("nvidia.com/gpu", 1L)), queue, NOW);
  }

  private Candidates ask(PodFacts pod) {
    ledger.seen(pod);
    return ledger.candidates(pod, NODES, true, NOW, _ -> 0);
  }

  private QueueState state(String name) {
    return ledger.queues().stream().filter(it -> it.name().equals(name)).findFirst().orElseThrow();
  }

  private List<Candidates> askForMany(String queue, int pods) {
    return IntStream.range(0, pods).mapToObj(i -> ask(asking(queue + i, queue))).toList();
  }

  @Test
  void aPodGetsCardsOfTheModelsOfItsQueueAndNoOther() {
    ledger.queues(QUEUES);

    assertThat(askForMany("serving", 4)).containsOnly(new Candidates.Nodes(List.of("h100")));
    assertThat(askForMany("default", 4)).containsOnly(new Candidates.Nodes(List.of("a100")));

    assertThat(ask(asking("fifth", "serving")))
        .isInstanceOfSatisfying(
            Candidates.Nowhere.class,
            it -> {
              assertThat(it.reasons()).containsEntry("a100", "has cards of other queues only");
              assertThat(it.hopeless()).containsOnly("a100");
            });
    assertThat(state("serving").owedMilli()).as("of the four there are").isEqualTo(4 * GPU);
    assertThat(state("default").owedMilli()).isEqualTo(4 * GPU);
  }

  @Test
  void queuesOfOtherModelsDoNotWaitForEachOther() {
    ledger.queues(QUEUES);
    ledger.seen(asking("waits", "default"));

    assertThat(askForMany("training", 4)).hasOnlyElementsOfType(Candidates.Nodes.class);
    ledger.seen(asking("claims", "serving"));
    assertThat(ask(asking("more", "training")))
        .isEqualTo(
            new Candidates.HeldBack(
                "queue training has 4 of the 3 cards that it is owed, and queue serving, which"
                    + " waits, 0 of 1"));
    assertThat(ask(asking("more", "default"))).isEqualTo(new Candidates.Nodes(List.of("a100")));
  }

  @Test
  void whatIsLostOfOneModelIsLostToItsQueuesOnly() {
    ledger.queues(QUEUES);
    askForMany("serving", 4);
    askForMany("default", 4);

    ledger.nodeGone("h100");

    assertThat(state("serving").owedMilli()).isZero();
    assertThat(state("default").owedMilli()).isEqualTo(4 * GPU);
  }

  @Test
  void aPodThatWasRefusedIsTriedAgainWithTheModelsThatItsQueueHasNow() {
    ledger.queues(QUEUES);
    askForMany("default", 4);
    var fifth = asking("fifth", "default");
    ask(fifth);
    ledger.wasRefused(fifth);
    assertThat(ledger.awaken(10, NOW)).isEmpty();

    ledger.queues(List.of(queue("default", 0)));

    assertThat(ledger.awaken(10, NOW)).containsExactly(fifth);
    assertThat(ask(fifth)).isEqualTo(new Candidates.Nodes(List.of("h100")));
  }

  @Test
  void namesInThePodsAnnotationsCountAmongTheModelsOfItsQueue() {
    ledger.queues(List.of(queue("fast", 0, "H100", "A100"), queue("default", 0)));
    var choosy =
        Pods.of(
            "choosy",
            asking("choosy", "fast").containers(),
            Map.of("nvidia.com/use-gputype", "a100"));
    assertThat(ask(Pods.inQueue(choosy, "fast", NOW)))
        .isEqualTo(new Candidates.Nodes(List.of("a100")));
    var exact = Map.of("nvidia.com/use-gputype", "NVIDIA-NVIDIA H100-80GB");
    var outside = Pods.of("outside", asking("outside", "default").containers(), exact);
    assertThat(ask(Pods.inQueue(outside, "default", NOW))).isInstanceOf(Candidates.Nowhere.class);
    assertThat(ask(asking("any", "default"))).isInstanceOf(Candidates.Nowhere.class);
  }

  @Test
  void devicesThatAreOnlyCountedAreOfTheModelOfTheirNodesLabel() {
    ledger.seen(Nodes.plain("l4", 8));
    ledger.seen(
        new NodeFacts(
            "unlabelled", Map.of(), Map.of(), Map.of("nvidia.com/mig-1g.10gb", 1L), true, false));
    ledger.queues(List.of(queue("small", 0, "L4"), queue("default", 0)));
    var nodes = List.of("l4", "unlabelled");
    var slice = Map.of("nvidia.com/mig-1g.10gb", 1L);

    var small = Pods.inQueue(Pods.asking("s", slice), "small", NOW);
    var other = Pods.inQueue(Pods.asking("o", slice), "default", NOW);

    assertThat(ledger.candidates(small, nodes, true, NOW, _ -> 0))
        .isEqualTo(new Candidates.Nodes(List.of("l4")));
    assertThat(ledger.candidates(other, nodes, true, NOW, _ -> 0))
        .isEqualTo(new Candidates.Nodes(List.of("unlabelled")));
    assertThat(ledger.candidates(other, List.of("l4"), false, NOW, _ -> 0))
        .isEqualTo(
            new Candidates.Nowhere(Map.of("l4", "has cards of other queues only"), Set.of("l4")));
    assertThat(ledger.candidates(asking("card", "small"), NODES_AND_L4, true, NOW, _ -> 0))
        .isEqualTo(new Candidates.Nodes(List.of("l4")));
  }

  /** A node may have cards of one model, and a label of another for what is only counted. */
  @Test
  void onAMixedNodeTheModelOfWhatIsAskedForCounts() {
    var mixed = h100("mixed", 2);
    ledger.seen(
        new NodeFacts(
            "mixed",
            Map.of("nvidia.com/gpu.product", "NVIDIA-A100-SXM4-80GB"),
            mixed.annotations(),
            Map.of("nvidia.com/gpu", 20L, "nvidia.com/mig-1g.10gb", 7L),
            true,
            false));
    ledger.queues(List.of(queue("fast", 0, "H100"), queue("default", 0)));
    var slice = Map.of("nvidia.com/mig-1g.10gb", 1L);

    assertThat(look(Pods.inQueue(Pods.asking("f", slice), "fast", NOW), "mixed"))
        .isInstanceOf(Candidates.Nowhere.class);
    assertThat(look(Pods.inQueue(Pods.asking("d", slice), "default", NOW), "mixed"))
        .isEqualTo(new Candidates.Nodes(List.of("mixed")));
    assertThat(look(asking("card", "fast"), "mixed"))
        .isEqualTo(new Candidates.Nodes(List.of("mixed")));
    assertThat(look(asking("other", "default"), "mixed")).isInstanceOf(Candidates.Nowhere.class);
    assertThat(ledger.partOf(Pods.inQueue(Pods.asking("f", slice), "fast", NOW)).models())
        .isEmpty();
  }

  private Candidates look(PodFacts pod, String node) {
    return ledger.candidates(pod, List.of(node), false, NOW, _ -> 0);
  }

  @Test
  void cardsThatOthersHadBeforeAreLeftToThemAndCountForTheirOwnQueue() {
    ledger.queues(List.of(queue("default", 0)));
    var early = asking("early", "default");
    ledger.seen(
        Pods.bound(
            early,
            "h100",
            Map.of("hami.io/vgpu-devices-allocated", "GPU-h100-0,NVIDIA,81920,100:;")));

    ledger.queues(QUEUES);

    assertThat(state("default").usedMilli()).isEqualTo(GPU);
    assertThat(askForMany("serving", 4))
        .filteredOn(Candidates.Nodes.class::isInstance)
        .as("the three that are free")
        .hasSize(3);
    var claims = ledger.reclaimFacts(ReclaimQuestion.ofClaims(Set.of(), Map.of())).orElseThrow();
    assertThat(claims.capacity())
        .containsEntry(CardPool.of(List.of("H100")), 4 * GPU)
        .containsEntry(CardPool.REST, 4 * GPU);
  }

  @Test
  void aQueueWhoseModelsNoCardHasSaysSo() {
    ledger.queues(List.of(queue("typo", 0, "H1OO"), queue("default", 0)));

    assertThat(((Candidates.Nowhere) ask(asking("p", "typo"))).summary())
        .isEqualTo(
            "2 nodes: has no usable card of the models of the pod's queue, nor has any node");
  }

  /** A zone of many cards that a gang's queue does not have is no place to make room for it. */
  @Test
  void roomForAGangIsMadeWhereTheCardsOfItsQueueAre() {
    var zones = NetworkLabels.KNOWN;
    ledger.seen(Nodes.a100("a100", 4).at(zones.position(Map.of(ZONE, "large"))));
    ledger.seen(h100("h100", 2).at(zones.position(Map.of(ZONE, "small"))));
    ledger.queues(QUEUES);
    assertThat(askForMany("training", 2)).hasOnlyElementsOfType(Candidates.Nodes.class);
    var within = new Nearness(Optional.of(ZONE), Optional.empty(), false);
    var gang =
        IntStream.range(0, 2)
            .mapToObj(i -> asking("member" + i, "serving"))
            .map(pod -> Pods.inGroup(pod, new PodFacts.Group("gang", 2, within, false)))
            .toList();
    gang.forEach(ledger::seen);
    gang.forEach(
        pod -> assertThat(ledger.candidates(pod, NODES, true, NOW, _ -> 0).isRefusal()).isTrue());

    var claims = ledger.reclaimFacts(ReclaimQuestion.ofClaims(Set.of(), Map.of())).orElseThrow();

    assertThat(claims.claimants())
        .singleElement()
        .satisfies(claim -> assertThat(claim.nodes()).contains(Set.of("h100")));
  }
}
