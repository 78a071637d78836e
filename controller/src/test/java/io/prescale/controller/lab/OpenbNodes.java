package io.prescale.controller.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The nodes of openb as HAMi would register them.
 *
 * @param open those for the week's pods
 * @param kept those whose cards other work holds all the time
 */
record OpenbNodes(List<Node> open, List<Node> kept) {
  static final int SHARERS = 10;

  /** Of the two models that the trace does not name, what cards of their kind have. */
  private static final Map<String, Integer> MEMORY_MIB =
      Map.of(
          "P100", 16_280, "T4", 15_360, "V100M16", 16_160, "V100M32", 32_510, "A10", 23_028, "G2",
          23_028, "G3", 81_920);

  OpenbNodes {
    open = List.copyOf(open);
    kept = List.copyOf(kept);
  }

  /** A row of the file. */
  record Node(String name, String cpuMilli, String memoryMib, int cards, String model) {
    private static Node of(String[] fields) {
      return new Node(fields[0], fields[1], fields[2], Integer.parseInt(fields[3]), fields[4]);
    }

    int cardMib() {
      return Objects.requireNonNull(MEMORY_MIB.get(model), model);
    }

    List<String> uuids() {
      return IntStream.range(0, cards).mapToObj(card -> "GPU-%s-%d".formatted(name, card)).toList();
    }

    private String register() {
      return IntStream.range(0, cards)
          .mapToObj(
              card ->
                  """
                  {"id":"GPU-%s-%d","index":%d,"count":%d,"devmem":%d,"devcore":100,\
                  "type":"NVIDIA-%s","mode":"hami-core","health":true}\
                  """
                      .formatted(name, card, card, SHARERS, cardMib(), model))
          .collect(Collectors.joining(",", "[", "]"));
    }

    private String manifest() {
      var resources =
          "{cpu: %sm, memory: %sMi, pods: \"250\", nvidia.com/gpu: \"%d\"}"
              .formatted(cpuMilli, memoryMib, cards * SHARERS);
      return """
      ---
      apiVersion: v1
      kind: Node
      metadata:
        name: %1$s
        labels: {kubernetes.io/hostname: %1$s}
        annotations: {hami.io/node-nvidia-register: '%2$s'}
      status: {capacity: %3$s, allocatable: %3$s}
      """
          .formatted(name, register(), resources);
    }

    /** A pod that holds all cards of the node. */
    private String keeper() {
      return """
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: kept-%1$s, namespace: default, labels: {gpu.prescale.io/queue: %2$s}}
      spec:
        nodeSelector: {kubernetes.io/hostname: %1$s}
        containers:
        - name: main
          image: model
          resources:
            limits: {nvidia.com/gpu: "%3$d", nvidia.com/gpumem-percentage: "100", nvidia.com/gpucores: "100"}
      """
          .formatted(name, OpenbWeek.KEPT, cards);
    }
  }

  /** Leaves about so many cards open, on nodes from the whole list. */
  static OpenbNodes read(Path openb, int openCards) throws IOException {
    var all =
        Files.readAllLines(openb.resolve("nodes.csv")).stream()
            .skip(1)
            .map(line -> Node.of(line.split(",", -1)))
            .sorted(Comparator.comparingInt(node -> Integer.reverse(node.name().hashCode())))
            .toList();
    int nodes = 0;
    for (int cards = 0; cards < openCards && nodes < all.size(); nodes++) {
      cards += all.get(nodes).cards();
    }
    return new OpenbNodes(all.subList(0, nodes), all.subList(nodes, all.size()));
  }

  static int cards(List<Node> nodes) {
    return nodes.stream().mapToInt(Node::cards).sum();
  }

  String manifest() {
    return manifests(open) + manifests(kept);
  }

  private static String manifests(List<Node> nodes) {
    return nodes.stream().map(Node::manifest).collect(Collectors.joining());
  }

  String keepers() {
    return kept.stream().map(Node::keeper).collect(Collectors.joining());
  }

  /** Memory of each open card, in MiB, by its UUID. */
  Map<String, Integer> memoryMib() {
    var memory = new HashMap<String, Integer>();
    open.forEach(node -> node.uuids().forEach(uuid -> memory.put(uuid, node.cardMib())));
    return memory;
  }
}
