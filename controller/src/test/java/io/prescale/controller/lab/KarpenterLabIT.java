package io.prescale.controller.lab;

import static io.prescale.controller.lab.Patience.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Karpenter itself, with fake machines, adds the node that a booking lacks, keeps it while it is
 * empty, and removes it once it is not expected any more. Its device plugin is played by the test.
 */
class KarpenterLabIT {
  private static final LabPrometheus PROMETHEUS = BookedMorning.prometheusIn("karpenter-");

  @RegisterExtension
  static final ExtenderOnCluster EXTENDER =
      new ExtenderOnCluster(1, "--prometheus-config=" + PROMETHEUS.config());

  @TempDir private static Path folder;

  @Test
  void theNodeIsThereBeforeTheReplicasAndGoesAfterThem() throws Exception {
    var morning = new BookedMorning(EXTENDER, PROMETHEUS, folder, BookedWorkload.DEPLOYMENT);
    try (var _ = KarpenterInLab.start(lab(), folder, true)) {
      morning.run(
          "KarpenterLabIT",
          (client, prescale) -> {
            int replicas = morning.awaitBuffer(client);
            var nodes = KarpenterInLab.awaitNodes(client, Math.ceilDiv(replicas, HamiVendor.CARDS));
            for (var node : nodes) {
              KarpenterInLab.register(lab(), node);
            }
            morning.awaitLearned(client);
            System.out.println(prescale.run("explain", "default/chat"));

            morning.replicasCome("new", replicas);
            morning.awaitNoBuffer(client);
            assertThat(EXTENDER.cluster().podsNamed("hygon-new"))
                .extracting(pod -> pod.getSpec().getNodeName())
                .containsAnyElementsOf(nodes);
            assertThat(KarpenterInLab.nodes(client)).hasSameElementsAs(nodes);

            morning.mode("Shadow");
            morning.replicasGo();
            patiently().untilAsserted(() -> assertThat(KarpenterInLab.nodes(client)).isEmpty());
          });
    }
  }

  private static Lab lab() {
    return EXTENDER.cluster().lab();
  }
}
