package io.prescale.controller.lab;

import static io.prescale.controller.lab.Patience.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Gangs within one block of nodes, on a real control plane whose nodes have Topograph's labels. */
class TopologyLabIT {
  private static final String BLOCK = "network.topology.nvidia.com/block";
  private static final int WHOLE_MIB = 32_768;

  @RegisterExtension static final ExtenderOnCluster EXTENDER = new ExtenderOnCluster(5);

  @BeforeEach
  void twoBlocksOfTwoAndOfThreeNodes() throws Exception {
    for (int node = 0; node < 5; node++) {
      label(node, node < 2 ? "a" : "b");
    }
  }

  @Test
  void aGangThatFitsOneBlockOnlyIsThereAsAWhole() throws Exception {
    apply("train", 10, "gpu.prescale.io/group-required-topology");

    cluster().awaitBound(10);
    assertThat(nodes("hygon-train")).containsExactlyInAnyOrder("hygon-2", "hygon-3", "hygon-4");
    cluster().assertNothingIsDoubleBooked();
  }

  @Test
  void aGangThatFitsNoBlockWaitsWithAReasonUntilANodeJoinsOne() throws Exception {
    apply("train", 13, "gpu.prescale.io/group-required-topology");

    awaitReason("12 of the 13 pods of group train fit one " + BLOCK, "(b, the most of any)");
    patiently()
        .during(Duration.ofSeconds(3))
        .untilAsserted(() -> assertThat(cluster().bound()).isZero());

    label(1, "b");

    cluster().awaitBound(13);
    assertThat(nodes("hygon-train")).doesNotContain("hygon-0");
    cluster().assertNothingIsDoubleBooked();
  }

  @Test
  @Tag("long")
  void aPreferredBlockIsGivenUpForAPlace() throws Exception {
    apply("large", 16, "gpu.prescale.io/group-preferred-topology");
    cluster().awaitBound(16);
    cluster().deletePods();

    apply("small", 8, "kueue.x-k8s.io/podset-preferred-topology");

    cluster().awaitBound(8);
    assertThat(nodes("hygon-small")).containsExactlyInAnyOrder("hygon-0", "hygon-1");
  }

  @Test
  void aMemberThatBeginsAgainReturnsToTheBlockOfTheOthers() throws Exception {
    apply("train", 8, "gpu.prescale.io/group-required-topology");
    cluster().awaitBound(8);
    cluster().awaitServed(8);
    assertThat(nodes("hygon-train")).containsExactlyInAnyOrder("hygon-0", "hygon-1");
    cluster().lab().kubectl("delete", "pod", "hygon-train-7", "--grace-period=0", "--force");

    apply("train", 8, "gpu.prescale.io/group-required-topology");

    cluster().awaitBound(8);
    assertThat(nodes("hygon-train")).containsExactlyInAnyOrder("hygon-0", "hygon-1");
    cluster().assertNothingIsDoubleBooked();
  }

  /** Racks of one name in two blocks are two racks. */
  @ParameterizedTest
  @CsvSource({
    "topologies.kueue.x-k8s.io, kueue.x-k8s.io/v1beta2, kueue.x-k8s.io/podset-required-topology",
    "topologies.kai.scheduler, kai.scheduler/v1alpha1, kai.scheduler/topology-required-placement"
  })
  void aTopologySaysWhichLevelsThereAre(String resource, String version, String required)
      throws Exception {
    try (var found = Files.newDirectoryStream(Lab.platforms(), "kueue-*topologies.yaml")) {
      for (var path : found) {
        cluster().lab().kubectl("apply", "--server-side", "-f", path.toString());
      }
    }
    MinimalDefinition.KAI_TOPOLOGY.install(cluster().lab());
    cluster().lab().awaitDefinitions();
    EXTENDER.startAgain("TopologyLabIT-extender");
    for (int node = 0; node < 5; node++) {
      var block = "example.com/block=" + (node < 2 ? "a" : "b");
      cluster()
          .lab()
          .kubectl("label", "node", "hygon-" + node, block, "example.com/rack=one", "--overwrite");
    }
    cluster().lab().apply(topology(version));
    apply("train", 13, required, "example.com/rack");
    awaitReason("12 of the 13 pods of group train fit one", "(b/one, the most of any)");
    cluster().deletePods();

    cluster().lab().kubectl("delete", resource, "racks");

    apply("train", 13, required, "example.com/rack");
    cluster().awaitBound(13); // the level is not known any more, and left to others
  }

  private static String topology(String version) {
    return """
    apiVersion: %s
    kind: Topology
    metadata: {name: racks}
    spec:
      levels:
      - {nodeLabel: example.com/block}
      - {nodeLabel: example.com/rack}
      - {nodeLabel: kubernetes.io/hostname}
    """
        .formatted(version);
  }

  private static void awaitReason(String... parts) {
    patiently()
        .untilAsserted(
            () ->
                assertThat(cluster().events("hygon-train-0", "FailedScheduling"))
                    .anySatisfy(message -> assertThat(message).contains(parts)));
  }

  private static void apply(String group, int size, String key) throws Exception {
    apply(group, size, key, BLOCK);
  }

  private static void apply(String group, int size, String key, String level) throws Exception {
    var annotations =
        ", annotations: {gpu.prescale.io/group: %s, gpu.prescale.io/group-size: \"%d\", %s: %s}"
            .formatted(group, size, key, level);
    cluster().lab().apply(HamiVendor.HYGON.pods(group, size, WHOLE_MIB, annotations));
  }

  private static void label(int node, String block) throws Exception {
    cluster().lab().kubectl("label", "node", "hygon-" + node, BLOCK + "=" + block, "--overwrite");
  }

  private static Set<String> nodes(String prefix) {
    return cluster().podsNamed(prefix).stream()
        .map(Pod::getSpec)
        .map(spec -> spec.getNodeName())
        .collect(Collectors.toSet());
  }

  private static ExtenderCluster cluster() {
    return EXTENDER.cluster();
  }
}
