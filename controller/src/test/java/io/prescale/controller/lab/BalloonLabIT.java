package io.prescale.controller.lab;

import static io.prescale.controller.lab.Patience.patiently;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Karpenter without CapacityBuffers, with fake machines, adds the nodes that a booking lacks for
 * balloon pods, which are never bound, keeps them while they are empty, and removes them once they
 * are not expected any more. Its device plugin is played by the test.
 */
class BalloonLabIT {
  private static final String BALLOONS = "balloons";
  private static final LabPrometheus PROMETHEUS = BookedMorning.prometheusIn("balloons-");

  @RegisterExtension
  static final ExtenderOnCluster EXTENDER =
      new ExtenderOnCluster(1, "--prometheus-config=" + PROMETHEUS.config());

  @TempDir private static Path folder;

  @Test
  void nodesComeForPodsThatAreNeverBound() throws Exception {
    var morning = new BookedMorning(EXTENDER, PROMETHEUS, folder, BookedWorkload.DEPLOYMENT);
    try (var _ = KarpenterInLab.start(lab(), folder, false)) {
      morning.run(
          "BalloonLabIT",
          (client, prescale) -> {
            int replicas = morning.awaitBuffer(client);
            assertThat(BookedMorning.status(client).orElseThrow().message())
                .contains("Balloon pods ask for nodes for %d replicas.".formatted(replicas));
            var nodes = KarpenterInLab.awaitNodes(client, Math.ceilDiv(replicas, HamiVendor.CARDS));
            assertThat(balloons(client)).hasSize(replicas).allMatch(BalloonLabIT::isUnbound);
            for (var node : nodes) {
              KarpenterInLab.register(lab(), node);
            }
            morning.awaitLearned(client);
            assertKept(client, nodes);
            assertThat(balloons(client)).allMatch(BalloonLabIT::isUnbound);
            System.out.println(prescale.run("explain", "default/chat"));

            morning.replicasCome("new", replicas);
            morning.awaitNone(client, "jobs", "--namespace=prescale");
            assertThat(balloons(client)).isEmpty();
            assertThat(EXTENDER.cluster().podsNamed("hygon-new"))
                .extracting(pod -> pod.getSpec().getNodeName())
                .containsAnyElementsOf(nodes);
            // Another may have come for balloons that had not gone when the replicas came.
            patiently()
                .untilAsserted(
                    () -> assertThat(KarpenterInLab.nodes(client)).hasSameElementsAs(nodes));

            morning.mode("Shadow");
            morning.replicasGo();
            patiently().untilAsserted(() -> assertThat(KarpenterInLab.nodes(client)).isEmpty());
          },
          BookedMorning.BALLOONS);
    }
  }

  /** Three times as long as Karpenter takes to remove an empty node that is not wanted. */
  private static void assertKept(KubernetesClient client, List<String> nodes) {
    await()
        .during(Duration.ofSeconds(30))
        .atMost(Duration.ofMinutes(2))
        .untilAsserted(() -> assertThat(KarpenterInLab.nodes(client)).hasSameElementsAs(nodes));
  }

  private static List<Pod> balloons(KubernetesClient client) {
    return client.pods().inNamespace("prescale").list().getItems().stream()
        .filter(pod -> pod.getMetadata().getName().startsWith(BALLOONS))
        .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
        .toList();
  }

  private static boolean isUnbound(Pod pod) {
    return Objects.requireNonNullElse(pod.getSpec().getNodeName(), "").isEmpty();
  }

  private static Lab lab() {
    return EXTENDER.cluster().lab();
  }
}
