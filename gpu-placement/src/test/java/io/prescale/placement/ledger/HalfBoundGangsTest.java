package io.prescale.placement.ledger;

import static io.prescale.placement.ledger.QueuedNode.NOW;
import static io.prescale.placement.ledger.QueuedNode.RECORD;
import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.inventory.Nodes;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.inventory.Pods;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A gang of three pods on the three cards of node a, for one of which another pod waits. */
class HalfBoundGangsTest {
  private static final int MANY = 20;
  private static final PodFacts OTHER = asking("other");

  private final Ledger ledger = new Ledger(10);

  private static PodFacts asking(String name) {
    return Pods.asking(name, Map.of("nvidia.com/gpu", 1L));
  }

  private static PodFacts member(int number) {
    return Pods.inGroup(asking("g" + number), "g", 3);
  }

  private static PodFacts bound(PodFacts pod, String node, int card) {
    var record = "GPU-%s-%d,NVIDIA,81920,100:;".formatted(node, card);
    return Pods.bound(pod, node, Map.of(RECORD, record));
  }

  private Candidates ask(PodFacts pod, Instant when) {
    return ledger.candidates(pod, List.of("a"), true, when, _ -> 0);
  }

  @BeforeEach
  void aPlaceIsReservedForEachMember() {
    ledger.seen(Nodes.a100("a", 3));
    for (int number = 0; number < 3; number++) {
      ledger.seen(member(number));
    }
    assertThat(ask(member(0), NOW)).isInstanceOf(Candidates.Nodes.class);
    ledger.seen(OTHER);
    assertThat(ask(OTHER, NOW)).isInstanceOf(Candidates.Nowhere.class);
    assertThat(ledger.awaken(MANY, NOW)).isEmpty();
  }

  private void decide(int number) {
    assertThat(ledger.decide(member(number).uid(), "a", NOW)).isInstanceOf(Decision.Bind.class);
  }

  private void bindOneAndFailAnother() {
    decide(0);
    ledger.seen(bound(member(0), "a", 0));
    decide(1);
    ledger.failed(member(1).uid(), NOW);
  }

  @Test
  void aMemberWhoseFailedNodeIsGoneWaitsForAnother() {
    var ledger = new Ledger(10);
    var nodes = List.of("n0", "n1");
    nodes.forEach(node -> ledger.seen(Nodes.a100(node, 1)));
    var pair = List.of(Pods.inGroup(asking("g0"), "g", 2), Pods.inGroup(asking("g1"), "g", 2));
    pair.forEach(ledger::seen);
    assertThat(ledger.candidates(pair.getFirst(), nodes, true, NOW, _ -> 0).isRefusal()).isFalse();
    var first = ledger.shortlist(pair.getFirst().uid()).getFirst();
    var last = first.equals("n0") ? "n1" : "n0";
    ledger.decide(pair.getFirst().uid(), first, NOW);
    ledger.decide(pair.getLast().uid(), last, NOW);
    ledger.failed(pair.getLast().uid(), NOW);

    ledger.nodeGone(last);

    assertThat(ledger.candidates(pair.getLast(), nodes, true, NOW, _ -> 0).isRefusal()).isTrue();
    ledger.seen(Nodes.a100(last, 1));
    assertThat(ledger.candidates(pair.getLast(), nodes, true, NOW, _ -> 0))
        .isEqualTo(new Candidates.Nodes(List.of(last)));
  }

  @Test
  void keepTheirPlacesWhenABindingFails() {
    bindOneAndFailAnother();

    assertThat(ledger.awaken(MANY, NOW)).isEmpty();
    for (int number = 1; number < 3; number++) {
      assertThat(ask(member(number), NOW)).isInstanceOf(Candidates.Nodes.class);
      decide(number);
    }
  }

  private Candidates askAgain() {
    return ledger.candidates(member(1), List.of("a", "b"), true, NOW, _ -> 0);
  }

  @Test
  void areOfferedAnotherNodeThanTheOneThatFailed() {
    bindOneAndFailAnother();
    ledger.seen(Nodes.a100("b", 1));

    assertThat(askAgain()).isEqualTo(new Candidates.Nodes(List.of("b")));
    assertThat(ledger.awaken(MANY, NOW)).as("the place on a").containsExactly(OTHER);
    assertThat(ask(member(2), NOW))
        .as("the place of the third")
        .isInstanceOf(Candidates.Nodes.class);
    assertThat(ask(asking("next"), NOW)).isInstanceOf(Candidates.Nowhere.class);
  }

  @Test
  void keepTheNodeThatFailedWhereNoOtherHasRoom() {
    bindOneAndFailAnother();
    ledger.seen(Nodes.a100("b", 1));
    ledger.seen(bound(asking("b"), "b", 0));

    assertThat(askAgain()).isEqualTo(new Candidates.Nodes(List.of("a")));
    assertThat(ledger.awaken(MANY, NOW)).isEmpty();
  }

  @Test
  void keepTheNodeThatFailedWhileAnotherMemberIsMissing() {
    bindOneAndFailAnother();
    ledger.podGone(member(2).uid());

    assertThat(askAgain()).isEqualTo(new Candidates.Nodes(List.of("a")));
    decide(1);
  }

  @Test
  void keepTheirPlacesWhileAnotherIsBeingBound() {
    decide(0);
    decide(1);

    ledger.failed(member(1).uid(), NOW);

    assertThat(ledger.awaken(MANY, NOW)).isEmpty();
  }

  @Test
  void loseTheirPlacesAMinuteAfterTheFailureWhenTheSchedulerDoesNotComeBack() {
    decide(0);
    decide(1);
    var failure = NOW.plusSeconds(30);
    ledger.failed(member(1).uid(), failure);

    var first = NOW.plus(GangOffers.RESERVED).plusSeconds(1);
    assertThat(ledger.awaken(MANY, first)).as("the place of the third").containsExactly(OTHER);
    var next = asking("next");
    ledger.seen(next);
    assertThat(ask(next, first)).isInstanceOf(Candidates.Nowhere.class);
    var last = failure.plus(GangOffers.RESERVED).plusSeconds(1);
    assertThat(ledger.awaken(MANY, last)).contains(next);
  }

  @Test
  void loseTheirPlacesWhenTheOnlyBoundOneLeaves() {
    decide(0);
    ledger.seen(Pods.leaving(bound(member(0), "a", 0)));
    decide(1);

    ledger.failed(member(1).uid(), NOW);

    assertThat(ledger.awaken(MANY, NOW)).containsExactly(OTHER);
  }
}
