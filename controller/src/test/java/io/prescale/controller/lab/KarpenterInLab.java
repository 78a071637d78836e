package io.prescale.controller.lab;

import static io.prescale.controller.lab.Patience.patiently;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Karpenter in a laboratory, as an administrator, with its own provider of fake nodes: it may add
 * nodes of four cards, and removes those that stay empty.
 */
final class KarpenterInLab implements AutoCloseable {
  private static final String POOL =
      """
      apiVersion: karpenter.kwok.sh/v1alpha1
      kind: KWOKNodeClass
      metadata: {name: default}
      ---
      apiVersion: karpenter.sh/v1
      kind: NodePool
      metadata: {name: cards}
      spec:
        limits: {hygon.com/dcunum: "8"}
        disruption: {consolidationPolicy: WhenEmpty, consolidateAfter: 10s}
        template:
          metadata: {labels: {lab/pool: cards}}
          spec:
            nodeClassRef: {group: karpenter.kwok.sh, kind: KWOKNodeClass, name: default}
            expireAfter: Never
            requirements:
            - {key: kubernetes.io/arch, operator: In, values: [amd64]}
            - {key: karpenter.sh/capacity-type, operator: In, values: [on-demand]}
      """;

  private static final String TYPES =
      """
      [{
        "name": "four-dcus",
        "architecture": "amd64",
        "operatingSystems": ["linux"],
        "resources": {
          "cpu": "128", "memory": "1Ti", "pods": "250",
          "hygon.com/dcunum": "4", "hygon.com/dcumem": "131072"
        },
        "offerings": [{
          "Price": 10,
          "Available": true,
          "Requirements": [
            {"key": "karpenter.sh/capacity-type", "operator": "In", "values": ["on-demand"]},
            {"key": "topology.kubernetes.io/zone", "operator": "In", "values": ["lab"]}
          ]
        }]
      }]
      """;

  private final Replica replica;

  private KarpenterInLab(Replica replica) {
    this.replica = replica;
  }

  /**
   * Installs and starts it.
   *
   * @param folder for its list of machines
   * @param buffers whether it has CapacityBuffers
   */
  static KarpenterInLab start(Lab lab, Path folder, boolean buffers)
      throws IOException, InterruptedException {
    var programs = Lab.karpenter();
    lab.kubectl("apply", "--server-side", "-f", programs.resolve("crds").toString());
    lab.awaitDefinitions();
    if (!buffers) {
      lab.kubectl("delete", "customresourcedefinition", BookedMorning.BUFFER);
    }
    lab.apply(POOL);
    var types = Files.writeString(folder.resolve("types.json"), TYPES);
    return new KarpenterInLab(
        Replica.start(
            "karpenter",
            List.of(programs.resolve("kwok").toString()),
            Map.of(
                "KUBECONFIG",
                lab.describe().kubeconfig().toString(),
                "SYSTEM_NAMESPACE",
                "kube-system",
                "DISABLE_LEADER_ELECTION",
                "true",
                "FEATURE_GATES",
                "CapacityBuffer=" + buffers,
                "METRICS_PORT",
                Integer.toString(PrescaleInLab.freePort()),
                "HEALTH_PROBE_PORT",
                Integer.toString(PrescaleInLab.freePort()),
                "INSTANCE_TYPES_FILE_PATH",
                types.toString())));
  }

  static List<String> awaitNodes(KubernetesClient client, int number) {
    return patiently()
        .alias("nodes of Karpenter")
        .until(() -> nodes(client), all -> all.size() == number);
  }

  static List<String> nodes(KubernetesClient client) {
    return client.nodes().withLabel("lab/pool", "cards").list().getItems().stream()
        .map(Node::getMetadata)
        .map(meta -> meta.getName())
        .toList();
  }

  /** As HAMi's device plugin does once it runs on the node. */
  static void register(Lab lab, String node) throws IOException, InterruptedException {
    lab.kubectl(
        "patch",
        "node",
        node,
        "--type=merge",
        "--patch=metadata:\n  annotations:\n    " + HamiVendor.HYGON.annotation(node, true));
  }

  @Override
  public void close() {
    replica.close();
  }
}
