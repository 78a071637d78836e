package io.prescale.placement.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.prescale.placement.cluster.NetworkLevels;
import io.prescale.placement.cluster.NetworkScope;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NetworkLabelsTest {

  private static List<String> known(Map<String, String> labels) {
    var inventory = Nodes.inventory(Nodes.plain("n", 8).at(NetworkLabels.KNOWN.position(labels)));
    return NetworkLabels.KNOWN.scopes().stream()
        .map(scope -> scope.domainOf(inventory.spec()))
        .filter(domain -> !domain.isEmpty())
        .toList();
  }

  @Test
  void theThreeNamingsOfTopographAreKnownFromTheNearestToTheWidest() {
    assertThat(
            known(
                Map.of(
                    "network.topology.nvidia.com/accelerator", "nvl1",
                    "network.topology.nvidia.com/block", "s1",
                    "network.topology.nvidia.com/spine", "s2",
                    "network.topology.nvidia.com/datacenter", "s3")))
        .containsExactly("n", "nvl1", "s1", "s2", "s3", "cluster");
    assertThat(
            known(
                Map.of(
                    "network.topology.nvidia.com/leaf", "s1",
                    "network.topology.nvidia.com/spine", "s2",
                    "network.topology.nvidia.com/core", "s3",
                    "nvidia.com/gpu.clique", "9d2b.0")))
        .containsExactly("n", "9d2b.0", "s1", "s2", "s3", "cluster");
    assertThat(
            known(
                Map.of(
                    "accelerator.topograph.run/domain", "d",
                    "accelerator.topograph.run/sub-domain", "d.1",
                    "fabric.topograph.run/tier-0", "t0",
                    "fabric.topograph.run/tier-1", "t1",
                    "topology.kubernetes.io/zone", "z")))
        .containsExactly("n", "d.1", "d", "t0", "t1", "z", "cluster");
  }

  @Test
  void thoseOfCloudsAreKnownToo() {
    assertThat(
            known(
                Map.of(
                    "topology.k8s.aws/network-node-layer-1", "nn-1",
                    "topology.k8s.aws/network-node-layer-2", "nn-2",
                    "topology.k8s.aws/network-node-layer-3", "nn-3",
                    "topology.kubernetes.io/zone", "us-east-1a",
                    "topology.kubernetes.io/region", "us-east-1")))
        .containsExactly("n", "nn-3", "nn-2", "nn-1", "us-east-1a", "us-east-1", "cluster");
    assertThat(
            known(
                Map.of(
                    "cloud.google.com/gce-topology-block", "b",
                    "cloud.google.com/gce-topology-subblock", "s")))
        .containsExactly("n", "s", "b", "cluster");
  }

  @Test
  void aListOfTheUserGoesFromTheLargestAndIsNested() {
    assertThat(NetworkLabels.read("example.com/block, example.com/rack,kubernetes.io/hostname"))
        .isEqualTo(new NetworkLevels(List.of("example.com/rack", "example.com/block"), true));
    assertThat(NetworkLabels.read("zone").scopes())
        .extracting(NetworkScope::name)
        .containsExactly("node", "zone", "cluster");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a,,b", "a b", "/rack", "example.com/", "Example.com/rack", "a;b"})
  void whatIsNoListOfLabelsIsRefusedWithTheRemedy(String text) {
    assertThatThrownBy(() -> NetworkLabels.read(text))
        .hasMessageContaining("is not the key of a label; list keys, the largest level first");
  }

  @Test
  void aHugeOrRepeatedListIsRefused() {
    assertThatThrownBy(() -> NetworkLabels.read("x".repeat(100_000)))
        .satisfies(e -> assertThat(String.valueOf(e.getMessage())).hasSizeLessThan(250));
    assertThatThrownBy(() -> NetworkLabels.read("a,b,a")).hasMessageContaining("two levels");
  }

  @Test
  void hierarchiesAreMergedInTheirOrders() {
    assertThat(
            NetworkLabels.of(
                List.of(
                    List.of("block", "rack", "kubernetes.io/hostname"),
                    List.of("zone", "block", "row", "rack", "kubernetes.io/hostname"))))
        .isEqualTo(new NetworkLevels(List.of("rack", "row", "block", "zone"), true));
    assertThat(NetworkLabels.of(List.of(List.of("a", "b"), List.of("b", "a"))))
        .as("of two that contradict each other, the first counts")
        .isEqualTo(new NetworkLevels(List.of("b", "a"), true));
    var many = IntStream.range(0, 100).mapToObj(i -> "level-" + i).toList();
    assertThat(NetworkLabels.of(List.of(List.of("a b", ""), many)).names())
        .hasSize(NetworkLevels.MOST)
        .endsWith("level-0");
  }
}
