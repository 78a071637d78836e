package io.prescale.placement.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.cluster.Gpu;
import io.prescale.placement.cluster.GpuHealth.State;
import io.prescale.placement.cluster.GpuNode;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KoordinatorDevicesTest {
  private static final String DEVICE =
      """
      {"devices":[
        {"type":"gpu","id":"GPU-k1","minor":1,"health":true,"resources":{"koordinator.sh/gpu-core":"100",
         "koordinator.sh/gpu-memory":"80Gi","koordinator.sh/gpu-memory-ratio":"100"}},
        {"type":"rdma","id":"0000:09:00.0","minor":7,"health":true},
        {"type":"gpu","id":"GPU-k0","minor":0,"health":false,"resources":{"koordinator.sh/gpu-memory":"81920Mi"}}
      ]}
      """;

  @Test
  void readsGpusInTheOrderOfTheirMinorNumbers() {
    var cards = inventory(DEVICE).spec().gpus();

    assertThat(cards).extracting(Gpu::uuid).containsExactly("GPU-k0", "GPU-k1");
    assertThat(cards).extracting(Gpu::memoryMib).containsExactly(81_920, 81_920);
    assertThat(cards.getFirst().health().state()).isEqualTo(State.UNHEALTHY);
    assertThat(cards.getLast().health().state()).isEqualTo(State.USABLE);
    assertThat(cards).extracting(Gpu::vendor).as("nobody asks for it").containsOnly("Koordinator");
  }

  @Test
  void countsWhatItsSchedulerGave() {
    var node = GpuNode.of(inventory(DEVICE).spec());
    var usage =
        usage(
            node,
            """
            {"gpu":[{"minor":1,"resources":{"koordinator.sh/gpu-core":"50",
             "koordinator.sh/gpu-memory-ratio":"25"}},
             {"minor":0,"resources":{"koordinator.sh/gpu-core":"100","koordinator.sh/gpu-memory":"8Gi"}}],
             "rdma":[{"minor":0}]}
            """);

    var after = node.with(usage.placement().orElseThrow());
    assertThat(usage.problems()).isEmpty();
    assertThat(after.freeComputeMilli(1)).isEqualTo(500);
    assertThat(after.freeGpuMemoryMib(1)).isEqualTo(81_920 - 20_480);
    assertThat(after.freeComputeMilli(0)).isZero();
    assertThat(after.freeGpuMemoryMib(0)).isEqualTo(81_920 - 8192);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "nonsense",
        "[",
        "{\"gpu\":7}",
        "{\"gpu\":[7]}",
        "{\"gpu\":[{\"minor\":2}]}",
        "{\"gpu\":[{\"minor\":-1}]}",
        "{\"gpu\":[{\"minor\":99999999999}]}",
        "{\"gpu\":[{\"minor\":0,\"resources\":7}]}",
        "{\"gpu\":[{\"minor\":0,\"resources\":{\"koordinator.sh/gpu-core\":\"-5\"}}]}",
        "{\"gpu\":[{\"minor\":0,\"resources\":{\"koordinator.sh/gpu-memory\":\"8Quettabytes\"}}]}",
      })
  void saysWhatItCannotCount(String text) {
    var node = GpuNode.of(inventory(DEVICE).spec());

    var usage = usage(node, text);

    assertThat(usage.placement()).isEmpty();
    assertThat(usage.problems())
        .singleElement()
        .asString()
        .startsWith("scheduling.koordinator.sh/device-allocated of pod default/p is not counted: ");
  }

  @ParameterizedTest
  @CsvSource({
    "koordinator.sh/gpu,100,1",
    "koordinator.sh/gpu-core,150,2",
    "koordinator.sh/gpu-memory-ratio,50,1",
    "koordinator.sh/gpu.shared,2,2",
    "koordinator.sh/gpu-memory,8589934592,1",
    "koordinator.sh/gpu-memory,171798691840,2",
    "nvidia.com/gpu,1,1",
    "nvidia.com/gpu,9223372036854775807,2",
    "koordinator.sh/rdma,100,0",
    "example.com/gpus,2,0",
    "koordinator.sh/gpu,0,0",
    "koordinator.sh/gpu,-100,0",
  })
  void countsAsManyCardsAsThePodRequests(String resource, long amount, int cards) {
    var both =
        "{\"gpu\":[{\"minor\":0,\"resources\":{\"koordinator.sh/gpu-core\":\"10\"}},"
            + "{\"minor\":1,\"resources\":{\"koordinator.sh/gpu-core\":\"10\"}}]}";

    var usage = usage(GpuNode.of(inventory(DEVICE).spec()), both, Map.of(resource, amount));

    assertThat(usage.placement().map(placed -> placed.shares().size()).orElse(0)).isEqualTo(cards);
    assertThat(usage.problems()).hasSize(cards == 1 ? 1 : 0);
  }

  @Test
  void aHugeTextIsNotRead() {
    var usage = usage(GpuNode.of(inventory(DEVICE).spec()), " ".repeat(256 * 1024));

    assertThat(usage.problems()).singleElement().asString().contains("262144 characters");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "nonsense",
        "7",
        "{\"devices\":{}}",
        "{\"devices\":[{\"type\":\"gpu\",\"id\":\"a\",\"minor\":1,\"resources\":{\"koordinator.sh/gpu-memory\":\"1Gi\"}}]}",
        "{\"devices\":[{\"type\":\"gpu\",\"id\":\"a"
            + " b\",\"resources\":{\"koordinator.sh/gpu-memory\":\"1Gi\"}}]}",
        "{\"devices\":[{\"type\":\"gpu\",\"id\":\"a\"}]}",
        "{\"devices\":[{\"type\":\"gpu\",\"id\":\"a\",\"resources\":{\"koordinator.sh/gpu-memory\":\"999999999999999Ti\"}}]}",
        "{\"devices\":[{\"type\":\"gpu\",\"id\":\"a\",\"resources\":{\"koordinator.sh/gpu-memory\":\"1Gi\"}},"
            + "{\"type\":\"gpu\",\"id\":\"b\",\"resources\":{\"koordinator.sh/gpu-memory\":\"1Gi\"}}]}",
      })
  void aDeviceThatMakesNoSenseIsLeftOutWhole(String spec) {
    var inventory = inventory(spec);

    assertThat(inventory.spec().gpus()).isEmpty();
    assertThat(inventory.problems())
        .singleElement()
        .asString()
        .startsWith("Koordinator's Device is left out: ");
  }

  @ParameterizedTest
  @CsvSource({
    "50,1",
    "1048577,2",
    "8Gi,8192",
    "1Ti,1048576",
    "1G,954",
    "999999999999999Ti,8388608"
  })
  void readsQuantities(String text, long mebibytes) throws MalformedEntryException {
    assertThat(Quantities.mebibytes(text)).hasValue(mebibytes);
  }

  private static NodeInventory inventory(String spec) {
    return NodeInventory.read(
        new NodeFacts("n", Map.of(), Map.of(), Map.of(), true, false), Optional.of(spec));
  }

  private static PodUsage usage(GpuNode node, String text) {
    return usage(node, text, Map.of("koordinator.sh/gpu", 200L));
  }

  private static PodUsage usage(GpuNode node, String text, Map<String, Long> requests) {
    var annotations = Map.of("scheduling.koordinator.sh/device-allocated", text);
    return PodUsage.read(Pods.bound(Pods.asking("p", requests), "n", annotations), node.spec());
  }
}
