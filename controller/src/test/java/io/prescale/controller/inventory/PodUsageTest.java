package io.prescale.controller.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.inventory.PodFacts.Container;
import io.prescale.placement.cluster.GpuNode;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PodUsageTest {
  private static final String RECORD = "hami.io/vgpu-devices-allocated";

  private final GpuNode node = GpuNode.of(NodeInventory.read(Nodes.a100("n", 2)).spec());

  @Test
  void countsWhatHamiRecordedAndAddsContainersOnOneCard() {
    var usage = usage(Map.of(RECORD, "GPU-n-1,NVIDIA,3000,30:;GPU-n-1,NVIDIA,1000,20:;"));

    var after = node.with(usage.placement().orElseThrow());
    assertThat(after.freeGpuMemoryMib(1)).isEqualTo(81_920 - 4000);
    assertThat(after.freeComputeMilli(1)).isEqualTo(500);
    assertThat(after.isIdle(0)).isTrue();
    assertThat(usage.problems()).isEmpty();
    assertThat(usage.units()).isEmpty();
  }

  @Test
  void ofInitContainersAndOthersTheLargerCounts() {
    var pod =
        Pods.of(
            "p",
            List.of(
                new Container("i", true, Map.of()),
                new Container("a", false, Map.of()),
                new Container("b", false, Map.of())),
            Map.of());
    var record =
        "GPU-n-0,NVIDIA,5000,10:GPU-n-1,NVIDIA,700,0:;GPU-n-0,NVIDIA,3000,30:;GPU-n-0,NVIDIA,1000,0:;";

    var usage = PodUsage.read(Pods.bound(pod, "n", Map.of(RECORD, record)), node.spec());

    var after = node.with(usage.placement().orElseThrow());
    assertThat(after.freeGpuMemoryMib(0)).isEqualTo(81_920 - 5000);
    assertThat(after.freeComputeMilli(0)).isEqualTo(700);
    assertThat(after.freeGpuMemoryMib(1)).isEqualTo(81_920 - 700);
  }

  @Test
  void countsWhatVolcanoRecorded() {
    var usage = usage(Map.of("volcano.sh/vgpu-ids-new", "GPU-n-0,NVIDIA,3000,30:"));

    assertThat(node.with(usage.placement().orElseThrow()).freeGpuMemoryMib(0))
        .isEqualTo(81_920 - 3000);
  }

  @Test
  void saysWhatItCannotCount() {
    var usage =
        usage(
            Map.of(RECORD, "GPU-x,NVIDIA,3000,30:;", "hami.io/dcu-devices-allocated", "nonsense;"));

    assertThat(usage.placement()).isEmpty();
    assertThat(usage.problems())
        .containsExactlyInAnyOrder(
            "pod default/p holds card \"GPU-x\", which node n does not have.",
            "hami.io/dcu-devices-allocated of pod default/p is not counted: \"nonsense\" is no"
                + " device; it is uuid,type,MiB,cores.");
  }

  @Test
  void neverMakesRoomByAnOverflow() {
    var more = node;
    for (int pod = 0; pod < 100; pod++) {
      var facts =
          Pods.bound(
              Pods.asking("p" + pod, Map.of()),
              "n",
              Map.of(RECORD, "GPU-n-0,NVIDIA,2147483647,2147483647:;"));
      more = more.with(PodUsage.read(facts, node.spec()).placement().orElseThrow());
    }

    assertThat(more.freeGpuMemoryMib(0)).isNegative();
    assertThat(more.freeComputeMilli(0)).isNegative();
  }

  @Test
  void countsUnitsOfPodsWithoutARecord() {
    var pod = Pods.bound(Pods.asking("p", Map.of("nvidia.com/gpu", 3L)), "n", Map.of());

    assertThat(PodUsage.read(pod, node.spec()).units()).isEqualTo(Map.of("nvidia.com/gpu", 3L));
  }

  private PodUsage usage(Map<String, String> annotations) {
    return PodUsage.read(Pods.bound(Pods.asking("p", Map.of()), "n", annotations), node.spec());
  }
}
