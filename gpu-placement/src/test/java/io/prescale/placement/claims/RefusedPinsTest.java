package io.prescale.placement.claims;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A pod that kube-scheduler leaves unscheduled wherever its claim is pinned. */
class RefusedPinsTest {
  private final FakeCluster cluster = new FakeCluster();

  /** What kept the pod from a node, such as a taint, may be gone without a change of any claim. */
  @Test
  void whatTheSchedulerHasRefusedOnAllNodesIsTriedOnEachAgain() {
    cluster.slice(Devices.sharedCards("node-a", 1));
    cluster.slice(Devices.sharedCards("node-b", 1));
    cluster.pod("pod", Devices.shares(20, 25));
    var ledger = cluster.ledger();
    writeAll(ledger);
    var nodes = new ArrayList<String>();
    for (int refusal = 0; refusal < 5; refusal++) {
      nodes.add(cluster.claimOf("pod").pin().orElseThrow().node());
      cluster.replace("pod", cluster.pod("pod").current(), false, true, false);
      cluster.tell(ledger, Map.of());
      cluster.now = cluster.now.plus(NextSteps.UNTIL_ELSEWHERE).plusSeconds(1);
      writeAll(ledger);
      writeAll(ledger); // in a round without any news
    }

    assertThat(nodes).containsExactly("node-a", "node-b", "node-a", "node-b", "node-a");
  }

  private void writeAll(ClaimLedger ledger) {
    for (var steps = ledger.steps(cluster.now);
        !steps.isEmpty();
        steps = ledger.steps(cluster.now)) {
      for (var step : steps) {
        var before = Map.copyOf(cluster.claims());
        cluster.write(step);
        cluster.tell(ledger, before);
      }
      cluster.makeClaims();
      cluster.tell(ledger, Map.of());
    }
  }
}
