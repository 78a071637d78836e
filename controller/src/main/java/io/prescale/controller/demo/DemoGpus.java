package io.prescale.controller.demo;

import io.prescale.controller.web.GpuPage;
import io.prescale.controller.web.GpusView;
import io.prescale.placement.cluster.GpuHealth;
import io.prescale.placement.cluster.GpuNode;
import io.prescale.placement.cluster.GpuShare;
import io.prescale.placement.cluster.LinkRequirement.LinkScope;
import io.prescale.placement.cluster.NodeSpec;
import io.prescale.placement.topology.LinkMatrix;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Nodes and cards of a simulation as they are at one moment, for the page. */
final class DemoGpus {
  /** A pod that loads its model keeps little of its card busy. */
  private static final int BUSY_WHILE_LOADING = 50;

  private final SimulatedCluster cluster;
  private final Instant now;
  private final Map<String, Pod> pods = new HashMap<>();
  private final Map<Workload, Integer> busyMilli = new HashMap<>();

  DemoGpus(Simulation simulation) {
    this.cluster = simulation.cluster();
    this.now = simulation.now();
    cluster.pods().forEach(pod -> pods.put(pod.name(), pod));
    simulation.services().forEach(it -> busyMilli.put(it.workload(), busyMilli(it)));
  }

  /** How busy its part of a card keeps each ready replica, in thousandths of that part. */
  private int busyMilli(SimulatedService service) {
    int ready = Math.max(1, cluster.ready(service.workload(), now));
    double load = service.demand() / (ready * service.workload().capacityPerReplica());
    return (int) Math.round(service.workload().busyMilli() * Math.min(1, load));
  }

  GpuPage page(GpusView.Query query) {
    var matching = cluster.nodes().nodes().filter(node -> isShown(node, query.show())).toList();
    int from = Math.min(query.offset(), matching.size());
    int to = Math.min(from + query.limit(), matching.size());
    return new GpuPage(
        totals(),
        matching.size(),
        from,
        matching.subList(from, to).stream().map(this::node).toList(),
        cluster.decisions().stream()
            .map(it -> new GpuPage.Decision(it.at(), it.pod(), it.node(), it.reason()))
            .toList());
  }

  private boolean isShown(GpuNode node, GpusView.Show show) {
    return switch (show) {
      case ALL -> true;
      case BUSY -> !node.placements().isEmpty();
      case FRAGMENTED -> fragmentMilli(node) > 0;
      case SICK -> node.spec().gpus().stream().anyMatch(gpu -> isSick(gpu.health()));
    };
  }

  private static boolean isSick(GpuHealth health) {
    return health.state() != GpuHealth.State.USABLE;
  }

  private long fragmentMilli(GpuNode node) {
    var fragmentation = cluster.fragmentation();
    return Math.round((double) fragmentation.profile(node).now() / fragmentation.totalWeight());
  }

  private GpuPage.Totals totals() {
    var nodes = cluster.nodes().nodes().toList();
    int cards = 0;
    int sick = 0;
    long allocated = 0;
    long used = 0;
    long fragments = 0;
    for (GpuNode node : nodes) {
      cards += node.cards();
      fragments += fragmentMilli(node);
      for (int card = 0; card < node.cards(); card++) {
        sick += isSick(node.gpu(card).health()) ? 1 : 0;
        allocated += node.gpu(card).computeMilli() - node.freeComputeMilli(card);
      }
      used += shares(node).mapToLong(this::usedMilli).sum();
    }
    int unplaced = (int) pods.values().stream().filter(it -> it.placement().isEmpty()).count();
    return new GpuPage.Totals(nodes.size(), cards, sick, allocated, used, fragments, unplaced);
  }

  /** A pod's part of one card. */
  private record Held(Pod pod, GpuShare share) {}

  private Stream<Held> shares(GpuNode node) {
    return node.placements().stream()
        .flatMap(
            placement ->
                placement.shares().stream()
                    .map(share -> new Held(pod(placement.request().name()), share)));
  }

  private Pod pod(String name) {
    var pod = pods.get(name);
    if (pod == null) {
      throw new IllegalStateException("a pod is placed that does not exist: " + name);
    }
    return pod;
  }

  private int usedMilli(Held held) {
    int busy =
        held.pod().isReady(now)
            ? busyMilli.getOrDefault(held.pod().workload(), 0)
            : BUSY_WHILE_LOADING;
    return held.share().computeMilli() * busy / 1000;
  }

  private GpuPage.Node node(GpuNode node) {
    var heldByCard = new ArrayList<List<Held>>();
    IntStream.range(0, node.cards()).forEach(_ -> heldByCard.add(new ArrayList<>()));
    shares(node).forEach(held -> heldByCard.get(held.share().card()).add(held));
    return new GpuPage.Node(
        node.name(),
        node.gpu(0).model(),
        links(node.spec()),
        node.spec().links().map(DemoGpus::pairs).orElse(List.of()),
        fragmentMilli(node),
        IntStream.range(0, node.cards())
            .mapToObj(card -> card(node, card, heldByCard.get(card)))
            .toList());
  }

  private GpuPage.Card card(GpuNode node, int card, List<Held> held) {
    var gpu = node.gpu(card);
    return new GpuPage.Card(
        card,
        gpu.uuid(),
        gpu.memoryMib(),
        gpu.computeMilli() - node.freeComputeMilli(card),
        gpu.memoryMib() - node.freeGpuMemoryMib(card),
        held.stream().mapToInt(this::usedMilli).sum(),
        gpu.health().state().name(),
        gpu.health().xids().isEmpty() ? "" : "XID " + gpu.health().xids().getLast(),
        held.stream().map(this::share).toList());
  }

  private GpuPage.Share share(Held held) {
    return new GpuPage.Share(
        held.pod().name(),
        held.pod().workload().name(),
        held.share().computeMilli(),
        held.share().memoryMib(),
        held.pod().isReady(now));
  }

  private static String links(NodeSpec spec) {
    if (spec.links().isEmpty()) {
      return "links unknown";
    }
    var links = spec.links().get();
    boolean meshed =
        IntStream.range(0, links.cards())
            .allMatch(
                a -> IntStream.range(0, a).allMatch(b -> scope(links, a, b) == LinkScope.NVLINK));
    return meshed ? "NVLink between all" : "PCIe, switches of two";
  }

  private static List<List<String>> pairs(LinkMatrix links) {
    return IntStream.range(0, links.cards())
        .mapToObj(
            a ->
                IntStream.range(0, links.cards())
                    .mapToObj(b -> a == b ? "" : word(scope(links, a, b)))
                    .toList())
        .toList();
  }

  private static LinkScope scope(LinkMatrix links, int a, int b) {
    return Arrays.stream(LinkScope.values())
        .filter(scope -> links.score(a, b) >= scope.leastScore())
        .findFirst()
        .orElseThrow();
  }

  private static String word(LinkScope scope) {
    return switch (scope) {
      case NVLINK -> "nv";
      case PCIE_SWITCH -> "switch";
      case PCIE_HOST_BRIDGE -> "bridge";
      case NUMA_NODE -> "numa";
      case NODE -> "far";
    };
  }
}
