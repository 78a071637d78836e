package io.prescale.placement.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.cluster.GpuDemand;
import io.prescale.placement.cluster.GpuNode;
import io.prescale.placement.inventory.PodFacts.Container;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PodUsageTest {
  private static final String RECORD = "hami.io/vgpu-devices-allocated";

  private static final String MIG = "hami.io/vgpu-mig-allocations";

  /** As many cards as the records below name at most. */
  private static final Map<String, Long> ASKED = Map.of("nvidia.com/gpu", 40L);

  private final GpuNode migNode = GpuNode.of(Nodes.inventory(Nodes.mig("m", 2)).spec());
  private final GpuNode node = GpuNode.of(Nodes.inventory(Nodes.a100("n", 2)).spec());

  @Test
  void countsWhatHamiRecordedAndAddsContainersOnOneCard() {
    var usage = usage(Map.of(RECORD, "GPU-n-1,NVIDIA,3000,30:;GPU-n-1,NVIDIA,1000,20:;"));

    var after = node.with(usage.placement().orElseThrow());
    assertThat(after.freeGpuMemoryMib(1)).isEqualTo(81_920 - 4000);
    assertThat(after.freeComputeMilli(1)).isEqualTo(500);
    assertThat(after.isIdle(0)).isTrue();
    assertThat(usage.problems()).isEmpty();
  }

  @Test
  void ofInitContainersAndOthersTheLargerCounts() {
    var pod =
        Pods.of(
            "p",
            List.of(
                new Container("i", true, Map.of("nvidia.com/gpu", 2L)),
                new Container("a", false, Map.of("nvidia.com/gpu", 1L)),
                new Container("b", false, Map.of("nvidia.com/gpu", 1L))),
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
  void putsMigInstancesWhereHamiSaysThatTheyAre() {
    var usage =
        onMig(
            Map.of(
                RECORD,
                "GPU-m-0,NVIDIA,4864,14:GPU-m-0,NVIDIA,4864,14:;",
                MIG,
                """
                [{"containerIndex":0,"deviceIndex":0,"gpuUUID":"GPU-m-0","profile":"1g.5gb",
                  "placement":{"start":6,"size":1},"migUUID":"MIG-x","gpuInstanceID":7,
                  "computeInstanceID":0},
                 {"containerIndex":0,"deviceIndex":1,"gpuUUID":"GPU-m-0","profile":"1g.5gb",
                  "placement":{"start":0,"size":1}}]
                """));

    var after = migNode.with(usage.placement().orElseThrow());
    assertThat(after.migSlices(0)).isEqualTo(0b1000001);
    assertThat(after.freeGpuMemoryMib(0)).isEqualTo(40_960 - 2 * 4864);
    assertThat(usage.problems()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "nonsense",
        "{}",
        "[7]",
        "[{}]",
        "[{\"gpuUUID\":\"GPU-m-0\",\"placement\":{\"start\":-1,\"size\":1}}]",
        "[{\"gpuUUID\":\"GPU-m-0\",\"placement\":{\"start\":15,\"size\":2}}]",
        "[{\"gpuUUID\":\"GPU-m-0\",\"placement\":{\"start\":0,\"size\":99999999999}}]",
        "[{\"gpuUUID\":\"GPU-other\",\"profile\":\"1g.5gb\",\"placement\":{\"size\":1}}]",
        "[{\"gpuUUID\":\"GPU-m-0\",\"deviceIndex\":3,\"placement\":{\"size\":1}}]",
      })
  void holdsAllOfACardOfWhichAnInstanceIsSomewhere(String mig) {
    var usage = onMig(Map.of(RECORD, "GPU-m-0,NVIDIA,4864,14:;", MIG, mig));

    var after = migNode.with(usage.placement().orElseThrow());
    assertThat(after.share(0, new GpuDemand.Share(0, 1))).isEmpty();
    assertThat(usage.problems())
        .contains(
            "pod default/p holds an instance of card \"GPU-m-0\", but hami.io/vgpu-mig-allocations"
                + " does not say which, so no other pod is placed there.");
  }

  @Test
  void sharesOfACardThatIsNotCutAreOneHoweverManyInstancesAreNamed() {
    var mig =
        """
        [{"containerIndex":0,"deviceIndex":0,"gpuUUID":"GPU-n-0","profile":"1g.5gb",
          "placement":{"start":0,"size":1}},
         {"containerIndex":0,"deviceIndex":1,"gpuUUID":"GPU-n-0","profile":"1g.5gb",
          "placement":{"start":1,"size":1}}]
        """;

    var usage = usage(Map.of(RECORD, "GPU-n-0,NVIDIA,500,10:GPU-n-0,NVIDIA,500,10:;", MIG, mig));

    assertThat(usage.placement().orElseThrow().shares()).hasSize(1);
    assertThat(node.with(usage.placement().orElseThrow()).freeGpuMemoryMib(0))
        .isEqualTo(81_920 - 1000);
  }

  @Test
  void holdsAllOfACardWhoseInstancesHamiBefore210Made() {
    var usage = onMig(Map.of(RECORD, "GPU-m-0[1-0],NVIDIA,4864,14:;"));

    var after = migNode.with(usage.placement().orElseThrow());
    assertThat(after.share(0, new GpuDemand.Share(0, 1))).isEmpty();
    assertThat(usage.problems()).hasSize(1);
  }

  @Test
  void saysThatAnAnnotationOfMigInstancesOf256KibIsNotRead() {
    var usage = onMig(Map.of(RECORD, "GPU-m-0,NVIDIA,1,1:;", MIG, "[" + " ".repeat(262_144)));

    assertThat(usage.problems().getFirst())
        .isEqualTo(
            "hami.io/vgpu-mig-allocations of pod default/p is not counted: it has 262145"
                + " characters; at most 65536 are read.");
  }

  @Test
  void holdsWholeCardsForAPodWithMoreInstancesThanARequestMayHave() {
    var record = new StringBuilder();
    var mig = new StringJoiner(",", "[", "]");
    for (int device = 0; device < 40; device++) {
      record.append("GPU-m-%d,NVIDIA,4864,14:".formatted(device % 2));
      mig.add(
          """
          {"containerIndex":0,"deviceIndex":%d,"gpuUUID":"GPU-m-%d","profile":"x",
           "placement":{"start":%d,"size":1}}
          """
              .formatted(device, device % 2, device / 2 % 16));
    }

    var usage = onMig(Map.of(RECORD, record + ";", MIG, mig.toString()));

    var after = migNode.with(usage.placement().orElseThrow());
    assertThat(after.placements().getFirst().shares()).hasSize(2);
    assertThat(after.share(1, new GpuDemand.Share(0, 1))).isEmpty();
  }

  private PodUsage onMig(Map<String, String> annotations) {
    return PodUsage.read(Pods.bound(Pods.asking("p", ASKED), "m", annotations), migNode.spec());
  }

  @Test
  void countsWhatVolcanoRecorded() {
    var usage =
        usage(
            Map.of("volcano.sh/vgpu-number", 1L),
            Map.of("volcano.sh/vgpu-ids-new", "GPU-n-0,NVIDIA,3000,30:"));

    assertThat(node.with(usage.placement().orElseThrow()).freeGpuMemoryMib(0))
        .isEqualTo(81_920 - 3000);
  }

  @Test
  void saysWhatItCannotCount() {
    var usage =
        usage(
            Map.of("nvidia.com/gpu", 1L, "hygon.com/dcunum", 1L),
            Map.of(RECORD, "GPU-x,NVIDIA,3000,30:;", "hami.io/dcu-devices-allocated", "nonsense;"));

    assertThat(usage.placement()).isEmpty();
    assertThat(usage.problems())
        .containsExactlyInAnyOrder(
            "pod default/p holds card \"GPU-x\", which node n does not have.",
            "hami.io/dcu-devices-allocated of pod default/p is not counted: \"nonsense\" is not"
                + " a device; write uuid,type,MiB,cores.");
  }

  @Test
  void neverMakesRoomByAnOverflow() {
    var more = node;
    for (int pod = 0; pod < 100; pod++) {
      var facts =
          Pods.bound(
              Pods.asking("p" + pod, ASKED),
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

  @Test
  void countsNoRecordOfAPodThatRequestsNoCard() {
    var claims =
        Map.of(
            RECORD,
            "GPU-n-0,NVIDIA,81920,100:GPU-n-1,NVIDIA,81920,100:;",
            "volcano.sh/vgpu-ids-new",
            "GPU-n-0,NVIDIA,81920,100:");

    assertThat(usage(Map.of(), claims).placement()).isEmpty();
    assertThat(usage(Map.of("cpu.example.com/core", 64L), claims).placement()).isEmpty();
    assertThat(usage(Map.of("nvidia.com/gpu", 0L), claims).placement()).isEmpty();
    assertThat(usage(Map.of("hygon.com/dcunum", 2L), claims).placement()).isEmpty();
    assertThat(usage(Map.of(), claims).problems()).isEmpty();
  }

  @Test
  void countsNoMoreCardsThanThePodRequests() {
    var all = Map.of(RECORD, "GPU-n-0,NVIDIA,100,0:;GPU-n-1,NVIDIA,81920,100:;");

    var usage = usage(Map.of("nvidia.com/gpu", 1L), all);

    var after = node.with(usage.placement().orElseThrow());
    assertThat(after.freeGpuMemoryMib(0)).isEqualTo(81_920 - 100);
    assertThat(after.isIdle(1)).isTrue();
    assertThat(usage.problems())
        .containsExactly(
            RECORD
                + " of pod default/p names 2 cards; 1 are counted, as many as the pod requests.");
    assertThat(usage(Map.of("nvidia.com/gpumem", 100L), all).placement().orElseThrow().shares())
        .as("a request for memory alone is for one card")
        .hasSize(1);
  }

  @Test
  void countsUnitsBesideARecord() {
    var usage = usage(Map.of("nvidia.com/gpu", 3L), Map.of(RECORD, "GPU-n-0,NVIDIA,1,1:;"));

    assertThat(usage.units()).isEqualTo(Map.of("nvidia.com/gpu", 3L));
  }

  private PodUsage usage(Map<String, String> annotations) {
    return usage(ASKED, annotations);
  }

  private PodUsage usage(Map<String, Long> requests, Map<String, String> annotations) {
    return PodUsage.read(Pods.bound(Pods.asking("p", requests), "n", annotations), node.spec());
  }
}
