package io.prescale.controller.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.prescale.controller.inventory.IndependentDecoder;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The real kube-scheduler with the extender, on fake nodes that carry HAMi's annotations of four
 * vendors.
 */
class ExtenderLabIT {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /**
   * A pod that waits is tried again when something changes that the scheduler sees; where it asks
   * before the extender has seen the same, only after five minutes.
   */
  private static final Duration UNTIL_TRIED_AGAIN = Duration.ofMinutes(6);

  private static final int NODES_OF_A_VENDOR = 5;
  private static final int CARDS = 4;

  private static @Nullable Lab lab;
  private static @Nullable ExtenderInLab installed;
  private static @Nullable KubernetesClient client;
  private static @Nullable HamiPlugins plugins;
  private PrescaleInLab.@Nullable Replica extender;

  /** What tests need to know of a vendor. */
  private enum Vendor {
    NVIDIA("nvidia.com/gpu", "nvidia.com/gpumem", "hami.io/vgpu-devices-allocated", 40_960) {
      @Override
      String annotation(String node, boolean healthy) {
        var cards =
            cardNames(node)
                .map(
                    uuid ->
                        """
                        {"id":"%s","count":10,"devmem":40960,"devcore":100,\
                        "type":"NVIDIA A100-SXM4-40GB","mode":"hami-core","health":%s}\
                        """
                            .formatted(uuid, healthy || !uuid.endsWith("-0")))
                .collect(Collectors.joining(",", "[", "]"));
        return "hami.io/node-nvidia-register: '%s'".formatted(cards);
      }
    },
    HYGON("hygon.com/dcunum", "hygon.com/dcumem", "hami.io/dcu-devices-allocated", 32_768) {
      @Override
      String annotation(String node, boolean healthy) {
        return "hami.io/node-dcu-register: '%s'".formatted(text(node, 32_768, "DCU-Z100"));
      }
    },
    ILUVATAR(
        "iluvatar.ai/BI-V150-vgpu",
        "iluvatar.ai/BI-V150.vMem",
        "hami.io/BI-V150-devices-allocated",
        32_768) {
      @Override
      String annotation(String node, boolean healthy) {
        return "hami.io/node-BI-V150-register: '%s'".formatted(text(node, 32_768, "BI-V150"));
      }

      @Override
      long memory(int mib) {
        return mib / 256;
      }
    },
    ASCEND(
        "huawei.com/Ascend910B3",
        "huawei.com/Ascend910B3-memory",
        "hami.io/Ascend910B3-devices-allocated",
        65_536) {
      @Override
      String annotation(String node, boolean healthy) {
        var cards =
            cardNames(node)
                .map(
                    uuid ->
                        """
                        {"id":"%s","count":4,"devmem":65536,"devcore":20,\
                        "type":"Ascend910B3","health":true,"customInfo":{"NetworkID":1}}\
                        """
                            .formatted(uuid))
                .collect(Collectors.joining(",", "[", "]"));
        return "hami.io/node-register-Ascend910B3: '%s'".formatted(cards);
      }
    };

    private final String count;
    private final String memory;
    private final String record;
    private final int cardMib;

    Vendor(String count, String memory, String record, int cardMib) {
      this.count = count;
      this.memory = memory;
      this.record = record;
      this.cardMib = cardMib;
    }

    abstract String annotation(String node, boolean healthy);

    long memory(int mib) {
      return mib;
    }

    String node(int number) {
      return name().toLowerCase(Locale.ROOT) + "-" + number;
    }

    static Stream<String> cardNames(String node) {
      return IntStream.range(0, CARDS).mapToObj(card -> "CARD-" + node + "-" + card);
    }

    static String text(String node, int memory, String type) {
      return cardNames(node)
          .map(uuid -> "%s,10,%d,100,%s,0,true:".formatted(uuid, memory, type))
          .collect(Collectors.joining());
    }
  }

  @BeforeAll
  static void startLab(@TempDir Path folder) throws IOException, InterruptedException {
    int port = PrescaleInLab.freePort();
    var scheduler = ExtenderInLab.schedulerConfiguration(folder, port);
    var started = Lab.start("--nodes=0", "--pod-start-delay=1s", "--scheduler-config=" + scheduler);
    lab = started;
    installed = ExtenderInLab.install(started, folder, port);
    client = LabObjects.client(started);
    plugins = new HamiPlugins(client);
    var nodes = new StringBuilder();
    for (var vendor : Vendor.values()) {
      for (int number = 0; number < NODES_OF_A_VENDOR; number++) {
        var name = vendor.node(number);
        nodes.append(node(name, vendor.count, vendor.annotation(name, true)));
      }
    }
    started.apply(nodes.toString());
  }

  private static String node(String name, String resource, String annotations) {
    return """
    ---
    apiVersion: v1
    kind: Node
    metadata: {name: %1$s, annotations: {%3$s}}
    status:
      capacity: {cpu: "128", memory: 1Ti, pods: "250", %2$s: "40"}
      allocatable: {cpu: "128", memory: 1Ti, pods: "250", %2$s: "40"}
    """
        .formatted(name, resource, annotations);
  }

  @AfterAll
  static void stopLab() {
    if (plugins != null) {
      plugins.close();
    }
    if (client != null) {
      client.close();
    }
    if (lab != null) {
      lab.close();
    }
  }

  @BeforeEach
  void startExtender() throws IOException, InterruptedException {
    extender = installed().start("extender");
  }

  @AfterEach
  void stopExtender() throws IOException, InterruptedException {
    lab().kubectl("delete", "pods", "--all", "--namespace=default", "--grace-period=0", "--force");
    if (extender != null) {
      extender.close();
    }
  }

  @Test
  void sharesOfFourVendorsLandAsDecidedAndDecode() throws Exception {
    for (var vendor : Vendor.values()) {
      lab().apply(pods(vendor, "share", 6, 16_384));
    }
    awaitBound(24);

    for (var vendor : Vendor.values()) {
      var pods = podsOf(vendor);
      assertThat(pods).hasSize(6);
      for (var pod : pods) {
        var devices = IndependentDecoder.decode(annotation(pod, vendor.record));
        assertThat(devices).hasSize(1);
        assertThat(devices.getFirst().memoryMib()).isEqualTo(16_384);
        assertThat(devices.getFirst().container()).isZero();
        assertThat(devices.getFirst().uuid())
            .startsWith("CARD-" + pod.getSpec().getNodeName() + "-");
        assertThat(annotation(pod, "hami.io/vgpu-node")).isEqualTo(pod.getSpec().getNodeName());
        assertThat(pod.getMetadata().getLabels())
            .containsEntry("hami.io/vgpu-node", pod.getSpec().getNodeName());
      }
      assertNoCardIsOverPromised(vendor);
    }
    assertThat(podsOf(Vendor.NVIDIA).stream().map(pod -> pod.getSpec().getNodeName()).distinct())
        .as("six fit one node; the next is taken when four wait for its device plugin")
        .hasSizeLessThanOrEqualTo(2);
  }

  @Test
  void aBurstSurvivesTheDeathOfTheExtenderAndLeavesNothingBehind() throws Exception {
    int pods = 150;
    lab().apply(pods(Vendor.NVIDIA, "burst", 40, 16_384));
    lab().apply(pods(Vendor.HYGON, "burst", 40, 16_384));
    lab().apply(pods(Vendor.ASCEND, "burst", 70, 10_000));
    await().atMost(PATIENCE).until(() -> bound() > 20);
    extender().kill();
    int atDeath = bound();
    extender = installed().start("extender-again");

    assertThat(atDeath).as("killed in the middle").isLessThan(pods);
    awaitBound(pods);
    for (var vendor : Vendor.values()) {
      assertNoCardIsOverPromised(vendor);
    }
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(unserved()).isEmpty());
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(locks()).isEmpty());
    assertThat(plugins().complaints()).isEmpty();
  }

  @Test
  void fullCardsRefuseWithAReasonUntilThereIsRoom() throws Exception {
    lab().apply(pods(Vendor.ILUVATAR, "full", NODES_OF_A_VENDOR * CARDS, 32_768));
    awaitBound(NODES_OF_A_VENDOR * CARDS);
    lab().apply(pods(Vendor.ILUVATAR, "late", 1, 256));

    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(lab().kubectl("get", "pod", "iluvatar-late-0", "-o", "yaml"))
                    .contains("GPU: lacks memory"));
    lab().kubectl("delete", "pod", "iluvatar-full-7", "--grace-period=0", "--force");
    await()
        .atMost(UNTIL_TRIED_AGAIN)
        .untilAsserted(() -> assertThat(bound()).isEqualTo(NODES_OF_A_VENDOR * CARDS));
    assertNoCardIsOverPromised(Vendor.ILUVATAR);
  }

  @Test
  void sickAndCordonedCardsAndNonsenseAreLeftOutWithAReason() throws Exception {
    var sick = Vendor.NVIDIA.node(0);
    var cordoned = Vendor.NVIDIA.node(1);
    lab()
        .apply(
            node(
                "mad-0",
                "nvidia.com/gpu",
                "hami.io/node-nvidia-register: '[{\"id\":\"CARD-mad\",\"devmem\":-1}, 7]'"));
    lab()
        .apply(
            node(
                "twin-0", "nvidia.com/gpu", Vendor.NVIDIA.annotation(Vendor.NVIDIA.node(2), true)));
    lab().apply(node(sick, "nvidia.com/gpu", Vendor.NVIDIA.annotation(sick, false)));
    lab().kubectl("annotate", "node", cordoned, "hami.io/device-cordon=CARD-" + cordoned + "-1");
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(installed().get("/problems"))
                    .contains("card 1 of hami.io/node-nvidia-register is left out")
                    .contains("is not used: node nvidia-2 registers it too"));

    // All that is left: 20 cards without a sick and a cordoned one.
    lab().apply(pods(Vendor.NVIDIA, "whole", 20, 40_960));
    awaitBound(18);
    await()
        .during(Duration.ofSeconds(2))
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(bound()).isEqualTo(18));

    assertThat(used(Vendor.NVIDIA))
        .doesNotContainKeys("CARD-" + sick + "-0", "CARD-" + cordoned + "-1");
    assertNoCardIsOverPromised(Vendor.NVIDIA);
    lab().kubectl("delete", "node", "mad-0", "twin-0");
    lab().apply(node(sick, "nvidia.com/gpu", Vendor.NVIDIA.annotation(sick, true)));
    lab().kubectl("annotate", "node", cordoned, "hami.io/device-cordon-");
    awaitBound(20);
  }

  @Test
  void aDeadLockIsClearedAndADryRunLeavesNothing() throws Exception {
    var node = Vendor.HYGON.node(0);
    lab()
        .kubectl(
            "annotate", "node", node, "hami.io/mutex.lock=2026-01-01T00:00:00Z,default,nobody");
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(locks()).isEmpty());

    var whole = lab().kubectl("get", "nodes", "-o", "json");
    var pod =
        """
        {"metadata":{"name":"dry","namespace":"default","uid":"dry"},"spec":{"containers":[{"name":"c",
         "resources":{"limits":{"hygon.com/dcunum":"1","hygon.com/dcumem":"32768"}}}]}}\
        """;
    var answer = installed().post("/filter", "{\"Pod\":%s,\"Nodes\":%s}".formatted(pod, whole));
    assertThat(answer).contains("\"NodeNames\":null").contains("\"name\":\"hygon-0\"");
    assertThat(installed().get("/metrics")).contains("prescale_gpu_memory_held_mebibytes 0.0");
  }

  @Test
  void aSecondReplicaAnswersWithTheSameBookingsWhenTheFirstDies() throws Exception {
    var lease = "--lease=prescale/prescale-scheduler";
    extender().close();
    extender = installed().start("extender-first", lease, "--identity=first");
    lab().apply(pods(Vendor.NVIDIA, "before", 10, 16_384));
    awaitBound(10);
    var other = installed().beside();
    try (var _ = other.launch("extender-second", lease, "--identity=second")) {
      await().atMost(PATIENCE).until(() -> heldBy(other).contains("held_mebibytes 163840.0"));
      assertThat(other.isReady()).as("one answers").isFalse();

      extender().kill();
      await().atMost(Duration.ofSeconds(25)).until(other::isReady);

      assertThat(heldBy(other)).contains("held_mebibytes 163840.0");
    }
    extender = installed().start("extender-third");
  }

  private static String heldBy(ExtenderInLab replica) throws InterruptedException {
    try {
      return replica.get("/metrics");
    } catch (IOException _) {
      return "";
    }
  }

  private static String pods(Vendor vendor, String name, int count, int memoryMib) {
    var text = new StringBuilder();
    for (int pod = 0; pod < count; pod++) {
      text.append(
          """
          ---
          apiVersion: v1
          kind: Pod
          metadata:
            name: %1$s-%2$s-%3$d
            namespace: default
            labels: {vendor: %1$s}
          spec:
            containers:
            - {name: main, image: model, resources: {limits: {%4$s: "1", %5$s: "%6$d"}}}
          """
              .formatted(
                  vendor.name().toLowerCase(Locale.ROOT),
                  name,
                  pod,
                  vendor.count,
                  vendor.memory,
                  vendor.memory(memoryMib)));
    }
    return text.toString();
  }

  private static void awaitBound(int pods) {
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(bound()).isEqualTo(pods));
  }

  private static int bound() {
    return (int) all().stream().filter(pod -> pod.getSpec().getNodeName() != null).count();
  }

  private static List<Pod> all() {
    return client().pods().inNamespace("default").list().getItems();
  }

  private static List<Pod> podsOf(Vendor vendor) {
    var label = vendor.name().toLowerCase(Locale.ROOT);
    return all().stream()
        .filter(pod -> label.equals(pod.getMetadata().getLabels().get("vendor")))
        .toList();
  }

  /** Memory that is used of each card, in MiB, as the pods on nodes have it written. */
  private static Map<String, Integer> used(Vendor vendor) {
    var used = new TreeMap<String, Integer>();
    for (var pod : podsOf(vendor)) {
      if (pod.getSpec().getNodeName() != null) {
        for (var device : IndependentDecoder.decode(annotation(pod, vendor.record))) {
          used.merge(device.uuid(), device.memoryMib(), Integer::sum);
        }
      }
    }
    return used;
  }

  private static void assertNoCardIsOverPromised(Vendor vendor) {
    assertThat(used(vendor))
        .allSatisfy((_, mib) -> assertThat(mib).isLessThanOrEqualTo(vendor.cardMib));
  }

  private static String annotation(Pod pod, String key) {
    return pod.getMetadata().getAnnotations().getOrDefault(key, "");
  }

  /** Pods whose devices the plugins have not given them. */
  private static List<String> unserved() {
    return all().stream()
        .filter(pod -> !annotation(pod, "hami.io/bind-phase").equals("success"))
        .map(pod -> pod.getMetadata().getName())
        .toList();
  }

  private static Map<String, String> locks() {
    var locks = new HashMap<String, String>();
    for (var node : client().nodes().list().getItems()) {
      var lock = node.getMetadata().getAnnotations().get("hami.io/mutex.lock");
      if (lock != null) {
        locks.put(node.getMetadata().getName(), lock);
      }
    }
    return locks;
  }

  private PrescaleInLab.Replica extender() {
    return Objects.requireNonNull(extender);
  }

  private static Lab lab() {
    return Objects.requireNonNull(lab);
  }

  private static ExtenderInLab installed() {
    return Objects.requireNonNull(installed);
  }

  private static KubernetesClient client() {
    return Objects.requireNonNull(client);
  }

  private static HamiPlugins plugins() {
    return Objects.requireNonNull(plugins);
  }
}
