package io.prescale.controller.lab;

import static io.prescale.controller.lab.Patience.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;
import java.util.List;
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
    var morning = new BookedMorning(EXTENDER, PROMETHEUS, folder);
    try (var _ = KarpenterInLab.start(lab(), folder)) {
      morning.run(
          "KarpenterLabIT",
          (client, prescale) -> {
            int replicas = morning.awaitBuffer(client);
            var nodes = awaitNodes(client, Math.ceilDiv(replicas, HamiVendor.CARDS));
            for (var node : nodes) {
              register(node);
            }
            morning.awaitLearned(client);
            System.out.println(prescale.run("explain", "default/chat"));

            morning.replicasCome("new", replicas);
            morning.awaitNoBuffer(client);
            assertThat(EXTENDER.cluster().podsNamed("hygon-new"))
                .extracting(pod -> pod.getSpec().getNodeName())
                .containsAnyElementsOf(nodes);
            assertThat(nodes(client)).hasSameElementsAs(nodes);

            morning.mode("Shadow");
            morning.replicasGo();
            patiently().untilAsserted(() -> assertThat(nodes(client)).isEmpty());
          });
    }
  }

  private static List<String> awaitNodes(KubernetesClient client, int number) {
    return patiently()
        .alias("nodes of Karpenter")
        .until(() -> nodes(client), all -> all.size() == number);
  }

  private static List<String> nodes(KubernetesClient client) {
    return client.nodes().withLabel("lab/pool", "cards").list().getItems().stream()
        .map(Node::getMetadata)
        .map(meta -> meta.getName())
        .toList();
  }

  /** As HAMi's device plugin does once it runs on the node. */
  private static void register(String node) throws Exception {
    lab()
        .kubectl(
            "patch",
            "node",
            node,
            "--type=merge",
            "--patch=metadata:\n  annotations:\n    " + HamiVendor.HYGON.annotation(node, true));
  }

  private static Lab lab() {
    return EXTENDER.cluster().lab();
  }
}
