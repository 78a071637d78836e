package io.prescale.placement.ledger;

import static io.prescale.placement.ledger.VendorNode.amounts;
import static io.prescale.placement.ledger.VendorNode.asking;
import static io.prescale.placement.ledger.VendorNode.offering;
import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.cluster.NodePosition;
import io.prescale.placement.inventory.HamiAnnotations;
import io.prescale.placement.inventory.NodeFacts;
import io.prescale.placement.inventory.PodFacts.Container;
import io.prescale.placement.inventory.Pods;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Shares of Cambricon's cards, as its device plugin reads them. */
class CambriconTest {
  private final VendorNode node = new VendorNode();
  private final Ledger ledger = node.ledger;

  /** Two cards of 96 units of 256 MiB. */
  @Test
  void sharesOfCambriconNameSlotComputeAndMemory() {
    ledger.seen(
        offering(
            Map.of("cambricon.com/mlu.smlu.vcore", 200L, "cambricon.com/mlu.smlu.vmemory", 192L)));
    var share =
        "cambricon.com/vmlu=1 cambricon.com/mlu.smlu.vcore=60 cambricon.com/mlu.smlu.vmemory=48";

    var profiles =
        Stream.of("one", "two")
            .map(name -> node.bound(asking(name, share)))
            .peek(
                it ->
                    assertThat(it)
                        .containsEntry("CAMBRICON_DSMLU_ASSIGHED", "false")
                        .containsEntry("CAMBRICON_DSMLU_ASSIGNED", "false"))
            .map(it -> it.getOrDefault("CAMBRICON_DSMLU_PROFILE", ""));

    assertThat(profiles).containsExactlyInAnyOrder("0_60_48", "1_60_48");
    assertThat(node.refusal(asking("three", share))).isEqualTo("lacks compute");
    assertThat(ledger.totals().heldMemoryMib()).isEqualTo(2 * 48 * 256);
    node.bound(asking("rest", "cambricon.com/mlu.smlu.vcore=40 cambricon.com/mlu.smlu.vmemory=48"));
  }

  /** As the plugin does; HAMi's own spelling stays behind. */
  @Test
  void aPodOfCambriconIsHandedOverWhenTheDevicePluginSaysSo() {
    var waiting =
        Map.of(
            "hami.io/bind-phase", "allocating",
            "CAMBRICON_DSMLU_ASSIGHED", "false",
            "CAMBRICON_DSMLU_ASSIGNED", "false");
    var served = new HashMap<>(waiting);
    served.put("CAMBRICON_DSMLU_ASSIGHED", "true");
    var asking = asking("p", "cambricon.com/mlu.smlu.vcore=40 cambricon.com/mlu.smlu.vmemory=8");
    var mlu = Pods.of("p", asking.containers(), waiting);

    assertThat(HamiAnnotations.isAllocating(mlu)).isTrue();
    assertThat(HamiAnnotations.areConfused(asking, mlu)).isTrue();
    assertThat(HamiAnnotations.areConfused(asking("n", "nvidia.com/gpu=1"), mlu)).isFalse();
    assertThat(HamiAnnotations.isAllocating(Pods.of("p", asking.containers(), served))).isFalse();
  }

  /** A user may write any annotation into a pod. */
  @Test
  void theAnnotationsOfCambriconMeanNothingForOtherCards() {
    var annotations =
        Map.of("hami.io/bind-phase", "allocating", "CAMBRICON_DSMLU_ASSIGNED", "true");
    var nvidia = asking("p", "nvidia.com/gpu=1");

    assertThat(HamiAnnotations.isAllocating(Pods.of("p", nvidia.containers(), annotations)))
        .isTrue();
  }

  /** Which of two is sick is not known, and cards are counted by what the node has. */
  @Test
  void aNodeWithASickCardOfCambriconGivesNoneOut() {
    var amounts =
        Map.of("cambricon.com/mlu.smlu.vcore", 200L, "cambricon.com/mlu.smlu.vmemory", 192L);
    var share = "cambricon.com/mlu.smlu.vcore=60 cambricon.com/mlu.smlu.vmemory=48";
    ledger.seen(offering(amounts));
    node.bound(asking("one", share));
    var less = Map.of("cambricon.com/mlu.smlu.vcore", 100L, "cambricon.com/mlu.smlu.vmemory", 96L);
    ledger.seen(
        new NodeFacts(
            "n", Map.of(), Map.of(), less, amounts, true, false, NodePosition.UNKNOWN, Set.of()));

    assertThat(node.refusal(asking("two", share))).isEqualTo("lacks healthy GPUs");
    assertThat(ledger.problems()).isEmpty();
    ledger.seen(offering(amounts));
    node.bound(asking("three", share));
  }

  @Test
  void anInitContainerHasNoShareOfCambricon() {
    var asked = amounts("cambricon.com/mlu.smlu.vcore=10 cambricon.com/mlu.smlu.vmemory=4");
    var pod =
        Pods.of(
            "p",
            List.of(new Container("i", true, asked), new Container("c", false, Map.of())),
            Map.of());
    ledger.seen(offering(amounts("cambricon.com/mlu.smlu.vcore=100")));

    assertThat(node.refusal(pod)).contains("ask for one card in one container");
  }
}
