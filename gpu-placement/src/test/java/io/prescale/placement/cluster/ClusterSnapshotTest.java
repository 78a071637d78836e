package io.prescale.placement.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ClusterSnapshotTest {
  private static ClusterSnapshot nodes(int count) {
    return ClusterSnapshot.of(
        IntStream.range(0, count).mapToObj(i -> Clusters.shared("n" + i, 2)).toList());
  }

  @Test
  void changesOneNodeAndSharesTheOthers() {
    var before = nodes(200);

    var after = Clusters.put(before, Clusters.fraction("p", 300), "n130", 0);

    assertThat(IntStream.range(0, 200).filter(i -> after.node(i) != before.node(i)))
        .containsExactly(130);
    assertThat(before.placements()).isEmpty();
    assertThat(after.placements()).singleElement().extracting(Placement::node).isEqualTo("n130");
    assertThat(after.without(after.placements().findFirst().orElseThrow()).placements()).isEmpty();
  }

  @Test
  void staysEqualToAPlainMapThroughRandomChanges() {
    var random = new SplittableRandom(7);
    var cluster = nodes(70);
    var expected = new HashMap<String, Placement>();
    for (int step = 0; step < 2_000; step++) {
      var name = "p" + random.nextInt(300);
      var known = expected.remove(name);
      if (known != null) {
        cluster = cluster.without(known);
      } else {
        cluster =
            Clusters.put(
                cluster, Clusters.fraction(name, 10), "n" + random.nextInt(70), random.nextInt(2));
        expected.put(
            name,
            cluster
                .placements()
                .filter(placement -> placement.request().name().equals(name))
                .findFirst()
                .orElseThrow());
      }
    }
    assertThat(cluster.placements()).containsExactlyInAnyOrderElementsOf(expected.values());
  }

  @Test
  void refusesTwoNodesOfOneNameAndUnknownNodes() {
    var node = Clusters.shared("a", 1);

    assertThatThrownBy(() -> ClusterSnapshot.of(List.of(node, node)))
        .hasMessage("two nodes have the name a");
    assertThatThrownBy(
            () ->
                ClusterSnapshot.of(List.of())
                    .with(new Placement(Clusters.fraction("p", 1), "b", shares())))
        .hasMessage("the cluster has no node b");
  }

  private static List<GpuShare> shares() {
    return List.of(
        GpuNode.of(Clusters.shared("b", 1)).share(0, new GpuDemand.Fraction(1)).orElseThrow());
  }
}
