package io.prescale.controller.demo;

import static java.util.stream.Collectors.joining;

import io.prescale.placement.inventory.NodeFacts;
import io.prescale.placement.topology.KnownMachines;
import io.prescale.placement.topology.LinkMatrix;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** The nodes of the demo, with cards as HAMi's device plugin registers them. */
final class DemoNodes {
  private static final int CARDS = 8;
  private static final int MOST_SHARERS = 10;

  private DemoNodes() {}

  /** Nodes of eight cards: two of H100, two of A100 and three of L40S, and so on. */
  static List<NodeFacts> of(int count) {
    return IntStream.range(0, count).mapToObj(DemoNodes::node).toList();
  }

  /** The cards of nodes, in thousandths. */
  static long milli(List<NodeFacts> nodes) {
    return 1000L * CARDS * nodes.size();
  }

  private static NodeFacts node(int index) {
    return switch (index % 7) {
      case 0, 1 -> node(index, "h100", DemoCatalog.H100, 80, 1, KnownMachines.hgxH100());
      case 2, 3 -> node(index, "a100", DemoCatalog.A100, 80, MOST_SHARERS, KnownMachines.dgxA100());
      default -> node(index, "l40s", DemoCatalog.L40S, 48, MOST_SHARERS, KnownMachines.pcieOnly());
    };
  }

  private static NodeFacts node(
      int index, String kind, String model, int gib, int sharers, LinkMatrix links) {
    var name = "%s-%02d".formatted(kind, index);
    var cards =
        IntStream.range(0, CARDS)
            .mapToObj(
                card ->
                    """
                    {"id":"%s","index":%d,"count":%d,"devmem":%d,"devcore":100,"type":"%s",\
                    "mode":"hami-core","health":true}\
                    """
                        .formatted(uuid(name, card), card, sharers, gib * 1024, model))
            .collect(joining(",", "[", "]"));
    return new NodeFacts(
        name,
        Map.of(),
        Map.of(
            "hami.io/node-nvidia-register",
            cards,
            "hami.io/node-nvidia-score",
            scores(name, links)),
        Map.of("nvidia.com/gpu", (long) CARDS * sharers),
        true,
        false);
  }

  private static String uuid(String node, int card) {
    return "%s-%d".formatted(node, card);
  }

  private static String scores(String node, LinkMatrix links) {
    return IntStream.range(0, CARDS)
        .mapToObj(
            from ->
                IntStream.range(0, CARDS)
                    .filter(to -> to != from)
                    .mapToObj(to -> "\"%s\":%d".formatted(uuid(node, to), links.score(from, to)))
                    .collect(
                        joining(
                            ",", "{\"uuid\":\"%s\",\"score\":{".formatted(uuid(node, from)), "}}")))
        .collect(joining(",", "[", "]"));
  }
}
