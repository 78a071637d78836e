package io.prescale.placement.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.cluster.GpuDemand;
import io.prescale.placement.cluster.GpuShare;
import io.prescale.placement.cluster.LinkRequirement;
import io.prescale.placement.cluster.LinkRequirement.LinkScope;
import io.prescale.placement.cluster.PackingPolicy.Direction;
import io.prescale.placement.cluster.Partitioning;
import io.prescale.placement.inventory.PodFacts.Container;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DemandReaderTest {
  private final DemandReader reader =
      new DemandReader(family -> Set.of("NVIDIA A100-SXM4-80GB", "NVIDIA H100 NVL"));

  @Test
  void readsAShareOfOneCard() {
    var demand =
        cards(Map.of("nvidia.com/gpu", 1L, "nvidia.com/gpumem", 8000L, "nvidia.com/gpucores", 30L));

    assertThat(demand.shape().gpus()).isEqualTo(1);
    assertThat(demand.shape().demand()).isEqualTo(new GpuDemand.Share(300, 8000));
    assertThat(demand.shape().cards().vendors()).containsExactly("NVIDIA");
    assertThat(demand.units()).as("a plain device plugin cannot share").isEmpty();
  }

  @Test
  void readsWholeCardsThatAPlainDevicePluginCanServeToo() {
    var demand = cards(Map.of("nvidia.com/gpu", 4L));

    assertThat(demand.shape().demand()).isEqualTo(GpuDemand.WholeGpu.ANY);
    assertThat(demand.shape().gpus()).isEqualTo(4);
    assertThat(demand.units()).isEqualTo(Map.of("nvidia.com/gpu", 4L));
  }

  @Test
  void readsAPercentageOfMemoryAsThatPartOfTheCard() {
    assertThat(cards(Map.of("nvidia.com/gpu", 1L, "nvidia.com/gpumem-percentage", 25L)).shape())
        .extracting("demand")
        .isEqualTo(new GpuDemand.Fraction(250));
    assertThat(cards(Map.of("nvidia.com/gpu", 1L, "nvidia.com/gpumem-percentage", 100L)).shape())
        .extracting("demand")
        .isEqualTo(GpuDemand.WholeGpu.ANY);
  }

  @Test
  void convertsIluvatarsUnitsAndItsWebhooksCores() {
    var share =
        cards(
            Map.of(
                "iluvatar.ai/BI-V150-vgpu", 1L,
                "iluvatar.ai/BI-V150.vMem", 16L,
                "iluvatar.ai/BI-V150.vCore", 50L));
    var two = cards(Map.of("iluvatar.ai/BI-V150-vgpu", 2L, "iluvatar.ai/BI-V150.vCore", 200L));

    assertThat(share.shape().demand()).isEqualTo(new GpuDemand.Share(500, 4096));
    assertThat(two.shape().demand()).isEqualTo(GpuDemand.WholeGpu.ANY);
    assertThat(two.cores()).isEqualTo(100);
  }

  @Test
  void roundsAscendUpToATemplate() {
    assertThat(cards(ascend(1, 10_000)).shape().demand()).isEqualTo(new GpuDemand.Share(0, 16_384));
    assertThat(cards(ascend(1, 16_385)).shape().demand()).isEqualTo(new GpuDemand.Share(0, 32_768));
    assertThat(cards(ascend(1, 40_000)).shape().demand()).isEqualTo(new GpuDemand.WholeGpu(40_000));
    assertThat(refusal(ascend(2, 10_000))).contains("only one card can be cut for a pod");
  }

  @Test
  void heedsInWhichWayTheCardIsToBeDivided() {
    assertThat(inMode("mig, mps")).contains(Partitioning.MIG_BY_SIZE, Partitioning.MPS);
    assertThat(inMode("")).isEmpty();
    assertThat(reader.read(shareWith("nvidia.com/vgpu-mode", "magic")))
        .isEqualTo(
            new PodDemand.Refused("nvidia.com/vgpu-mode is \"magic\"; give hami-core, mig or mps"));
  }

  private Set<Partitioning> inMode(String mode) {
    var demand = (PodDemand.Cards) reader.read(shareWith("nvidia.com/vgpu-mode", mode));
    return demand.shape().cards().partitionings();
  }

  private static PodFacts shareWith(String key, String value) {
    var asked = Map.of("nvidia.com/gpu", 1L, "nvidia.com/gpumem", 8000L);
    return Pods.of("p", List.of(new Container("main", false, asked)), Map.of(key, value));
  }

  private static Map<String, Long> ascend(long cards, long memory) {
    return Map.of("huawei.com/Ascend910B3", cards, "huawei.com/Ascend910B3-memory", memory);
  }

  @Test
  void givesEveryContainerItsCards() {
    var share = Map.of("nvidia.com/gpu", 1L, "nvidia.com/gpumem", 100L, "nvidia.com/gpucores", 20L);
    var pod =
        Pods.of(
            "p",
            List.of(
                new Container("init", true, Map.of()),
                new Container("a", false, share),
                new Container("log", false, Map.of()),
                new Container("b", false, share)),
            Map.of());

    var demand = (PodDemand.Cards) reader.read(pod);

    assertThat(demand.perContainer()).containsExactly(0, 1, 0, 1);
    assertThat(
            demand
                .devices(
                    List.of(
                        new GpuShare(0, "GPU-0", 200, 100, Optional.empty()),
                        new GpuShare(1, "GPU-1", 200, 100, Optional.empty())))
                .encode())
        .isEqualTo(";GPU-0,NVIDIA,100,20:;;GPU-1,NVIDIA,100,20:;");
  }

  @Test
  void readsRestrictionsAndPolicies() {
    var pod =
        Pods.of(
            "p",
            List.of(new Container("a", false, Map.of("nvidia.com/gpu", 1L))),
            Map.of(
                "nvidia.com/use-gputype", "a100, b300",
                "nvidia.com/nouse-gpuuuid", "GPU-1,GPU-2",
                "hami.io/node-scheduler-policy", "spread",
                "hami.io/gpu-scheduler-policy", "topology-aware,binpack"));

    var shape = ((PodDemand.Cards) reader.read(pod)).shape();

    assertThat(shape.cards().models()).containsExactly("NVIDIA A100-SXM4-80GB");
    assertThat(shape.cards().excludedUuids()).containsExactlyInAnyOrder("GPU-1", "GPU-2");
    assertThat(shape.packing().nodes()).isEqualTo(Direction.SPREAD);
    assertThat(shape.packing().cards()).isEqualTo(Direction.BINPACK);
    assertThat(shape.links()).isEqualTo(LinkRequirement.preferred());
  }

  @Test
  void acceptsNoCardWhenTheClusterHasNoneOfTheModel() {
    var pod =
        Pods.of(
            "p",
            List.of(new Container("a", false, Map.of("nvidia.com/gpu", 1L))),
            Map.of("nvidia.com/use-gputype", "B300"));

    assertThat(((PodDemand.Cards) reader.read(pod)).shape().cards().models())
        .containsExactly("B300");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          nvidia.com/gpu=-1                        | ask for 0 to 16
          nvidia.com/gpu=17                        | ask for 0 to 16
          nvidia.com/gpu=9223372036854775807       | ask for 0 to 16
          nvidia.com/gpu=1 nvidia.com/gpumem=-1    | ask for 0 to 4194304
          nvidia.com/gpu=1 nvidia.com/gpumem=9223372036854775807 | ask for 0 to 4194304
          nvidia.com/gpu=1 nvidia.com/gpucores=101 | ask for 0 to 100
          nvidia.com/gpu=1 nvidia.com/gpumem-percentage=30 nvidia.com/gpucores=50 | in MiB instead
          nvidia.com/gpu=1 hygon.com/dcunum=1      | ask for one kind
          nvidia.com/gpu=1 nvidia.com/mig-1g.10gb=1 | ask for one kind
          kunlunxin.com/vxpu=1 kunlunxin.com/vxpu-memory=24576 | ask for whole cards
          amd.com/gpu=1 amd.com/gpumem=1000        | ask for whole cards
          huawei.com/Ascend910B3=1 huawei.com/Ascend910B3-core=5 | leave its cores out
          """)
  void saysWhatItCannotServe(String resources, String sentence) {
    assertThat(refusal(resources(resources))).contains(sentence);
  }

  @Test
  void refusesUnequalContainers() {
    var one = new Container("a", false, Map.of("nvidia.com/gpu", 1L, "nvidia.com/gpumem", 100L));
    var other = new Container("b", false, Map.of("nvidia.com/gpu", 1L, "nvidia.com/gpumem", 200L));
    var init = new Container("i", true, Map.of("nvidia.com/gpu", 1L));
    var unequal =
        new PodDemand.Refused(
            "containers ask for cards of different size; make them equal or split the pod");

    assertThat(reader.read(Pods.of("p", List.of(one, other), Map.of()))).isEqualTo(unequal);
    assertThat(reader.read(Pods.of("p", List.of(init, one), Map.of())))
        .as("an init container's cards are those of the others")
        .isEqualTo(unequal);
  }

  @Test
  void anInitContainerHasCardsOfTheOthers() {
    var pod = Pods.of("p", List.of(cards("i", true, 1), cards("a", false, 2)), Map.of());

    var demand = (PodDemand.Cards) reader.read(pod);

    assertThat(demand.shape().gpus()).isEqualTo(2);
    assertThat(demand.devices(List.of(share(0), share(1))).encode())
        .isEqualTo("GPU-0,NVIDIA,100,0:;GPU-0,NVIDIA,100,0:GPU-1,NVIDIA,100,0:;");
  }

  @Test
  void aPodHasAsManyCardsAsItsLargestInitContainer() {
    var pod =
        Pods.of(
            "p", List.of(cards("i", true, 3), cards("j", true, 1), cards("a", false, 2)), Map.of());

    var demand = (PodDemand.Cards) reader.read(pod);

    assertThat(demand.shape().gpus()).isEqualTo(3);
    assertThat(demand.perContainer()).containsExactly(3, 1, 2);
    assertThat(demand.devices(List.of(share(0), share(1), share(2))).containers())
        .extracting(List::size)
        .containsExactly(3, 1, 2);
  }

  private static Container cards(String name, boolean init, long cards) {
    return new Container(name, init, Map.of("nvidia.com/gpu", cards, "nvidia.com/gpumem", 100L));
  }

  private static GpuShare share(int card) {
    return new GpuShare(card, "GPU-" + card, 0, 100, Optional.empty());
  }

  /** HAMi takes it as a condition, so that it must not be passed over. */
  @Test
  void cardsBoundToANumaNodeAreAskedForAsLinks() {
    var bind = Map.of("nvidia.com/numa-bind", "true");
    var two = List.of(cards("a", false, 2));

    assertThat(links(two, bind)).isEqualTo(LinkRequirement.required(LinkScope.NUMA_NODE));
    assertThat(links(List.of(cards("a", false, 1)), bind)).isEqualTo(LinkRequirement.NONE);
    assertThat(links(two, Map.of("nvidia.com/numa-bind", "false"))).isEqualTo(LinkRequirement.NONE);
    assertThat(links(two, Map.of("hami.io/gpu-scheduler-policy", "binpack,numa")))
        .isEqualTo(LinkRequirement.preferred(LinkScope.NUMA_NODE));
    var both = new HashMap<>(bind);
    both.put("gpu.prescale.io/required-links", "numa-node");
    assertThat(links(two, both)).isEqualTo(LinkRequirement.required(LinkScope.NUMA_NODE));
    both.put("gpu.prescale.io/required-links", "nvlink");
    assertThat(((PodDemand.Refused) reader.read(Pods.of("p", two, both))).sentence())
        .isEqualTo(
            "gpu.prescale.io/required-links and nvidia.com/numa-bind are not kept to together;"
                + " leave one out");
  }

  @Test
  void countsMigResourcesAndNothing() {
    assertThat(reader.read(Pods.asking("p", Map.of("nvidia.com/mig-1g.10gb", 2L))))
        .isEqualTo(new PodDemand.Counted(Map.of("nvidia.com/mig-1g.10gb", 2L)));
    assertThat(reader.read(Pods.asking("p", Map.of()))).isEqualTo(new PodDemand.None());
    assertThat(reader.read(Pods.asking("p", Map.of("nvidia.com/gpu", 0L))))
        .isEqualTo(new PodDemand.None());
    assertThat(reader.read(Pods.asking("p", Map.of("nvidia.com/gpumem", 500L))))
        .as("memory alone is one card's")
        .extracting("shape.gpus")
        .isEqualTo(1);
  }

  private LinkRequirement links(List<Container> containers, Map<String, String> annotations) {
    return ((PodDemand.Cards) reader.read(Pods.of("p", containers, annotations))).shape().links();
  }

  private PodDemand.Cards cards(Map<String, Long> resources) {
    return (PodDemand.Cards) reader.read(Pods.asking("p", resources));
  }

  private String refusal(Map<String, Long> resources) {
    return ((PodDemand.Refused) reader.read(Pods.asking("p", resources))).sentence();
  }

  private static Map<String, Long> resources(String text) {
    var resources = new HashMap<String, Long>();
    for (var part : text.split(" ", -1)) {
      resources.put(
          part.substring(0, part.indexOf('=')),
          Long.parseLong(part.substring(part.indexOf('=') + 1)));
    }
    return resources;
  }
}
