package io.prescale.placement.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.cluster.Gpu;
import io.prescale.placement.cluster.GpuHealth.State;
import io.prescale.placement.cluster.NodeSpec.Readiness;
import io.prescale.placement.topology.LinkMatrix;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class NodeInventoryTest {
  @Test
  void readsCardsCordonAndLinks() {
    var inventory =
        Nodes.inventory(
            Nodes.a100(
                "n",
                3,
                Map.of(
                    "hami.io/device-cordon",
                    "GPU-n-1, GPU-other",
                    "hami.io/node-nvidia-score",
                    """
                    [{"uuid":"GPU-n-0","score":{"GPU-n-1":1200,"GPU-n-2":20,"GPU-x":5}},
                     {"uuid":"GPU-n-1","score":{"GPU-n-0":1200}},
                     {"uuid":"GPU-n-2","score":{"GPU-n-0":10}},
                     {"uuid":"GPU-x","score":{}}]
                    """)));

    assertThat(inventory.spec().gpus()).hasSize(3);
    assertThat(inventory.spec().gpus())
        .extracting(gpu -> gpu.health().state())
        .containsExactly(State.USABLE, State.CORDONED, State.USABLE);
    var links = inventory.spec().links().orElseThrow();
    assertThat(links.score(0, 1)).isEqualTo(1200);
    assertThat(links.score(0, 2)).as("the two directions differ").isZero();
    assertThat(inventory.problems())
        .containsExactly(
            "hami.io/device-cordon names \"GPU-other\", which the node does not have.");
    assertThat(inventory.counted()).isEmpty();
  }

  @Test
  void knowsNothingOfLinksWhenTheScoresAreMalformed() {
    for (var text :
        new String[] {
          "",
          "{}",
          "[",
          "[3]",
          "[{\"uuid\":7}]",
          "[{\"uuid\":\"GPU-n-0\",\"score\":{\"GPU-n-1\":-4}}]",
          "[{\"uuid\":\"GPU-n-0\",\"score\":{\"GPU-n-1\":6461}}]",
          "[{\"uuid\":\"GPU-n-0\",\"score\":{\"GPU-n-1\":9223372036854775807}}]"
        }) {
      var inventory =
          Nodes.inventory(Nodes.a100("n", 2, Map.of("hami.io/node-nvidia-score", text)));

      assertThat(inventory.spec().gpus()).hasSize(2);
      assertThat(inventory.spec().links()).as(text).isEmpty();
      assertThat(inventory.problems()).hasSize(1);
    }
  }

  /** HAMi leaves a zero out. */
  @Test
  void knowsTheNumaNodesThatAreRegistered() {
    assertThat(numa("[{%s},{%s,'numa':1},{%s,'numa':1},{%s,'numa':'x'}]"))
        .isEqualTo(
            LinkMatrix.ofNumaNodes(
                List.of(
                    OptionalInt.of(0), OptionalInt.of(1), OptionalInt.of(1), OptionalInt.empty()),
                Optional.empty()));
    assertThat(numa("GPU-0,10,81920,100,A,0,true:GPU-1,10,81920,100,A,1,true:"))
        .isEqualTo(
            LinkMatrix.ofNumaNodes(
                List.of(OptionalInt.of(0), OptionalInt.of(1)), Optional.empty()));
  }

  /** A plugin that does not know leaves the number out as well, or writes what Linux says. */
  @Test
  void oneNumaNodeForAllCardsSaysNothingWhereLinksAreKnown() {
    var scores =
        "[{\"uuid\":\"GPU-n-0\",\"score\":{\"GPU-n-1\":10}},{\"uuid\":\"GPU-n-1\",\"score\":{\"GPU-n-0\":10}}]";

    assertThat(Nodes.inventory(Nodes.a100("n", 2)).spec().numa()).isPresent();
    assertThat(
            Nodes.inventory(Nodes.a100("n", 2, Map.of("hami.io/node-nvidia-score", scores)))
                .spec()
                .numa())
        .isEmpty();
    assertThat(numa("GPU-0,10,81920,100,A,-1,true:GPU-1,10,81920,100,A,1,true:"))
        .isEqualTo(
            LinkMatrix.ofNumaNodes(
                List.of(OptionalInt.empty(), OptionalInt.of(1)), Optional.empty()));
  }

  private static LinkMatrix numa(String registration) {
    int card = 0;
    var text = registration.replace('\'', '"');
    while (text.contains("%s")) {
      var fields =
          "\"id\":\"GPU-%d\",\"count\":10,\"devmem\":81920,\"devcore\":100,\"type\":\"A\",\"health\":true"
              .formatted(card++);
      text = text.replaceFirst("%s", fields);
    }
    var node =
        new NodeFacts(
            "n",
            Map.of(),
            Map.of("hami.io/node-nvidia-register", text),
            Map.of("nvidia.com/gpu", 40L),
            true,
            false);
    return Nodes.inventory(node).spec().numa().orElseThrow();
  }

  @Test
  void usesNoCardWhoseDevicePluginIsGone() {
    var with = Nodes.a100("n", 2);
    var without =
        new NodeFacts("n", Map.of(), with.annotations(), Map.of("nvidia.com/gpu", 0L), true, false);

    var inventory = Nodes.inventory(without);

    assertThat(inventory.spec().gpus())
        .extracting(gpu -> gpu.health().state())
        .containsOnly(State.UNHEALTHY);
    assertThat(inventory.problems())
        .containsExactly(
            "hami.io/node-nvidia-register is registered, but the kubelet offers no nvidia.com/gpu:"
                + " the device plugin is gone, so its cards are not used.");
  }

  @Test
  void saysWhichCardsTheirDevicePluginReportsAsSick() {
    var two = Nodes.a100("n", 2);
    var register = Nodes.a100Register("n", 2).replaceFirst("true}]$", "false}]");
    var annotations = Map.of(Families.NVIDIA.registerKey(), register);
    var served = new NodeFacts("n", Map.of(), annotations, two.allocatable(), true, false);
    var gone = new NodeFacts("n", Map.of(), annotations, Map.of(), true, false);

    assertThat(Nodes.inventory(served).problems())
        .containsExactly("card GPU-n-1 is not used: its node registers it as sick.");
    assertThat(Nodes.inventory(gone).problems())
        .as("a sentence of all its cards")
        .singleElement()
        .asString()
        .contains("the device plugin is gone");
  }

  @Test
  void countsDevicesThatTheKubeletChoosesAmong() {
    var inventory = Nodes.inventory(Nodes.plain("n", 8));

    assertThat(inventory.spec().gpus()).isEmpty();
    assertThat(inventory.counted())
        .isEqualTo(Map.of("nvidia.com/gpu", 8L, "nvidia.com/mig-1g.10gb", 2L));
    assertThat(inventory.model()).contains("NVIDIA-L4");
    assertThat(inventory.problems()).isEmpty();
  }

  @Test
  void takesAtMostSixteenCards() {
    var inventory = Nodes.inventory(Nodes.a100("n", 18));

    assertThat(inventory.spec().gpus()).hasSize(16);
    assertThat(inventory.problems())
        .containsExactly(
            "card GPU-n-16 is left out: a node has at most 16 cards.",
            "card GPU-n-17 is left out: a node has at most 16 cards.");
  }

  @Test
  void readsTwoFamiliesOfOneNodeAndACardOfBothOnce() {
    var node =
        new NodeFacts(
            "n",
            Map.of(),
            Map.of(
                Families.NVIDIA.registerKey(),
                Nodes.a100Register("n", 1),
                Families.HYGON.registerKey(),
                "DCU-0,4,32768,100,Z100,0,true:GPU-n-0,4,32768,100,Z100,0,true:"),
            Map.of("nvidia.com/gpu", 10L, "hygon.com/dcunum", 4L),
            true,
            true);

    var inventory = Nodes.inventory(node);

    assertThat(inventory.spec().gpus()).extracting(Gpu::uuid).containsExactly("GPU-n-0", "DCU-0");
    assertThat(inventory.spec().readiness()).isEqualTo(Readiness.CORDONED);
    assertThat(inventory.problems())
        .containsExactly("card GPU-n-0 is left out: two families register it.");
  }

  @Test
  void readsVolcanosCardsForTheirPodsToBeCounted() {
    var inventory =
        Nodes.inventory(
            new NodeFacts(
                "n",
                Map.of(),
                Map.of(
                    "volcano.sh/node-vgpu-register",
                    "GPU-a,10,1000,NVIDIA-A100,true,hami-core:GPU-b,10,1000,NVIDIA,false,:GPU-c,10:"
                        + "GPU-d,10,-1,NVIDIA,true,:GPU-e,10,1000,NVIDIA,yes,:"),
                Map.of("volcano.sh/vgpu-number", 10L),
                false,
                false));

    var cards = inventory.spec().gpus();
    assertThat(cards).extracting(Gpu::uuid).containsExactly("GPU-a", "GPU-b");
    assertThat(cards.getFirst().memoryMib()).isEqualTo(1000);
    assertThat(cards.getLast().health().state()).isEqualTo(State.UNHEALTHY);
    assertThat(inventory.problems())
        .hasSize(4)
        .contains(
            "card GPU-b is not used: its node registers it as sick.",
            "card 3 of volcano.sh/node-vgpu-register is left out: it has 2 fields; give 6.",
            "card 5 of volcano.sh/node-vgpu-register is left out: health is \"yes\"; give true or"
                + " false.");
    assertThat(inventory.counted()).isEmpty();
    assertThat(inventory.spec().readiness()).isEqualTo(Readiness.NOT_READY);
  }
}
