package io.prescale.placement.cluster;

import io.prescale.placement.topology.KnownMachines;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/** Clusters and requests for tests. */
public final class Clusters {
  public static final int GIB = 1024;
  public static final int SHARERS = 10;
  public static final NetworkLevels LEVELS =
      new NetworkLevels(List.of("NVLink domain", "rack", "block"), true);
  public static final NetworkScope NVLINK_DOMAIN = LEVELS.scope("NVLink domain").orElseThrow();
  public static final NetworkScope RACK = LEVELS.scope("rack").orElseThrow();
  public static final NetworkScope BLOCK = LEVELS.scope("block").orElseThrow();

  private Clusters() {}

  /** A node with cards of 80 GiB that HAMi-core can share, 64 cores and 512 GiB. */
  public static NodeSpec shared(String name, int cards) {
    var gpus =
        cards(name, cards, "A100", 80 * GIB).stream()
            .map(gpu -> gpu.withPartitioning(Partitioning.HAMI_CORE, SHARERS))
            .toList();
    return new NodeSpec(name, 64_000, 512 * GIB, gpus);
  }

  /** A node with cards of 80 GiB that cannot be shared. */
  public static NodeSpec whole(String name, int cards) {
    return new NodeSpec(name, 64_000, 512 * GIB, cards(name, cards, "A100", 80 * GIB));
  }

  /** A node with the eight linked cards of a DGX-1 V100. */
  public static NodeSpec dgx1(String name) {
    return new NodeSpec(name, 64_000, 512 * GIB, cards(name, 8, "V100", 16 * GIB))
        .withLinks(KnownMachines.dgx1V100());
  }

  public static List<Gpu> cards(String node, int count, String model, int memoryMib) {
    return IntStream.range(0, count)
        .mapToObj(card -> Gpu.whole(node + "/" + card, "nvidia", model, memoryMib))
        .toList();
  }

  /** A position by the names of the domains around it; empty names are unknown. */
  public static NodePosition position(String nvlinkDomain, String rack, String block) {
    return LEVELS.position(
        Map.of(NVLINK_DOMAIN.name(), nvlinkDomain, RACK.name(), rack, BLOCK.name(), block));
  }

  /** Selects cards of some models. */
  public static CardSelector models(String... models) {
    var names = Set.copyOf(List.of(models));
    return new CardSelector(Set.of(), names, Set.of(), Set.of(), Set.of(), Set.of());
  }

  /** A request of whole cards only. */
  public static GpuRequest wholeGpus(String name, int gpus) {
    return new GpuRequest(name, RequestShape.of(gpus, GpuDemand.WholeGpu.ANY));
  }

  /** A request of a part of one card. */
  public static GpuRequest fraction(String name, int milli) {
    return new GpuRequest(name, RequestShape.of(1, new GpuDemand.Fraction(milli)));
  }

  /** Puts a request on given cards of a node. */
  public static ClusterSnapshot put(
      ClusterSnapshot cluster, GpuRequest request, String node, int... cards) {
    var target = cluster.find(node).orElseThrow();
    var shares =
        IntStream.of(cards)
            .mapToObj(card -> target.share(card, request.shape().demand()).orElseThrow())
            .toList();
    return cluster.with(new Placement(request, node, shares));
  }
}
