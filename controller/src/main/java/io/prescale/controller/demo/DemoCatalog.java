package io.prescale.controller.demo;

import static io.prescale.placement.cluster.LinkRequirement.LinkScope.NVLINK;

import io.prescale.controller.input.DemoTrace;
import io.prescale.controller.input.LoadProfile;
import io.prescale.controller.simulation.replay.ColdStart;
import io.prescale.placement.cluster.CardSelector;
import io.prescale.placement.cluster.Gpu;
import io.prescale.placement.cluster.GpuDemand;
import io.prescale.placement.cluster.HostDemand;
import io.prescale.placement.cluster.LinkRequirement;
import io.prescale.placement.cluster.NodeSpec;
import io.prescale.placement.cluster.Partitioning;
import io.prescale.placement.cluster.RequestShape;
import io.prescale.placement.topology.KnownMachines;
import io.prescale.placement.topology.LinkMatrix;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/** The services and nodes of the demo: five kinds of one, three of the other, repeated. */
final class DemoCatalog {
  private static final int CARDS = 8;
  private static final int MOST_SHARERS = 10;

  private static final String H100 = "NVIDIA-H100-80GB-HBM3";
  private static final String A100 = "NVIDIA-A100-SXM4-80GB";
  private static final String L40S = "NVIDIA-L40S";

  private static final LoadProfile OFFICE = DemoTrace.PROFILE;
  private static final LoadProfile EVENING =
      new LoadProfile(60, 240, 320, 0, 0, 3, 9.5, 22.5, 0.004, 0.03, 2);
  private static final LoadProfile NIGHTLY =
      new LoadProfile(40, 110, 60, 60, 220, 1.5, 7.5, 20, 0, 0.03, 1);

  private static final List<Workload> KINDS =
      List.of(
          new Workload(
              "chat-70b",
              40,
              OFFICE.times(0.36),
              coldStart(5, 7),
              gpus(2, GpuDemand.WholeGpu.ANY, H100).withLinks(LinkRequirement.required(NVLINK)),
              880,
              14),
          new Workload(
              "chat-8b",
              32,
              OFFICE.times(0.7),
              coldStart(3, 4),
              gpus(1, new GpuDemand.Fraction(500), A100),
              760,
              40),
          new Workload(
              "code-assist",
              24,
              OFFICE.times(0.45).later(1),
              coldStart(4, 5),
              gpus(1, GpuDemand.WholeGpu.ANY, L40S),
              640,
              20),
          new Workload(
              "embeddings",
              120,
              NIGHTLY.times(6),
              coldStart(2, 3),
              gpus(1, new GpuDemand.Fraction(250), L40S),
              420,
              40),
          new Workload(
              "speech",
              20,
              EVENING.times(0.5),
              coldStart(2, 3),
              gpus(1, new GpuDemand.Share(300, 20 * 1024), A100),
              520,
              30));

  private DemoCatalog() {}

  private static ColdStart coldStart(int usualMinutes, int p90Minutes) {
    return new ColdStart.LogNormal(
        Duration.ofMinutes(usualMinutes), Duration.ofMinutes(p90Minutes));
  }

  private static RequestShape gpus(int count, GpuDemand demand, String model) {
    return RequestShape.of(count, demand)
        .withCards(CardSelector.models(Set.of(model)))
        .withHost(new HostDemand(4000L * count, 24L * 1024 * count, ""));
  }

  /**
   * The first services of the catalogue; those after the fifth repeat the kinds at other hours and
   * scales.
   */
  static List<Workload> workloads(int count) {
    return IntStream.range(0, count).mapToObj(DemoCatalog::workload).toList();
  }

  private static Workload workload(int index) {
    Workload kind = KINDS.get(index % KINDS.size());
    int round = index / KINDS.size();
    if (round == 0) {
      return kind;
    }
    return new Workload(
        "%s-%d".formatted(kind.name(), round + 1),
        kind.capacityPerReplica(),
        kind.load().times(0.4 + 0.1 * (round % 9)).later(0.25 * (round % 5)),
        kind.coldStart(),
        kind.shape(),
        kind.busyMilli(),
        kind.maxReplicas());
  }

  /** Nodes of eight cards: two of H100, two of A100 and three of L40S, and so on. */
  static List<NodeSpec> nodes(int count) {
    return IntStream.range(0, count).mapToObj(DemoCatalog::node).toList();
  }

  private static NodeSpec node(int index) {
    return switch (index % 7) {
      case 0, 1 -> node(index, "h100", H100, 80, KnownMachines.hgxH100(), gpu -> gpu);
      case 2, 3 -> node(index, "a100", A100, 80, KnownMachines.dgxA100(), DemoCatalog::shared);
      default -> node(index, "l40s", L40S, 48, KnownMachines.pcieOnly(), DemoCatalog::shared);
    };
  }

  private static Gpu shared(Gpu gpu) {
    return gpu.withPartitioning(Partitioning.HAMI_CORE, MOST_SHARERS);
  }

  private static NodeSpec node(
      int index, String kind, String model, int gib, LinkMatrix links, UnaryOperator<Gpu> cut) {
    String name = "%s-%02d".formatted(kind, index);
    var gpus =
        IntStream.range(0, CARDS)
            .mapToObj(card -> cut.apply(Gpu.whole(name + "-" + card, "nvidia", model, gib * 1024)))
            .toList();
    return new NodeSpec(name, 192_000, 2L * 1024 * 1024, gpus).withLinks(links);
  }
}
