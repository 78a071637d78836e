package io.prescale.placement.ledger;

import static io.prescale.placement.ledger.NetworkedLedger.NOW;
import static io.prescale.placement.ledger.NetworkedLedger.RECORD;
import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.inventory.Nearness;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.inventory.Pods;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is said of the places of a gang's pods, and pods of a gang that wait for each other. */
class GangDecisionsTest {
  private final NetworkedLedger network = new NetworkedLedger();

  private List<String> reasons() {
    return network.ledger.decisions().reversed().stream().map(PlacementDecision::reason).toList();
  }

  /** The search lists more nodes than are on a shortlist, and for later pods only the best. */
  @Test
  void noMoreNodesAreOnAShortlistThanTheLedgerSays() {
    for (int node = 0; node < 100; node++) {
      network.node("n" + node, 2, "z", "l");
    }
    var gang = network.gang("gang", 4, 4, 1, Nearness.ANYWHERE);

    gang.forEach(network::bind);

    assertThat(reasons())
        .containsExactly(
            "the best of 10 nodes on the shortlist",
            "the best of the nodes that fit",
            "the best of the nodes that fit",
            "the best of the nodes that fit");
  }

  @Test
  void aNodeIsTheOnlyOneWhereNoOtherFits() {
    network.node("a", 8, "z", "l");
    network.node("b", 1, "z", "l");
    network.gang("gang", 2, 2, 2, Nearness.ANYWHERE).forEach(network::bind);

    assertThat(reasons()).containsOnly("the only node that fits");
  }

  /** The card of node a is kept for the nominated pod until that has a place beside another. */
  @Test
  void whereCardsWereKeptForAPodOfTheGangTheNextOneIsPlaced() {
    network.node("a", 1, "z", "l");
    network.node("b", 1, "z", "l");
    var record = Map.of(RECORD, "GPU-b-0,NVIDIA,40000,0:;");
    network.ledger.seen(Pods.bound(Pods.asking("p", Map.of("nvidia.com/gpu", 1L)), "b", record));
    var whole = Map.of("nvidia.com/gpu", 1L);
    var share = Map.of("nvidia.com/gpu", 1L, "nvidia.com/gpumem", 10_000L);
    var first = member("g0", whole, 0);
    var nominated = Pods.nominated(member("g1", share, 10), "a");
    var last = member("g2", whole, 0);
    List.of(first, nominated, last).forEach(network.ledger::seen);

    assertThat(network.offer(first).isRefusal()).as("two of the three are enough").isTrue();
    assertThat(network.nodeOf(nominated)).isEqualTo("b");
    assertThat(network.nodeOf(last)).isEqualTo("a");
    assertThat(network.ledger.candidates(last, network.nodes, true, NOW, _ -> 0))
        .isEqualTo(new Candidates.Nodes(List.of("a")));
  }

  private static PodFacts member(String name, Map<String, Long> asks, int priority) {
    return Pods.inGroup(Pods.withPriority(Pods.asking(name, asks), priority), "gang", 2);
  }
}
