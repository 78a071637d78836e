package io.prescale.placement.claims;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.cluster.NodeSpec.Readiness;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Claims with our annotations that users wrote, who may create claims in their namespace. */
class ForgedClaimsTest {
  private final FakeCluster cluster = new FakeCluster();

  /** A claim that a user wrote with our annotations. */
  private static Claim written(String namespace, String name, String pod, String... cards) {
    return new Claim(
        new Claim.Key(namespace, name),
        name,
        "1",
        Optional.of(pod),
        Optional.of("gpu"),
        Optional.of(Devices.shares(80, 100)),
        Optional.of(new Claim.Pin("node", List.of(cards))),
        List.of(),
        Instant.EPOCH);
  }

  @Test
  void aPinThatNoPodWaitsForHoldsNothing() {
    cluster.slice(Devices.sharedCards("node", 2));
    cluster.pod("pod", Devices.shares(80, 100));
    var ledger = cluster.ledger();

    ledger.claimSeen(written("ns", "a", "no-pod", "node-0"));
    ledger.claimSeen(written("ns", "b", "pod", "node-0", "node-1"));
    assertThat(ledger.totals().heldMemoryMib()).as("more cards than it requests").isZero();

    for (var name : List.of("c", "d", "e")) {
      ledger.claimSeen(written("ns", name, "pod", "node-" + (name.equals("d") ? 0 : 1)));
    }
    assertThat(ledger.totals().heldMemoryMib()).as("one of many").isLessThanOrEqualTo(80 * 1024);
    ledger.podGone("pod");
    assertThat(ledger.totals().heldMemoryMib()).isZero();
  }

  @Test
  void aPinIsCountedWhenItsPodIsSeenLater() {
    cluster.slice(Devices.sharedCards("node", 1));
    cluster.pod("pod", Devices.shares(20, 25));
    var ledger = cluster.ledger();
    cluster.write(ledger.steps(cluster.now).getFirst());

    var later = new ClaimLedger();
    later.nodeSeen("node", Readiness.READY);
    later.sliceSeen("node", Devices.sharedCards("node", 1));
    cluster.claims().values().forEach(later::claimSeen);
    assertThat(later.totals().heldMemoryMib()).isZero();
    later.podSeen(cluster.pod("pod"));

    assertThat(later.totals().heldMemoryMib()).isEqualTo(20 * 1024);
  }

  @Test
  void aClaimOfAnotherNamespaceReplacesNone() {
    cluster.slice(Devices.sharedCards("node", 2));
    cluster.pod("pod", Devices.shares(20, 25));
    var ledger = cluster.ledger();
    ledger.claimSeen(written("elsewhere", "a", "pod", "node-0"));

    assertThat(ledger.steps(cluster.now)).singleElement().isInstanceOf(Step.Pinned.class);
  }
}
