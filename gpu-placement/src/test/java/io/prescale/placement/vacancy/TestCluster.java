package io.prescale.placement.vacancy;

import io.prescale.placement.cluster.ClusterSnapshot;
import io.prescale.placement.cluster.Gpu;
import io.prescale.placement.cluster.GpuDemand;
import io.prescale.placement.cluster.GpuHealth;
import io.prescale.placement.cluster.GpuNode;
import io.prescale.placement.cluster.GpuRequest;
import io.prescale.placement.cluster.GpuShare;
import io.prescale.placement.cluster.NodeSpec;
import io.prescale.placement.cluster.Partitioning;
import io.prescale.placement.cluster.Placement;
import io.prescale.placement.cluster.RequestShape;
import io.prescale.placement.cluster.Standing;
import io.prescale.placement.topology.LinkMatrix;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Builds clusters of equal nodes {@code n0, n1, …} with pods at given places. */
public final class TestCluster {
  private static final int MEMORY_MIB = 80 * 1024;
  private static final int SLOTS = 10;

  private final int cards;
  private final List<NodeSpec> specs = new ArrayList<>();
  private ClusterSnapshot snapshot;

  private TestCluster(int nodes, int cards, Optional<LinkMatrix> links) {
    this.cards = cards;
    for (int node = 0; node < nodes; node++) {
      NodeSpec spec = new NodeSpec("n" + node, 128_000, 1_000_000, gpus(node));
      specs.add(links.map(spec::withLinks).orElse(spec));
    }
    snapshot = ClusterSnapshot.of(specs);
  }

  public static TestCluster of(int nodes, int cards) {
    return new TestCluster(nodes, cards, Optional.empty());
  }

  public static TestCluster of(int nodes, LinkMatrix links) {
    return new TestCluster(nodes, links.cards(), Optional.of(links));
  }

  private List<Gpu> gpus(int node) {
    return IntStream.range(0, cards)
        .mapToObj(
            card ->
                Gpu.whole("GPU-" + node + "-" + card, "nvidia", "NVIDIA A100-SXM4-80GB", MEMORY_MIB)
                    .withPartitioning(Partitioning.HAMI_CORE, SLOTS))
        .toList();
  }

  /** Puts a pod of whole cards on a node. */
  public TestCluster pod(String name, Standing standing, int node, int... onCards) {
    return put(
        name, standing, RequestShape.of(onCards.length, GpuDemand.WholeGpu.ANY), node, onCards);
  }

  /** Puts a pod of a part of each of its cards on a node. */
  public TestCluster fraction(String name, Standing standing, int milli, int node, int... onCards) {
    return put(
        name,
        standing,
        RequestShape.of(onCards.length, new GpuDemand.Fraction(milli)),
        node,
        onCards);
  }

  public TestCluster put(
      String name, Standing standing, RequestShape shape, int node, int... onCards) {
    GpuNode at = snapshot.node(node);
    List<GpuShare> shares =
        IntStream.of(onCards)
            .mapToObj(card -> at.share(card, shape.demand()).orElseThrow())
            .toList();
    snapshot =
        snapshot.with(new Placement(new GpuRequest(name, shape, standing), at.name(), shares));
    return this;
  }

  /** Makes a card sick, with the pods on it. */
  public TestCluster sick(int node, int card) {
    GpuNode at = snapshot.node(node);
    List<Gpu> gpus = new ArrayList<>(at.spec().gpus());
    gpus.set(
        card, gpus.get(card).withHealth(GpuHealth.UNKNOWN.withState(GpuHealth.State.UNHEALTHY)));
    snapshot = snapshot.withNode(at.withSpec(at.spec().withGpus(gpus)));
    return this;
  }

  public ClusterSnapshot snapshot() {
    return snapshot;
  }

  /** Preemptible work of a queue at priority 0. */
  public static Standing over(String queue) {
    return new Standing(queue, 0, true, Optional.empty());
  }

  /** Preemptible work of a gang. */
  public static Standing gang(String queue, String gang) {
    return new Standing(queue, 0, true, Optional.of(gang));
  }

  /** Guaranteed work of a queue. */
  public static Standing firm(String queue) {
    return new Standing(queue, 100, false, Optional.empty());
  }
}
