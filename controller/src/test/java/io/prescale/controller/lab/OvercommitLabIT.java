package io.prescale.controller.lab;

import static io.prescale.controller.lab.Patience.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Full cards that promise more memory than they have, once a real Prometheus has seen for a while
 * how little their pods use.
 */
class OvercommitLabIT {
  private static final HamiVendor VENDOR = HamiVendor.NVIDIA;
  private static final int HALF = VENDOR.cardMib / 2;
  private static final int FULL = 2 * HamiVendor.CARDS;
  private static final double MIB = 1 << 20;

  /** The window of two minutes, a round of twelve seconds, and a pod's back-off. */
  private static final Duration UNTIL_OBSERVED = Duration.ofMinutes(5);

  private static final Gauges MONITOR = gauges();

  @RegisterExtension
  static final ExtenderOnCluster EXTENDER =
      new ExtenderOnCluster(1, "--prometheus-config=" + config());

  private static Gauges gauges() {
    try {
      return Gauges.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path config() {
    try {
      return Files.writeString(
          Files.createTempDirectory(Replica.logs(), "overcommit-").resolve("prometheus.yaml"),
          """
          global: {scrape_interval: 1s}
          scrape_configs:
          - {job_name: hami, honor_labels: true, static_configs: [{targets: ["%s"]}]}
          """
              .formatted(MONITOR.address()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @AfterAll
  static void stop() {
    MONITOR.close();
  }

  @Test
  void fullCardsTakeAnotherPodWhenTheirPodsWereSeenToUseLittle() throws Exception {
    EXTENDER.startAgain(
        "overcommit",
        "--prometheus=" + cluster().lab().describe().prometheus(),
        "--overcommit=risk=1%",
        "--overcommit-window=2m");
    cluster().lab().apply(VENDOR.pods("half", FULL, HALF));
    cluster().awaitBound(FULL);
    cluster().lab().apply(VENDOR.pods("more", 2, HALF));
    patiently()
        .untilAsserted(
            () ->
                assertThat(cluster().lab().kubectl("get", "pod", "nvidia-more-0", "-o", "yaml"))
                    .contains("GPU: lacks memory"));
    assertThat(overcommitted()).isEqualTo("0.0");

    observe(1000);

    patiently()
        .atMost(UNTIL_OBSERVED)
        .untilAsserted(() -> assertThat(cluster().bound()).isEqualTo(FULL + 2));
    assertThat(overcommitted()).isEqualTo(2.0 * HALF + "");
  }

  /** What HAMi's monitor would say of the pods that run. */
  private static void observe(int mib) {
    for (var pod : cluster().podsOf(VENDOR)) {
      if (pod.getSpec().getNodeName() != null) {
        var card = ExtenderCluster.annotation(pod, VENDOR.record).split(",", 2)[0];
        var labels =
            "{namespace=\"default\",pod=\"%s\",container=\"main\",device_uuid=\"%s\",vdevice_index=\"0\"}"
                .formatted(pod.getMetadata().getName(), card);
        MONITOR.set("hami_vgpu_memory_used_bytes" + labels, mib * MIB);
        MONITOR.set("hami_vgpu_memory_limit_bytes" + labels, HALF * MIB);
      }
    }
  }

  private static String overcommitted() throws IOException, InterruptedException {
    var name = "prescale_gpu_memory_overcommitted_mebibytes ";
    return cluster()
        .extender()
        .get("/metrics")
        .lines()
        .filter(line -> line.startsWith(name))
        .map(line -> line.substring(name.length()))
        .findFirst()
        .orElseThrow();
  }

  private static ExtenderCluster cluster() {
    return EXTENDER.cluster();
  }
}
