package io.prescale.placement.ledger;

import static io.prescale.placement.ledger.QueuedNode.GPU;
import static io.prescale.placement.ledger.QueuedNode.NOW;
import static io.prescale.placement.ledger.QueuedNode.queue;
import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.cluster.GpuHealth;
import io.prescale.placement.inventory.CardReading;
import io.prescale.placement.inventory.Families;
import io.prescale.placement.inventory.NodeFacts;
import io.prescale.placement.inventory.Nodes;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.inventory.PodSelector;
import io.prescale.placement.inventory.Pods;
import io.prescale.placement.queue.Quota;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What the ledger says and keeps for moves, on two nodes with eight cards each. */
class MoveFactsTest {
  private static final List<String> BOTH = List.of("a", "b");
  private static final PodSelector LLM = new PodSelector("default", Map.of("app", "llm"));

  private final QueuedNode node = new QueuedNode();
  private final Ledger ledger = node.ledger;

  MoveFactsTest() {
    ledger.seen(Nodes.a100("b", 8));
  }

  private static PodFacts asking(String name, long cards) {
    return Pods.labelled(Pods.asking(name, Map.of("nvidia.com/gpu", cards)), Map.of("app", "llm"));
  }

  private Candidates ask(PodFacts pod, List<String> nodes) {
    ledger.seen(pod);
    return ledger.candidates(pod, nodes, true, NOW, _ -> 0);
  }

  /** The node and the cards that a pod is given. */
  private Decision.Bind bind(PodFacts pod, String on) {
    assertThat(ask(pod, BOTH)).isEqualTo(new Candidates.Nodes(List.of(on)));
    return (Decision.Bind) ledger.decide(pod.uid(), on, NOW);
  }

  @Test
  void aReplacementIsPlacedWhereItIsBookedAndNowhereElse() {
    ledger.keepForMoves(List.of(KeptCards.place(LLM, Set.of("GPU-b-5"))));

    var other = ask(Pods.asking("other", Map.of("nvidia.com/gpu", 8L)), BOTH);
    var decided = bind(asking("llm", 1), "b");

    assertThat(other).isEqualTo(new Candidates.Nodes(List.of("a")));
    assertThat(decided.cards().toString()).contains("GPU-b-5");
  }

  @Test
  void aReplacementIsPlacedElsewhereOnceItsPlaceHasNoRoomOrIsNotConsidered() {
    ledger.keepForMoves(List.of(KeptCards.place(LLM, Set.of("GPU-b-5"))));

    assertThat(ask(asking("larger", 2), List.of("a", "b"))).isInstanceOf(Candidates.Nodes.class);
    assertThat(ask(asking("elsewhere", 1), List.of("a")))
        .isEqualTo(new Candidates.Nodes(List.of("a")));
  }

  @Test
  void aPlaceOfAPodThatWasEvictedIsNoClaimsAnyMore() {
    ledger.keep(List.of(new KeptCards(Set.of("uid-claim"), Set.of("GPU-b-5", "GPU-b-6"))));
    assertThat(ledger.moveFacts().kept()).containsExactlyInAnyOrder("GPU-b-5", "GPU-b-6");

    ledger.keepForMoves(List.of(KeptCards.place(LLM, Set.of("GPU-b-5"))));

    assertThat(bind(asking("llm", 1), "b").cards().toString()).contains("GPU-b-5");
  }

  @Test
  void podsWithoutRoomAreWantedOnceTheSchedulerHasAsked() {
    ledger.moveFacts();
    var large = asking("large", 8);
    ledger.seen(large);
    node.bindAll(node.waiting("any", 1), NOW);
    assertThat(ledger.moveFacts().wanting()).isEmpty();

    assertThat(ask(large, List.of("a"))).isInstanceOf(Candidates.Nowhere.class);

    var facts = ledger.moveFacts();
    assertThat(facts.waiting()).containsExactly(large.uid());
    assertThat(facts.wanting())
        .singleElement()
        .satisfies(it -> assertThat(it.nodes()).containsExactly("a"))
        .satisfies(it -> assertThat(it.shape().gpus()).isEqualTo(8));
    assertThat(facts.held())
        .singleElement()
        .satisfies(it -> assertThat(it.shape().gpus()).isEqualTo(1))
        .satisfies(it -> assertThat(it.mayReturn()).isTrue());
  }

  @Test
  void gangsAndPodsThatClaimCardsAreNotWanted() {
    node.bindAll(node.waiting("any", 1), NOW);
    ledger.moveFacts();
    var gang = Pods.inGroup(asking("g", 8), "gang", 1);
    var claim = asking("claim", 8);
    ask(gang, List.of("a"));
    ask(claim, List.of("a"));
    ledger.keep(List.of(new KeptCards(Set.of(claim.uid()), Set.of("GPU-a-7"))));

    assertThat(ledger.moveFacts().wanting()).isEmpty();
  }

  @Test
  void aPodOfAQueueThatHasMoreThanItIsOwedMightNotComeBack() {
    ledger.queues(
        List.of(queue("serving", Quota.train(16 * GPU, 1)), queue("batch", Quota.train(0, 1))));
    node.bindAll(node.waiting("batch", 2), NOW);
    assertThat(ledger.moveFacts().held()).allMatch(MoveFacts.Held::mayReturn);

    node.waiting("serving", 16);

    assertThat(ledger.moveFacts().held()).hasSize(2).noneMatch(MoveFacts.Held::mayReturn);
  }

  @Test
  void aCardIsSickByItsExporterOrItsPluginButNotBecauseThePluginIsGone() {
    var unhealthy =
        Map.of(
            Families.NVIDIA.registerKey(),
            Nodes.a100Register("b", 2).replaceFirst("\"health\":true", "\"health\":false"));
    ledger.seen(
        new NodeFacts("b", Map.of(), unhealthy, Map.of("nvidia.com/gpu", 20L), true, false));
    ledger.seen(new NodeFacts("c", Map.of(), register("c"), Map.of(), true, false));
    var sick = GpuHealth.UNKNOWN.withState(GpuHealth.State.UNHEALTHY);
    ledger.conditions(
        Map.of("GPU-a-3", new CardReading(sick, OptionalInt.empty(), Optional.of("broken"))));

    assertThat(ledger.moveFacts().sick()).containsExactlyInAnyOrder("GPU-a-3", "GPU-b-0");
  }

  private static Map<String, String> register(String name) {
    return Map.of(Families.NVIDIA.registerKey(), Nodes.a100Register(name, 2));
  }
}
