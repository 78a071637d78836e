package io.prescale.placement.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.inventory.Nearness;
import io.prescale.placement.inventory.Nodes;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.inventory.PodFacts.Group;
import io.prescale.placement.inventory.Pods;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** PodGroups of Kubernetes, whose size stands in an object of their own. */
class PodGroupsTest {
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

  private final Ledger ledger = new Ledger(10);

  @BeforeEach
  void twoCards() {
    ledger.seen(Nodes.a100("a", 1));
    ledger.seen(Nodes.a100("b", 1));
  }

  private List<PodFacts> members(String group, int count) {
    var pods =
        IntStream.range(0, count)
            .mapToObj(
                member -> {
                  var name = group + "-" + member;
                  var asked = Map.of("nvidia.com/gpu", 1L, "nvidia.com/gpumem", 80_000L);
                  var named = Group.ofPodGroup(group);
                  return Pods.inGroup(Pods.asking(name, asked), named.name(), named.size());
                })
            .toList();
    pods.forEach(ledger::seen);
    return pods;
  }

  private Candidates offer(PodFacts pod) {
    return ledger.candidates(pod, List.of("a", "b"), true, NOW, _ -> 0);
  }

  private String refusal(PodFacts pod) {
    return ((Candidates.Nowhere) offer(pod)).reasons().getOrDefault("a", "");
  }

  @Test
  void aGangThatDoesNotFitHoldsNothingThatAnotherNeeds() {
    ledger.podGroupSeen("default", "big", OptionalInt.of(3), Nearness.ANYWHERE);
    ledger.podGroupSeen("default", "small", OptionalInt.of(2), Nearness.ANYWHERE);
    var big = members("big", 3);
    var small = members("small", 2);

    assertThat(refusal(big.getFirst()))
        .isEqualTo("there is no room for all pods of group PodGroup/big");
    assertThat(small)
        .allSatisfy(pod -> assertThat(offer(pod)).isInstanceOf(Candidates.Nodes.class));
  }

  @Test
  void aGangBeyondTheLimitIsRefusedAndHoldsNothing() {
    ledger.podGroupSeen("default", "huge", OptionalInt.of(1_000_000), Nearness.ANYWHERE);
    var pod = members("huge", 1).getFirst();

    assertThat(refusal(pod))
        .isEqualTo("group PodGroup/huge is of 1000000 pods; at most 1000 are placed together");
    assertThat(ledger.totals().pods()).isZero();
  }

  @Test
  void ofManyWaitingMembersNoMoreThanTheLimitArePlacedInOneCall() {
    ledger.podGroupSeen("default", "crowd", OptionalInt.of(1), Nearness.ANYWHERE);
    var asked = Map.of("example.com/none", 1L);
    IntStream.range(0, PodGangs.MOST_MEMBERS + 1)
        .mapToObj(member -> Pods.asking("crowd-%05d".formatted(member), asked))
        .map(pod -> Pods.inGroup(pod, Group.ofPodGroup("crowd").name(), 0))
        .forEach(ledger::seen);
    var last = Pods.asking("crowd-last", Map.of("nvidia.com/gpu", 1L));

    assertThat(refusal(Pods.inGroup(last, Group.ofPodGroup("crowd").name(), 0)))
        .as("behind the limit in the order of UIDs")
        .isEqualTo("there is no room beside the other pods of the group");
  }

  @Test
  void waitsForAsManyPodsAsTheGangHasAtLeast() {
    ledger.podGroupSeen("default", "two", OptionalInt.of(2), Nearness.ANYWHERE);

    assertThat(refusal(members("two", 1).getFirst()))
        .isEqualTo("1 of the 2 pods of group PodGroup/two are there for scheduler cards");
  }

  @Test
  void nothingIsReservedForMembersThatAnotherSchedulerIsToPlace() {
    ledger.podGroupSeen("default", "two", OptionalInt.of(2), Nearness.ANYWHERE);
    var ours = members("two", 1).getFirst();
    var theirs =
        Pods.inGroup(
            Pods.asking("theirs", ours.containers().getFirst().asked()),
            Group.ofPodGroup("two").name(),
            0);
    ledger.seen(Pods.of(theirs, "default-scheduler"));

    assertThat(refusal(ours))
        .isEqualTo("1 of the 2 pods of group PodGroup/two are there for scheduler cards");
    assertThat(ledger.totals().pods()).isZero();

    ledger.seen(theirs);
    assertThat(offer(ours)).isInstanceOf(Candidates.Nodes.class);
    assertThat(ledger.totals().pods()).isEqualTo(2);
  }

  @Test
  void placesTheLeastOfAGangThatIsLarger() {
    ledger.podGroupSeen("default", "g", OptionalInt.of(2), Nearness.ANYWHERE);
    var pods = members("g", 3);

    assertThat(pods.stream().filter(pod -> offer(pod) instanceof Candidates.Nodes)).hasSize(2);
    assertThat(refusal(pods.getLast()))
        .isEqualTo("there is no room beside the other pods of the group");
  }

  @Test
  void podsOfAGroupThatIsNoGangOrIsNotThereAreAlone() {
    ledger.podGroupSeen("default", "was", OptionalInt.of(5), Nearness.ANYWHERE);
    ledger.podGroupSeen("default", "was", OptionalInt.empty(), Nearness.ANYWHERE);

    assertThat(offer(members("was", 1).getFirst())).isInstanceOf(Candidates.Nodes.class);
    assertThat(offer(members("unknown", 1).getFirst())).isInstanceOf(Candidates.Nodes.class);
  }

  @Test
  void aRefusedPodIsWokenWhenItsGangNeedsFewerPods() {
    ledger.podGroupSeen("default", "g", OptionalInt.of(2), Nearness.ANYWHERE);
    var pod = members("g", 1).getFirst();
    offer(pod);
    ledger.awaken(10, NOW);
    assertThat(ledger.awaken(10, NOW)).isEmpty();

    ledger.podGroupSeen("default", "g", OptionalInt.of(2), Nearness.ANYWHERE);
    assertThat(ledger.awaken(10, NOW)).as("nothing has changed").isEmpty();
    ledger.podGroupSeen("default", "g", OptionalInt.empty(), Nearness.ANYWHERE);

    assertThat(ledger.awaken(10, NOW)).containsExactly(pod);
  }

  @Test
  void aGangOfAnotherNamespaceIsAnother() {
    ledger.podGroupSeen("elsewhere", "g", OptionalInt.of(5), Nearness.ANYWHERE);

    assertThat(offer(members("g", 1).getFirst())).isInstanceOf(Candidates.Nodes.class);
  }

  @Test
  void aRefusedPodOfAGroupThatIsNoGangIsWokenBesideALargerOne() {
    var asked = Map.of("nvidia.com/gpu", 1L, "nvidia.com/gpumem", 90_000L);
    var large = Pods.inGroup(Pods.asking("large", asked), Group.ofPodGroup("loose").name(), 0);
    var held = members("held", 2);
    held.forEach(pod -> assertThat(offer(pod)).isInstanceOf(Candidates.Nodes.class));
    var small = members("loose", 1).getFirst();
    ledger.seen(large);
    offer(large);
    offer(small);

    ledger.podGone(held.getFirst().uid());

    assertThat(ledger.awaken(10, NOW)).containsExactly(small);
  }
}
