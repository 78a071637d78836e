package io.prescale.controller.web.cards;

import io.prescale.controller.web.GpuPage;
import io.prescale.controller.web.GpusView;
import io.prescale.placement.cluster.ClusterSnapshot;
import io.prescale.placement.cluster.Gpu;
import io.prescale.placement.cluster.GpuHealth;
import io.prescale.placement.cluster.GpuNode;
import io.prescale.placement.cluster.GpuShare;
import io.prescale.placement.cluster.LinkRequirement.LinkScope;
import io.prescale.placement.cluster.NodeSpec;
import io.prescale.placement.cluster.Placement;
import io.prescale.placement.fragmentation.Fragmentation;
import io.prescale.placement.ledger.PlacementDecision;
import io.prescale.placement.ledger.QueueState;
import io.prescale.placement.queue.Quota;
import io.prescale.placement.topology.LinkMatrix;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Builds the page's view of a cluster's nodes and cards at one moment. Foreign text, such as names
 * of cards, is cut to a length that can be shown.
 */
public final class GpuPages {
  private static final int LONGEST = 200;
  private static final int LONGEST_REASON = 500;
  private static final int MOST_SHARES = 50;
  private static final int MOST_PROBLEMS = 20;
  private static final int MOST_KINDS = 8;

  private final ClusterSnapshot cluster;
  private final Fragmentation fragmentation;
  private final List<String> kinds;
  private final CardFacts facts;

  /**
   * @param kinds the classes of the fragmentation's workload in words, in the same order
   * @param fragmentation not thread-safe, so neither is this
   */
  public GpuPages(
      ClusterSnapshot cluster, Fragmentation fragmentation, List<String> kinds, CardFacts facts) {
    this.cluster = cluster;
    this.fragmentation = fragmentation;
    this.kinds = List.copyOf(kinds);
    this.facts = facts;
  }

  /**
   * Builds a page.
   *
   * @param decisions the newest first
   * @param unplaced number of pods that no node has room for
   */
  public GpuPage page(GpusView.Query query, List<PlacementDecision> decisions, int unplaced) {
    var matching = cluster.nodes().filter(node -> isShown(node, query.show())).toList();
    int from = Math.min(query.offset(), matching.size());
    int to = Math.min(from + query.limit(), matching.size());
    return new GpuPage(
        totals(unplaced),
        matching.size(),
        from,
        matching.subList(from, to).stream().map(this::node).toList(),
        decisions.stream()
            .map(
                it ->
                    new GpuPage.Decision(
                        it.at(), cut(it.pod()), it.node(), cut(it.reason(), LONGEST_REASON)))
            .toList(),
        room(cluster.nodes()),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        GpuPage.Course.NONE);
  }

  /**
   * A queue as it is now.
   *
   * @param parent empty for a queue without one
   * @param fault why it is not in force as it is written; empty when it is
   */
  public static GpuPage.Queue queue(QueueState state, String parent, String fault) {
    long limit = state.quota().limit();
    return new GpuPage.Queue(
        state.name(),
        parent,
        state.quota().guaranteed(),
        limit < Quota.UNLIMITED ? limit : null,
        state.usedMilli(),
        state.owedMilli(),
        state.waiting(),
        state.oldest().orElse(null),
        fault);
  }

  private static String cut(String text) {
    return cut(text, LONGEST);
  }

  private static String cut(String text, int longest) {
    return text.length() <= longest ? text : text.substring(0, longest - 1) + "…";
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
    return Math.round((double) fragmentation.profile(node).now() / fragmentation.totalWeight());
  }

  private GpuPage.Totals totals(int unplaced) {
    int cards = 0;
    int sick = 0;
    long allocated = 0;
    long used = 0;
    int measured = 0;
    long fragments = 0;
    for (GpuNode node : cluster.nodes().toList()) {
      cards += node.cards();
      fragments += fragmentMilli(node);
      for (int card = 0; card < node.cards(); card++) {
        sick += isSick(node.gpu(card).health()) ? 1 : 0;
        allocated += allocatedMilli(node, card);
        var busy = facts.usedMilli(node, card);
        used += busy.orElse(0);
        measured += busy.isPresent() ? 1 : 0;
      }
    }
    return new GpuPage.Totals(
        cluster.size(), cards, sick, allocated, used, measured, fragments, unplaced);
  }

  private List<GpuPage.Room> room(Stream<GpuNode> nodes) {
    var sums = new int[kinds.size()];
    nodes
        .map(node -> fragmentation.profile(node).room())
        .forEach(room -> Arrays.setAll(sums, kind -> sums[kind] + room[kind]));
    return IntStream.range(0, Math.min(kinds.size(), MOST_KINDS))
        .mapToObj(kind -> new GpuPage.Room(kinds.get(kind), sums[kind]))
        .toList();
  }

  /** What is promised of a card: the larger of the parts of its compute and its memory. */
  private static int allocatedMilli(GpuNode node, int card) {
    var gpu = node.gpu(card);
    int compute = gpu.computeMilli() - node.freeComputeMilli(card);
    long memory = (long) gpu.memoryMib() - node.freeGpuMemoryMib(card);
    return gpu.memoryMib() == 0
        ? compute
        : (int) Math.max(compute, memory * Gpu.WHOLE_MILLI / gpu.memoryMib());
  }

  private GpuPage.Node node(GpuNode node) {
    return new GpuPage.Node(
        node.name(),
        cut(node.gpu(0).model()),
        links(node.spec()),
        node.spec().links().map(GpuPages::pairs).orElse(List.of()),
        fragmentMilli(node),
        IntStream.range(0, node.cards()).mapToObj(card -> card(node, card)).toList(),
        facts.problems(node.name()).stream().limit(MOST_PROBLEMS).map(GpuPages::cut).toList(),
        room(Stream.of(node)));
  }

  private GpuPage.Card card(GpuNode node, int card) {
    var gpu = node.gpu(card);
    var used = facts.usedMilli(node, card);
    return new GpuPage.Card(
        card,
        cut(gpu.uuid()),
        gpu.memoryMib(),
        allocatedMilli(node, card),
        gpu.memoryMib() - node.freeGpuMemoryMib(card),
        used.isPresent() ? (Integer) used.getAsInt() : null,
        gpu.health().state().name(),
        gpu.health().xids().isEmpty() ? "" : "XID " + gpu.health().xids().getLast(),
        node.placements().stream()
            .flatMap(placement -> shares(placement, gpu, card).stream())
            .limit(MOST_SHARES)
            .toList());
  }

  private List<GpuPage.Share> shares(Placement placement, Gpu gpu, int card) {
    return placement.shares().stream()
        .filter(share -> share.card() == card)
        .map(share -> share(placement, gpu, share))
        .toList();
  }

  private GpuPage.Share share(Placement placement, Gpu gpu, GpuShare share) {
    var holder = facts.holder(placement.request().name());
    return new GpuPage.Share(
        cut(holder.pod()),
        cut(holder.workload()),
        gpu.milliOf(share),
        share.memoryMib(),
        holder.ready());
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
    return meshed ? "NVLink between all" : "not all by NVLink";
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
