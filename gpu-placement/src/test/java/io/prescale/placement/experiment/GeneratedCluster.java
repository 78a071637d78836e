package io.prescale.placement.experiment;

import io.prescale.placement.cluster.Gpu;
import io.prescale.placement.cluster.GpuDemand;
import io.prescale.placement.cluster.GpuRequest;
import io.prescale.placement.cluster.HostDemand;
import io.prescale.placement.cluster.NodeSpec;
import io.prescale.placement.cluster.Partitioning;
import io.prescale.placement.cluster.RequestShape;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Nodes and requests of the same kind as openb's, for machines without that trace: nodes of two and
 * of eight cards, most requests for a part of a card or for one, a few for several or for none.
 */
final class GeneratedCluster {
  private static final int SLOTS = 1000;
  private static final List<Integer> MILLI = List.of(160, 230, 330, 480, 550, 650, 810, 810, 810);

  private GeneratedCluster() {}

  static List<NodeSpec> nodes(int count) {
    return IntStream.range(0, count).mapToObj(GeneratedCluster::node).toList();
  }

  private static NodeSpec node(int number) {
    var name = "n" + number;
    boolean large = number % 2 == 0;
    var gpus =
        IntStream.range(0, large ? 8 : 2)
            .mapToObj(
                card ->
                    Gpu.whole(name + "/" + card, "nvidia", large ? "V100" : "T4", 0)
                        .withPartitioning(Partitioning.HAMI_CORE, SLOTS))
            .toList();
    return new NodeSpec(name, large ? 96_000 : 64_000, large ? 524_288 : 262_144, gpus);
  }

  static List<GpuRequest> requests(int count, long seed) {
    var random = new SplittableRandom(seed);
    return IntStream.range(0, count).mapToObj(i -> new GpuRequest("p" + i, shape(random))).toList();
  }

  private static RequestShape shape(SplittableRandom random) {
    var host = new HostDemand(1000 * random.nextLong(2, 17), 1024 * random.nextLong(4, 49), "");
    int kind = random.nextInt(100);
    if (kind < 10) {
      return RequestShape.of(0, new GpuDemand.NoGpu()).withHost(host);
    }
    if (kind < 60) {
      int milli = MILLI.get(random.nextInt(MILLI.size()));
      return RequestShape.of(1, new GpuDemand.Fraction(milli)).withHost(host);
    }
    return RequestShape.of(kind < 97 ? 1 : kind < 99 ? 2 : 8, GpuDemand.WholeGpu.ANY)
        .withHost(host);
  }
}
