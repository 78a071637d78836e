package io.prescale.placement.claims;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.claims.Claim.Request;
import io.prescale.placement.cluster.LinkRequirement;
import io.prescale.placement.cluster.LinkRequirement.LinkScope;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Claims whose constraints require how near their cards are. */
class ClaimLinksTest {
  private final FakeCluster cluster = new FakeCluster();

  private static Step only(List<Step> steps) {
    assertThat(steps).hasSize(1);
    return steps.getFirst();
  }

  @Test
  void cardsOfOnePcieRootAreTakenWhereTheClaimRequiresIt() {
    var root = LinkRequirement.required(LinkScope.PCIE_HOST_BRIDGE);
    cluster.slice(
        Devices.slice(
            "a",
            Devices.on("pci0", Devices.shared("gpu-0", "a-0")),
            Devices.on("pci1", Devices.shared("gpu-1", "a-1")),
            Devices.shared("gpu-2", "a-2"),
            Devices.on("pci1", Devices.shared("gpu-3", "a-3"))));
    cluster.pod("pair", new Request("gpu", 2, List.of(), Devices.share(10, 10), List.of(), root));
    cluster.pod("triple", new Request("gpu", 3, List.of(), Devices.share(10, 10), List.of(), root));
    var ledger = cluster.ledger();

    assertThat(((Step.Pinned) only(ledger.steps(cluster.now))).pin().uuids())
        .containsExactlyInAnyOrder("a-1", "a-3");
    assertThat(ledger.waiting().get("ns/triple")).endsWith("1 lacks the link");
  }

  @Test
  void aSingleCardOfAClaimThatRequiresARootIsOnOne() {
    var root = LinkRequirement.required(LinkScope.PCIE_HOST_BRIDGE);
    var one = new Request("gpu", 1, List.of(), Devices.share(10, 10), List.of(), root);
    cluster.slice(
        Devices.slice(
            "a",
            Devices.shared("gpu-0", "a-0"),
            Devices.on("pci0", Devices.shared("gpu-1", "a-1"))));
    cluster.pod("pod", one);

    assertThat(((Step.Pinned) only(cluster.ledger().steps(cluster.now))).pin().uuids())
        .containsExactly("a-1");
  }

  @Test
  void severalCardsAreOfOneNode() {
    cluster.slice(Devices.sharedCards("a", 1));
    cluster.slice(Devices.sharedCards("b", 2));
    cluster.pod("pod", Devices.request("gpu", 2, List.of(), Devices.share(10, 10)));

    assertThat(((Step.Pinned) only(cluster.ledger().steps(cluster.now))).pin().uuids())
        .containsExactlyInAnyOrder("b-0", "b-1");
  }
}
