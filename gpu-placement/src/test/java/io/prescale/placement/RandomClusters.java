package io.prescale.placement;

import io.prescale.placement.cluster.CardSelector;
import io.prescale.placement.cluster.Clusters;
import io.prescale.placement.cluster.Gpu;
import io.prescale.placement.cluster.GpuDemand;
import io.prescale.placement.cluster.GpuHealth;
import io.prescale.placement.cluster.GpuRequest;
import io.prescale.placement.cluster.HostDemand;
import io.prescale.placement.cluster.LinkRequirement;
import io.prescale.placement.cluster.LinkRequirement.LinkScope;
import io.prescale.placement.cluster.NodeSpec;
import io.prescale.placement.cluster.PackingPolicy;
import io.prescale.placement.cluster.Partitioning;
import io.prescale.placement.cluster.RequestShape;
import io.prescale.placement.cluster.Standing;
import io.prescale.placement.mig.MigCards;
import io.prescale.placement.topology.KnownMachines;
import io.prescale.placement.topology.LinkMatrix;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Small clusters and requests of every kind, the same for a seed. */
final class RandomClusters {
  private static final int MEMORY_MIB = 81_920;
  private static final List<String> PROFILES =
      List.of("1g.10gb", "1g.20gb", "2g.20gb", "3g.40gb", "4g.40gb", "7g.80gb");

  private final SplittableRandom random;

  RandomClusters(long seed) {
    random = new SplittableRandom(seed);
  }

  /** One to {@code most} nodes, some of them cordoned, sick, small or cut by MIG. */
  List<NodeSpec> nodes(int most) {
    var nodes = new ArrayList<NodeSpec>();
    int count = 1 + random.nextInt(most);
    for (int i = 0; i < count; i++) {
      nodes.add(node("n" + i));
    }
    return nodes;
  }

  private NodeSpec node(String name) {
    int cards = pick(List.of(0, 1, 2, 4, 8, 8, 8));
    var gpus = new ArrayList<Gpu>();
    var partitioning = pick(List.of(Partitioning.values()));
    for (int card = 0; card < cards; card++) {
      gpus.add(gpu("%s-%d".formatted(name, card), partitioning));
    }
    var node =
        new NodeSpec(name, 1000L * random.nextInt(1, 129), 1024L * random.nextInt(1, 1025), gpus)
            .withPosition(
                Clusters.position(
                    "d" + random.nextInt(3), "r" + random.nextInt(2), "b" + random.nextInt(2)));
    if (cards == 8 && random.nextInt(4) > 0) {
      node =
          node.withLinks(
              switch (random.nextInt(4)) {
                case 0 -> KnownMachines.dgx1V100();
                case 1 -> KnownMachines.dgxA100();
                case 2 -> KnownMachines.hgxH100();
                default -> KnownMachines.pcieOnly();
              });
    }
    if (cards > 0 && random.nextInt(3) == 0) {
      node = node.withNuma(LinkMatrix.ofNumaNodes(numaNodes(cards), node.links()));
    }
    return switch (random.nextInt(12)) {
      case 0 -> node.withReadiness(NodeSpec.Readiness.CORDONED);
      case 1 -> node.withReadiness(NodeSpec.Readiness.NOT_READY);
      default -> node;
    };
  }

  private Gpu gpu(String uuid, Partitioning partitioning) {
    var whole =
        Gpu.whole(uuid, pick(List.of("nvidia", "amd")), pick(List.of("A", "B")), MEMORY_MIB);
    var gpu =
        partitioning.isMig()
            ? whole.withMig(MigCards.A100_80GB).withPartitioning(partitioning, 7)
            : whole.withPartitioning(
                partitioning, partitioning.takesShares() ? random.nextInt(1, 11) : 1);
    return switch (random.nextInt(10)) {
      case 0 -> gpu.withHealth(GpuHealth.UNKNOWN.withState(GpuHealth.State.UNHEALTHY));
      case 1 -> gpu.withHealth(GpuHealth.UNKNOWN.withTemperature(random.nextInt(30, 95)));
      default -> gpu;
    };
  }

  /** Requests without a gang. */
  List<GpuRequest> requests(int count) {
    var requests = new ArrayList<GpuRequest>();
    for (int i = 0; i < count; i++) {
      requests.add(new GpuRequest("p" + i, shape()));
    }
    return requests;
  }

  /** A gang whose members have one shape. */
  List<GpuRequest> gang(String name, int members) {
    var shape = shape();
    var standing = new Standing("", 0, false, Optional.of(name));
    var requests = new ArrayList<GpuRequest>();
    for (int i = 0; i < members; i++) {
      requests.add(new GpuRequest(name + "-" + i, shape, standing));
    }
    return requests;
  }

  private RequestShape shape() {
    var host = new HostDemand(100L * random.nextInt(100), 128L * random.nextInt(200), "");
    var directions = List.of(PackingPolicy.Direction.values());
    var packing = new PackingPolicy(pick(directions), pick(directions));
    var shape =
        switch (random.nextInt(6)) {
          case 0 -> RequestShape.of(0, new GpuDemand.NoGpu()).withHost(host);
          case 1 -> RequestShape.of(1, new GpuDemand.Fraction(random.nextInt(1, 1000)));
          case 2 ->
              RequestShape.of(
                  random.nextInt(1, 3),
                  new GpuDemand.Share(random.nextInt(1001), random.nextInt(1, MEMORY_MIB + 1)));
          case 3 ->
              RequestShape.of(random.nextInt(1, 3), new GpuDemand.MigInstance(pick(PROFILES)));
          default -> RequestShape.of(pick(List.of(1, 2, 4, 8)), GpuDemand.WholeGpu.ANY);
        };
    var cards =
        random.nextInt(4) == 0
            ? new CardSelector(
                random.nextBoolean() ? Set.of("nvidia") : Set.of(),
                random.nextBoolean() ? Set.of("A") : Set.of(),
                random.nextInt(5) == 0 ? Set.of("B") : Set.of(),
                Set.of(),
                random.nextBoolean() ? Set.of("n0-0") : Set.of(),
                Set.of())
            : CardSelector.ANY;
    var links =
        switch (random.nextInt(4)) {
          case 0 -> LinkRequirement.preferred(pick(List.of(LinkScope.NODE, LinkScope.NUMA_NODE)));
          case 1 -> LinkRequirement.required(pick(List.of(LinkScope.values())));
          default -> LinkRequirement.NONE;
        };
    return shape.withHost(host).withCards(cards).withLinks(links).withPacking(packing);
  }

  private List<OptionalInt> numaNodes(int cards) {
    return IntStream.range(0, cards)
        .mapToObj(_ -> pick(List.of(OptionalInt.empty(), OptionalInt.of(0), OptionalInt.of(1))))
        .toList();
  }

  private <T> T pick(List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }
}
