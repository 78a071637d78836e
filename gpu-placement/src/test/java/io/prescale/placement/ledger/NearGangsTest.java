package io.prescale.placement.ledger;

import static io.prescale.placement.ledger.NetworkedLedger.LAYER_2;
import static io.prescale.placement.ledger.NetworkedLedger.NOW;
import static io.prescale.placement.ledger.NetworkedLedger.ZONE;
import static io.prescale.placement.ledger.NetworkedLedger.foreign;
import static io.prescale.placement.ledger.NetworkedLedger.preferred;
import static io.prescale.placement.ledger.NetworkedLedger.required;
import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.inventory.Nearness;
import io.prescale.placement.inventory.NetworkLabels;
import io.prescale.placement.inventory.Nodes;
import io.prescale.placement.inventory.PodFacts.Group;
import io.prescale.placement.inventory.Pods;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What gangs prefer, gangs in the words of others, and gangs that are not complete. */
class NearGangsTest {
  private final NetworkedLedger cluster = new NetworkedLedger();

  @Test
  void aPreferenceGoesOutwardsFromItsLevel() {
    cluster.node("a1", 2, "a", "a-1");
    cluster.node("a2", 2, "a", "a-2");
    cluster.node("b1", 2, "b", "b-1");
    cluster.node("b2", 2, "b", "b-1");

    assertThat(cluster.nodesOf(cluster.gang("four", 4, 4, 1, preferred(LAYER_2))))
        .containsExactly("b1", "b2");
    assertThat(cluster.nodesOf(cluster.gang("also-four", 4, 4, 1, preferred(LAYER_2))))
        .as("not within one part, but within one zone")
        .containsExactly("a1", "a2");
  }

  @Test
  void aPreferenceIsNoMoreThanThat() {
    cluster.node("a1", 2, "a", "");
    cluster.node("b1", 2, "b", "");
    cluster.node("c1", 1, "", "");

    assertThat(cluster.nodesOf(cluster.gang("five", 5, 5, 1, preferred(ZONE))))
        .containsExactly("a1", "b1", "c1");
    assertThat(cluster.refusal(cluster.gang("more", 1, 1, 1, preferred(ZONE)).getFirst()))
        .isEqualTo("there is no room for all pods of group more");
  }

  @Test
  void requiredAndPreferredGoTogether() {
    cluster.node("a1", 1, "a", "a-1");
    cluster.node("a2", 1, "a", "a-2");
    cluster.node("a3", 1, "a", "a-2");
    var both = new Nearness(Optional.of(ZONE), Optional.of(LAYER_2), false);

    assertThat(cluster.nodesOf(cluster.gang("two", 2, 2, 1, both))).containsExactly("a2", "a3");
    assertThat(cluster.refusal(cluster.gang("two-more", 2, 2, 1, both).getFirst()))
        .as("of the level that is required")
        .startsWith("1 of the 2 pods of group two-more fit one topology.kubernetes.io/zone (a");
  }

  @Test
  void oneNodeIsALevelToo() {
    cluster.node("a1", 1, "a", "");
    cluster.node("a2", 2, "a", "");

    assertThat(cluster.nodesOf(cluster.gang("two", 2, 2, 1, required(NetworkLabels.HOSTNAME))))
        .containsExactly("a2");
  }

  @Test
  void aLevelThatOnlyAnotherSchedulerKnowsIsLeftToIt() {
    cluster.node("a1", 1, "a", "");
    cluster.node("b1", 1, "b", "");
    var rack = foreign("cloud.provider.com/topology-rack");

    assertThat(cluster.nodesOf(cluster.gang("train", 2, 2, 1, rack))).containsExactly("a1", "b1");
    cluster.node("b2", 1, "b", "");
    assertThat(cluster.refusal(cluster.gang("other", 2, 2, 1, foreign(ZONE)).getFirst()))
        .startsWith("1 of the 2 pods of group other fit one " + ZONE);
  }

  @Test
  void ofAGangThatMayBeSmallerTheDomainWithTheMostPlacesIsTaken() {
    cluster.node("a1", 2, "a", "");
    cluster.node("b1", 3, "b", "");
    var members = cluster.gang("elastic", 2, 4, 1, required(ZONE));

    var placed =
        members.stream().filter(pod -> cluster.offer(pod) instanceof Candidates.Nodes).toList();

    assertThat(placed).hasSize(3);
    assertThat(cluster.nodesOf(placed)).containsExactly("b1");
    assertThat(cluster.refusal(members.getLast()))
        .isEqualTo("there is no room beside the other pods of the group");
  }

  @Test
  void aPodGroupStatesItsLevelItself() {
    cluster.node("a1", 1, "a", "");
    cluster.node("b1", 2, "b", "");
    cluster.node("a2", 1, "a", "");
    cluster.ledger.podGroupSeen("default", "pg", OptionalInt.of(2), foreign(ZONE));
    var named = Group.ofPodGroup("pg");
    var members =
        IntStream.range(0, 2)
            .mapToObj(i -> Pods.asking("pg" + i, Map.of("nvidia.com/gpu", 2L)))
            .map(pod -> Pods.inGroup(pod, named.name(), named.size()))
            .toList();
    members.forEach(cluster.ledger::seen);

    assertThat(cluster.refusal(members.getFirst()))
        .startsWith("1 of the 2 pods of group PodGroup/pg fit one topology.kubernetes.io/zone (b,");
  }

  @Test
  void theFirstPodOfAGangIsPlacedWhereThereIsRoomForThoseThatDoNotExistYet() {
    cluster.node("a1", 1, "a", "");
    cluster.node("b1", 2, "b", "");
    cluster.node("b2", 1, "b", "");
    var leader =
        Pods.inGroup(
            Pods.asking("leader", Map.of("nvidia.com/gpu", 1L)),
            new Group("lws", 3, foreign(ZONE), true));
    cluster.ledger.seen(leader);

    assertThat(cluster.nodeOf(leader)).startsWith("b");
    assertThat(cluster.ledger.totals().pods())
        .as("nothing is reserved for the others")
        .isEqualTo(1);
    cluster.bind(leader);
    assertThat(cluster.nodesOf(cluster.gang("lws", 3, 2, 1, foreign(ZONE))))
        .allMatch(node -> node.startsWith("b"));

    var large = new Group("large", 4, foreign(ZONE), true);
    var next = Pods.inGroup(Pods.asking("next", Map.of("nvidia.com/gpu", 1L)), large);
    assertThat(cluster.refusal(next))
        .isEqualTo(
            "1 of the 4 pods of group large fit one topology.kubernetes.io/zone (a, the most of"
                + " any); for the next, 1 node: lacks idle GPUs");
  }

  @Test
  void podsThatAskForDevicesByNumberAreKeptTogetherToo() {
    for (var name : List.of("a1", "b1", "b2")) {
      var position = NetworkLabels.KNOWN.position(Map.of(ZONE, name.substring(0, 1)));
      cluster.ledger.seen(Nodes.plain(name, 2).at(position));
      cluster.nodes.add(name);
    }

    assertThat(cluster.nodesOf(cluster.gang("train", 4, 4, 1, required(ZONE))))
        .containsExactly("b1", "b2");
  }

  @Test
  void racksOfOneNameInTwoBlocksAreTwoOnAListOfTheUser() {
    var levels = NetworkLabels.read("example.com/block,example.com/rack");
    var own = new Ledger(10, levels);
    for (var block : List.of("x", "y")) {
      own.seen(
          Nodes.a100(block, 1)
              .at(levels.position(Map.of("example.com/block", block, "example.com/rack", "r1"))));
    }
    var members =
        IntStream.range(0, 2)
            .mapToObj(i -> Pods.asking("t" + i, Map.of("nvidia.com/gpu", 1L)))
            .map(pod -> Pods.inGroup(pod, new Group("t", 2, required("example.com/rack"), false)))
            .toList();
    members.forEach(own::seen);

    assertThat(own.candidates(members.getFirst(), List.of("x", "y"), true, NOW, _ -> 0))
        .isInstanceOf(Candidates.Nowhere.class);
  }
}
