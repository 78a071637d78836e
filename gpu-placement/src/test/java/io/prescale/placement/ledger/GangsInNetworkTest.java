package io.prescale.placement.ledger;

import static io.prescale.placement.ledger.NetworkedLedger.LAYER_2;
import static io.prescale.placement.ledger.NetworkedLedger.NOW;
import static io.prescale.placement.ledger.NetworkedLedger.RECORD;
import static io.prescale.placement.ledger.NetworkedLedger.ZONE;
import static io.prescale.placement.ledger.NetworkedLedger.required;
import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.inventory.Nearness;
import io.prescale.placement.inventory.NetworkLabels;
import io.prescale.placement.inventory.Nodes;
import io.prescale.placement.inventory.PodFacts.Group;
import io.prescale.placement.inventory.Pods;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Gangs that have to be within one domain of the network. */
class GangsInNetworkTest {
  private final NetworkedLedger cluster = new NetworkedLedger();

  @Test
  void aGangThatFitsOneZoneOnlyIsThereAsAWhole() {
    cluster.node("a1", 2, "a", "");
    cluster.node("a2", 1, "a", "");
    cluster.node("b1", 2, "b", "");
    cluster.node("b2", 2, "b", "");

    assertThat(cluster.nodesOf(cluster.gang("train", 4, 4, 1, required(ZONE))))
        .containsExactly("b1", "b2");
  }

  @Test
  void ofZonesThatHoldAGangTheFullestIsTaken() {
    cluster.node("a1", 4, "a", "");
    cluster.node("b1", 2, "b", "");
    cluster.node("c1", 3, "c", "");

    assertThat(cluster.nodesOf(cluster.gang("train", 2, 2, 1, required(ZONE))))
        .containsExactly("b1");
  }

  @Test
  void aGangThatFitsNoZoneWaitsWithTheBestOfThemAndHoldsNothing() {
    cluster.node("a1", 2, "a", "");
    cluster.node("a2", 1, "a", "");
    cluster.node("b1", 2, "b", "");
    var members = cluster.gang("train", 4, 4, 1, required(ZONE));

    assertThat(cluster.refusal(members.getFirst()))
        .isEqualTo(
            "3 of the 4 pods of group train fit one topology.kubernetes.io/zone (a, the most of"
                + " any); for the next, 2 nodes: lacks idle GPUs");
    assertThat(cluster.ledger.totals().pods()).isZero();
    assertThat(cluster.nodesOf(cluster.gang("other", 5, 5, 1, Nearness.ANYWHERE))).hasSize(3);
  }

  @Test
  void aGangWaitsNoLongerWhenANodeJoinsTheZone() {
    cluster.node("a1", 2, "a", "");
    cluster.node("a2", 1, "a", "");
    cluster.node("b1", 2, "b", "");
    var members = cluster.gang("train", 4, 4, 1, required(ZONE));
    cluster.offer(members.getFirst());
    cluster.ledger.awaken(10, NOW);

    cluster.node("b1", 2, "a", "");

    assertThat(cluster.ledger.awaken(10, NOW)).isNotEmpty();
    assertThat(cluster.nodesOf(members)).containsExactly("a1", "a2", "b1");
  }

  @Test
  void aNodeThatHasLostItsLabelIsInNoZone() {
    cluster.node("a1", 2, "a", "");
    cluster.node("a2", 2, "a", "");
    cluster.node("a2", 2, "", "");
    var members = cluster.gang("train", 2, 2, 2, required(ZONE));

    assertThat(cluster.refusal(members.getFirst()))
        .startsWith("1 of the 2 pods of group train fit one topology.kubernetes.io/zone (a");
    assertThat(cluster.nodesOf(cluster.gang("other", 2, 2, 2, Nearness.ANYWHERE)))
        .containsExactly("a1", "a2");
  }

  @Test
  void theReasonSaysWhichLevelsThereAreWhenOneIsMisspelt() {
    cluster.node("a1", 2, "a", "nn-1");
    var typo = cluster.gang("train", 2, 2, 1, required("topology.kubernetes.io/zoen"));
    var absent = cluster.gang("other", 2, 2, 1, required("nvidia.com/gpu.clique"));

    assertThat(cluster.refusal(typo.getFirst()))
        .isEqualTo(
            "group train has to be within one topology.kubernetes.io/zoen, which is not a level of"
                + " the network here; nodes have topology.kubernetes.io/zone,"
                + " topology.k8s.aws/network-node-layer-2, kubernetes.io/hostname");
    assertThat(((Candidates.Nowhere) cluster.offer(typo.getFirst())).hopeless())
        .as("evicting pods would not help")
        .containsExactlyElementsOf(cluster.nodes);
    assertThat(cluster.refusal(absent.getFirst()))
        .startsWith(
            "group other has to be within one nvidia.com/gpu.clique, and no node that it may use"
                + " has this label; nodes have topology.kubernetes.io/zone, ");
  }

  @Test
  void membersThatAreBoundLeaveNoChoiceOfTheDomain() {
    cluster.node("a1", 1, "a", "");
    cluster.node("b1", 4, "b", "");
    cluster.node("a2", 1, "a", "");
    var members = cluster.gang("train", 2, 2, 1, required(ZONE));
    members.forEach(cluster::bind);
    cluster.ledger.podGone(members.get(1).uid());
    var again = cluster.gang("train", 2, 2, 1, required(ZONE)).get(1);
    cluster.ledger.seen(
        Pods.bound(members.getFirst(), "a1", Map.of(RECORD, "GPU-a1-0,NVIDIA,81920,0:;")));

    assertThat(cluster.nodeOf(again)).isEqualTo("a2");
    cluster.ledger.failed(again.uid(), NOW);
    cluster.ledger.nodeGone("a2");
    cluster.nodes.remove("a2");

    assertThat(cluster.refusal(again))
        .isEqualTo(
            "1 of the 2 pods of group train fit one topology.kubernetes.io/zone (a, where its other"
                + " pods are); for the next, 1 node: lacks idle GPUs");
  }

  /** An independent count: pods of one card fit a zone if it has as many idle cards. */
  @Test
  void inRandomClustersAGangIsWholeInOneZoneExactlyWhenSomeZoneHasTheRoom() {
    int whole = 0;
    for (int seed = 0; seed < 300; seed++) {
      var random = new SplittableRandom(seed);
      var own = new Ledger(10);
      var idle = new HashMap<String, Integer>();
      var zones = new HashMap<String, String>();
      for (int node = 0; node < 6; node++) {
        int cards = 1 + random.nextInt(4);
        var zone = random.nextInt(5) == 0 ? "" : "z" + random.nextInt(3);
        var position = NetworkLabels.KNOWN.position(Map.of(ZONE, zone, LAYER_2, "l" + node));
        own.seen(Nodes.a100("n" + node, cards).at(position));
        zones.put("n" + node, zone);
        idle.merge(zone, cards, Integer::sum);
      }
      idle.remove("");
      int size = 1 + random.nextInt(8);
      var members =
          IntStream.range(0, size)
              .mapToObj(i -> Pods.asking("m" + i, Map.of("nvidia.com/gpu", 1L)))
              .map(pod -> Pods.inGroup(pod, new Group("g", size, required(ZONE), false)))
              .toList();
      members.forEach(own::seen);

      var found =
          members.stream()
              .map(pod -> own.candidates(pod, List.copyOf(zones.keySet()), true, NOW, _ -> 0))
              .toList();

      boolean possible = idle.values().stream().anyMatch(room -> room >= size);
      assertThat(found)
          .as("seed %d", seed)
          .allMatch(each -> each instanceof Candidates.Nodes == possible);
      if (possible) {
        whole++;
        assertThat(
                found.stream()
                    .map(each -> zones.get(((Candidates.Nodes) each).best().getFirst()))
                    .distinct())
            .as("seed %d", seed)
            .hasSize(1)
            .doesNotContain("");
      } else {
        assertThat(own.totals().pods()).isZero();
      }
    }
    assertThat(whole).isBetween(60, 240);
  }
}
