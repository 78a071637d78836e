package io.prescale.controller.scheduler.objects;

import static org.assertj.core.api.Assertions.assertThatCode;

import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.prescale.controller.cluster.ObjectEvents;
import io.prescale.controller.scheduler.facts.Facts;
import io.prescale.controller.scheduler.facts.GroupFacts;
import io.prescale.placement.ledger.Ledger;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Objects that the API server admits and that are nothing like what their writers should write. */
class HostileObjectsTest {
  private static final long SEED = 15;
  private static final int OBJECTS = 5_000;

  private static final String MANY_DIGITS = "1".repeat(200_000);

  private static final List<String> KEYS =
      List.of(
          "hami.io/node-nvidia-register",
          "hami.io/node-register-xpu",
          "hami.io/node-dcu-register",
          "hami.io/node-handshake",
          "hami.io/mutex.lock",
          "hami.io/vgpu-devices-allocated",
          "hami.io/vgpu-devices-to-allocate",
          "hami.io/vgpu-mig-allocations",
          "hami.io/vgpu-time",
          "hami.io/vgpu-node",
          "hami.io/bind-phase",
          "hami.io/xpu-devices-allocated",
          "volcano.sh/node-vgpu-register",
          "volcano.sh/vgpu-ids-new",
          "volcano.sh/devices-to-allocate",
          "scheduling.koordinator.sh/device-allocated",
          "nvidia.com/use-gpuuuid",
          "nvidia.com/nouse-gputype",
          "gpu.prescale.io/group",
          "gpu.prescale.io/group-size",
          "leaderworkerset.sigs.k8s.io/size",
          "nvidia.com/gpu.count",
          "nvidia.com/gpu.replicas",
          "nvidia.com/gpu.product",
          "nvidia.com/mig.strategy");

  private static final List<String> RESOURCES =
      List.of(
          "nvidia.com/gpu",
          "nvidia.com/gpumem",
          "nvidia.com/gpucores",
          "nvidia.com/gpumem-percentage",
          "nvidia.com/mig-1g.10gb",
          "nvidia.com/mig-9g.",
          "volcano.sh/vgpu-number",
          "volcano.sh/vgpu-memory",
          "koordinator.sh/gpu-core");

  private static final List<String> WORDS =
      List.of(
          "",
          " ",
          ",",
          ":",
          ";",
          "{",
          "}",
          "[",
          "]",
          "\"",
          "null",
          "true",
          "0",
          "-1",
          "1e999",
          "9223372036854775808",
          "2147483648",
          "NaN",
          "GPU-0",
          "gpu",
          "n",
          "NVIDIA",
          "Requesting_",
          "2026-01-01T00:00:00+20:00",
          "🦉",
          "{\"gpu\":[{\"minor\":0,\"resources\":{}}]}",
          "[{\"id\":\"GPU-0\",\"count\":-1,\"devmem\":1e99}]",
          "GPU-0,10,16384,100,NVIDIA,0,true:",
          "{\"devices\":[{\"type\":\"gpu\",\"minor\":0,\"id\":\"a\"}]}");

  private final SplittableRandom random = new SplittableRandom(SEED);
  private final Ledger ledger = new Ledger(10);

  @Test
  @Timeout(120)
  void noneIsMoreThanTheLedgerCanTake() {
    var nodes = new ObjectEvents<Node>(it -> ledger.seen(Facts.of(it, ledger.levels())), _ -> {});
    var pods = new ObjectEvents<Pod>(it -> ledger.seen(Facts.of(it)), _ -> {});
    for (int i = 0; i < OBJECTS; i++) {
      var node = node();
      var pod = pod();
      var group = generic();
      var device = text();
      assertThatCode(
              () -> {
                nodes.onAdd(node);
                ledger.koordinatorSeen("n" + random.nextInt(3), Optional.of(device));
                ledger.podGroupSeen(
                    "d", "g", PodGroupFeed.least(group), GroupFacts.nearness(group));
                pods.onAdd(pod);
              })
          .as("seed %d: %s %s %s %s", SEED, node, device, group, pod)
          .doesNotThrowAnyException();
    }
  }

  private Node node() {
    return new NodeBuilder()
        .withNewMetadata()
        .withName("n" + random.nextInt(3))
        .withAnnotations(texts())
        .withLabels(texts())
        .endMetadata()
        .withNewStatus()
        .withAllocatable(amounts())
        .endStatus()
        .build();
  }

  private Pod pod() {
    int number = random.nextInt(50);
    return new PodBuilder()
        .withNewMetadata()
        .withNamespace("d")
        .withName("p" + number)
        .withUid("u" + number)
        .withAnnotations(texts())
        .withLabels(texts())
        .endMetadata()
        .withNewSpec()
        .withNodeName(random.nextBoolean() ? "n" + random.nextInt(4) : null)
        .withContainers(
            new ContainerBuilder()
                .withName("c")
                .withNewResources()
                .withLimits(amounts())
                .endResources()
                .build())
        .endSpec()
        .build();
  }

  private GenericKubernetesResource generic() {
    var resource = new GenericKubernetesResource();
    resource.setAdditionalProperty("spec", shape(4));
    return resource;
  }

  /** The places where a reader looks hold maps, lists and scalars in turn. */
  private Object shape(int depth) {
    return switch (depth == 0 ? 0 : random.nextInt(6)) {
      case 0 -> pick(List.of("gang", -1, Integer.MAX_VALUE, Long.MAX_VALUE, 1e300, true, ""));
      case 1 -> List.of(shape(depth - 1));
      default ->
          Map.of(
              "schedulingPolicy", shape(depth - 1),
              "gang", shape(depth - 1),
              "minCount", shape(depth - 1));
    };
  }

  private Map<String, String> texts() {
    var texts = new HashMap<String, String>();
    for (int i = random.nextInt(4); i > 0; i--) {
      texts.put(pick(KEYS), text());
    }
    return texts;
  }

  private String text() {
    var text = new StringBuilder();
    for (int i = random.nextInt(5); i >= 0; i--) {
      text.append(pick(WORDS));
    }
    return text.toString();
  }

  private Map<String, Quantity> amounts() {
    var amounts = new HashMap<String, Quantity>();
    for (int i = random.nextInt(4); i > 0; i--) {
      var amount =
          pick(
              List.of(
                  "0",
                  "1",
                  "-1",
                  "1500m",
                  "9223372036854775807",
                  "1n",
                  "8Ei",
                  "1e3000000",
                  "-1e3000000",
                  "1e-3000000",
                  MANY_DIGITS));
      amounts.put(pick(RESOURCES), new Quantity(amount));
    }
    return amounts;
  }

  private <T> T pick(List<T> values) {
    return values.get(random.nextInt(values.size()));
  }
}
