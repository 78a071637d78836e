package io.prescale.controller.lab;

import static io.prescale.controller.lab.ExtenderCluster.annotation;
import static io.prescale.controller.lab.Patience.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.inventory.IndependentDecoder;
import io.prescale.placement.inventory.Nodes;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The real kube-scheduler with the extender, on fake nodes that carry HAMi's annotations of four
 * vendors.
 */
class ExtenderLabIT {
  /**
   * A pod that waits is woken, and then its back-off of at most ten seconds is waited for; by
   * itself the scheduler tries it again after five minutes.
   */
  private static final Duration UNTIL_TRIED_AGAIN = Duration.ofMinutes(2);

  private static final int NODES_OF_A_VENDOR = 5;
  private static final int CARDS = NODES_OF_A_VENDOR * HamiVendor.CARDS;

  @RegisterExtension
  static final ExtenderOnCluster EXTENDER = new ExtenderOnCluster(NODES_OF_A_VENDOR);

  @Test
  void sharesOfFourVendorsLandAsDecidedAndDecode() throws Exception {
    for (var vendor : HamiVendor.values()) {
      cluster().lab().apply(vendor.pods("share", 6, 16_384));
    }
    cluster().awaitBound(24);

    for (var vendor : HamiVendor.values()) {
      var pods = cluster().podsOf(vendor);
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
    }
    cluster().assertNothingIsDoubleBooked();
  }

  @Test
  void instancesOfACardInMigModeLandAsDecidedAndDecode() throws Exception {
    var lab = cluster().lab();
    var register =
        Nodes.mig("mig-0", 1)
            .annotations()
            .getOrDefault("hami.io/node-nvidia-register", "")
            .replace("GPU-mig", "CARD-mig");
    lab.apply(registering("mig-0", register));
    try {
      var mode = ", annotations: {nvidia.com/vgpu-mode: mig}";
      lab.apply(
          HamiVendor.NVIDIA
              .pods("pair", 1, 4_000, mode)
              .replace("nvidia.com/gpu: \"1\"", "nvidia.com/gpu: \"2\""));
      cluster().awaitBound(1);
      lab.apply(HamiVendor.NVIDIA.pods("mig", 6, 4_000, mode));

      cluster().awaitBound(6);
      patiently()
          .untilAsserted(
              () ->
                  assertThat(lab.kubectl("get", "pods", "-o", "yaml"))
                      .contains("GPU: lacks a free slot"));
      assertThat(migStarts()).containsExactly(0, 1, 2, 3, 4, 5, 6);
      var leaving =
          cluster().podsNamed("nvidia-mig").stream()
              .filter(pod -> pod.getSpec().getNodeName() != null)
              .findFirst()
              .orElseThrow();
      lab.kubectl("delete", "pod", leaving.getMetadata().getName(), "--grace-period=0", "--force");
      cluster().awaitBound(6);
      assertThat(migStarts()).containsExactly(0, 1, 2, 3, 4, 5, 6);
      cluster().assertNothingIsDoubleBooked();
    } finally {
      lab.kubectl("delete", "node", "mig-0");
    }
  }

  private static List<Integer> migStarts() {
    return cluster().podsOf(HamiVendor.NVIDIA).stream()
        .filter(pod -> pod.getSpec().getNodeName() != null)
        .flatMap(
            pod ->
                IndependentDecoder.decodeMig(annotation(pod, "hami.io/vgpu-mig-allocations"))
                    .stream())
        .map(IndependentDecoder.Instance::start)
        .sorted()
        .toList();
  }

  @Test
  void fullCardsRefuseWithAReasonUntilThereIsRoom() throws Exception {
    cluster().lab().apply(HamiVendor.ILUVATAR.pods("full", CARDS, 32_768));
    cluster().awaitBound(CARDS);
    cluster().lab().apply(HamiVendor.ILUVATAR.pods("late", 1, 256));

    patiently()
        .untilAsserted(
            () ->
                assertThat(cluster().lab().kubectl("get", "pod", "iluvatar-late-0", "-o", "yaml"))
                    .contains("GPU: lacks memory"));
    cluster().lab().kubectl("delete", "pod", "iluvatar-full-7", "--grace-period=0", "--force");
    patiently()
        .atMost(UNTIL_TRIED_AGAIN)
        .untilAsserted(() -> assertThat(cluster().bound()).isEqualTo(CARDS));
    cluster().assertNothingIsDoubleBooked();
  }

  /** Nothing happens in the cluster at which the scheduler would try the pod by itself. */
  @Test
  void aRefusedPodIsWokenWhenOnlyTheExtenderKnowsThatThereIsRoom() throws Exception {
    var vendor = HamiVendor.ILUVATAR;
    cluster().lab().apply(vendor.pods("full", CARDS - 1, 32_768));
    cluster().awaitBound(CARDS - 1);
    cluster().assertNothingIsLeftBehind();
    var nodes =
        IntStream.range(0, NODES_OF_A_VENDOR)
            .mapToObj(number -> '"' + vendor.node(number) + '"')
            .collect(Collectors.joining(","));
    var phantom =
        """
        {"metadata":{"name":"phantom","namespace":"default","uid":"phantom"},"spec":{"containers":[
         {"name":"c","resources":{"limits":{"iluvatar.ai/BI-V150-vgpu":"1"}}}]}}\
        """;
    // Offered to a scheduler that never binds it: the place is kept for ten seconds.
    var question = "{\"Pod\":%s,\"NodeNames\":[%s]}".formatted(phantom, nodes);
    assertThat(cluster().extender().post("/filter", question))
        .contains("\"NodeNames\":[\"iluvatar-");
    cluster().lab().apply(vendor.pods("late", 1, 32_768));

    patiently()
        .until(
            () -> {
              cluster().extender().post("/filter", question);
              return !cluster().events("iluvatar-late-0", "FailedScheduling").isEmpty();
            });
    patiently()
        .atMost(UNTIL_TRIED_AGAIN)
        .untilAsserted(() -> assertThat(cluster().bound()).isEqualTo(CARDS));
    assertThat(cluster().podsNamed("iluvatar-late"))
        .extracting(pod -> annotation(pod, "gpu.prescale.io/room-seen"))
        .allSatisfy(time -> assertThat(time).isNotEmpty());
    cluster().assertNothingIsDoubleBooked();
  }

  @Test
  void sickAndCordonedCardsAndNonsenseAreLeftOutWithAReasonThatIsAnEvent() throws Exception {
    var sick = HamiVendor.NVIDIA.node(0);
    var cordoned = HamiVendor.NVIDIA.node(1);
    var lab = cluster().lab();
    lab.apply(
        registering(
            "mad-0", "[{\"id\":\"CARD-mad\",\"count\":1,\"devmem\":-1,\"type\":\"T\"}, 7]"));
    lab.apply(registering("mad-1", "uuid,without,end"));
    lab.apply(registering("mad-2", "x".repeat(120_000)));
    var twin = HamiVendor.NVIDIA.annotation(HamiVendor.NVIDIA.node(2), true);
    lab.apply(HamiVendor.NVIDIA.node("twin-0", twin));
    lab.apply(HamiVendor.NVIDIA.node(0, false));
    lab.kubectl("annotate", "node", cordoned, "hami.io/device-cordon=CARD-" + cordoned + "-1");
    awaitEvent("mad-0", "the memory is -1 MiB");
    awaitEvent("mad-0", "it is \"7\"; give an object");
    awaitEvent("mad-1", "it has 3 fields");
    awaitEvent("mad-2", "has 120000 characters; at most 65536 are read");
    awaitEvent("twin-0", "is not used: node nvidia-2 registers it too");
    assertThat(cluster().extender().get("/problems")).contains("mad-0", "mad-1", "mad-2", "twin-0");
    cluster().awaitUnusable("CARD-" + sick + "-0");
    cluster().awaitUnusable("CARD-" + cordoned + "-1");

    // All that is left: 20 cards without a sick and a cordoned one.
    lab.apply(HamiVendor.NVIDIA.pods("whole", CARDS, 40_960));
    cluster().awaitBound(CARDS - 2);
    patiently()
        .during(Duration.ofSeconds(2))
        .untilAsserted(() -> assertThat(cluster().bound()).isEqualTo(CARDS - 2));
    assertThat(cluster().used(HamiVendor.NVIDIA))
        .doesNotContainKeys("CARD-" + sick + "-0", "CARD-" + cordoned + "-1");
    cluster().assertNothingIsDoubleBooked();
    awaitMetric("prescale_gpu_refused_pods 2.0");

    lab.kubectl("delete", "node", "mad-0", "mad-1", "mad-2", "twin-0");
    lab.apply(HamiVendor.NVIDIA.node(0, true));
    lab.kubectl("annotate", "node", cordoned, "hami.io/device-cordon-");
    cluster().awaitBound(CARDS);
    awaitMetric("prescale_gpu_inventory_problems 0.0");
  }

  private static void awaitMetric(String line) {
    patiently()
        .untilAsserted(() -> assertThat(cluster().extender().get("/metrics")).contains(line));
  }

  private static String registering(String node, String registration) {
    return HamiVendor.NVIDIA.node(
        node, "hami.io/node-nvidia-register: '%s'".formatted(registration));
  }

  private static void awaitEvent(String node, String text) {
    patiently()
        .untilAsserted(
            () ->
                assertThat(cluster().events(node, "GpuLeftOut"))
                    .anySatisfy(message -> assertThat(message).contains(text)));
  }

  @Test
  @Tag("long")
  void aDeadLockIsClearedAndADryRunLeavesNothing() throws Exception {
    var node = HamiVendor.HYGON.node(0);
    cluster()
        .lab()
        .kubectl(
            "annotate", "node", node, "hami.io/mutex.lock=2026-01-01T00:00:00Z,default,nobody");
    patiently().untilAsserted(() -> assertThat(cluster().locks()).isEmpty());

    var whole = cluster().lab().kubectl("get", "nodes", "-o", "json");
    var pod =
        """
        {"metadata":{"name":"dry","namespace":"default","uid":"dry"},"spec":{"containers":[{"name":"c",
         "resources":{"limits":{"hygon.com/dcunum":"1","hygon.com/dcumem":"32768"}}}]}}\
        """;
    var answer =
        cluster().extender().post("/filter", "{\"Pod\":%s,\"Nodes\":%s}".formatted(pod, whole));
    assertThat(answer).contains("\"NodeNames\":null").contains("\"name\":\"hygon-0\"");
    assertThat(cluster().extender().get("/metrics"))
        .contains("prescale_gpu_memory_held_mebibytes 0.0");
  }

  @Test
  void aSecondReplicaAnswersWithTheSameBookingsWhenTheFirstDies() throws Exception {
    var lease = "--lease=prescale/prescale-scheduler";
    EXTENDER.startAgain("extender-first", lease, "--identity=first");
    cluster().lab().apply(HamiVendor.NVIDIA.pods("before", 10, 16_384));
    cluster().awaitBound(10);
    var other = cluster().extender().beside();
    try (var _ = other.launch("extender-second", lease, "--identity=second")) {
      patiently().until(() -> heldBy(other).contains("held_mebibytes 163840.0"));
      assertThat(other.isReady()).as("one answers").isFalse();

      EXTENDER.running().kill();
      long killed = System.nanoTime();
      // 13.3 s at most, and what a busy machine adds.
      patiently().atMost(Duration.ofSeconds(30)).until(other::isReady);
      System.out.printf(
          "the other replica answers after %.1f s%n", (System.nanoTime() - killed) / 1e9);

      assertThat(heldBy(other)).contains("held_mebibytes 163840.0");
    }
    EXTENDER.startAgain("extender-third");
  }

  private static String heldBy(ExtenderInLab replica) throws InterruptedException {
    try {
      return replica.get("/metrics");
    } catch (IOException _) {
      return "";
    }
  }

  private static ExtenderCluster cluster() {
    return EXTENDER.cluster();
  }
}
