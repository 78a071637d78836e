package io.prescale.controller.scheduler.whatif;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;
import io.prescale.controller.scheduler.objects.ClusterObjects;
import io.prescale.placement.cluster.Gpu;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Nodes with cards that are alike.
 *
 * @param name such as a machine's type, or {@code 8 x NVIDIA A100}
 * @param nodes those that the cluster has
 */
public record NodeKind(String name, List<Node> nodes) {
  /** How many sets of labels are tried where nodes of a kind differ in what pods select by. */
  private static final int MOST_LABELLED = 8;

  private static final List<String> NAMING =
      List.of("node.kubernetes.io/instance-type", "nvidia.com/gpu.product");

  /** Nodes of a kind that would hold replicas. */
  public record Needed(NodeKind kind, int nodes) {}

  /** The kinds of nodes with cards, the most frequent first. */
  public static List<NodeKind> of(ClusterObjects cluster) {
    var cards = cards(cluster);
    return cluster
        .of(Node.class)
        .filter(node -> hasCards(node, cards))
        .collect(groupingBy(node -> kind(node, cards)))
        .entrySet()
        .stream()
        .map(it -> new NodeKind(called(it.getValue().getFirst(), cards), it.getValue()))
        .sorted(
            Comparator.comparingInt((NodeKind it) -> -it.nodes().size())
                .thenComparing(NodeKind::name))
        .toList();
  }

  private static Map<String, String> cards(ClusterObjects cluster) {
    return cluster
        .ledger()
        .cluster()
        .nodes()
        .collect(
            Collectors.toMap(
                node -> node.name(),
                node ->
                    node.spec().gpus().stream()
                        .collect(groupingBy(Gpu::model, TreeMap::new, Collectors.counting()))
                        .entrySet()
                        .stream()
                        .map(it -> "%d x %s".formatted(it.getValue(), it.getKey()))
                        .collect(Collectors.joining(", "))));
  }

  private static boolean hasCards(Node node, Map<String, String> cards) {
    return cards.containsKey(node.getMetadata().getName()) || !extended(node).isEmpty();
  }

  private static String kind(Node node, Map<String, String> cards) {
    return called(node, cards)
        + cards.getOrDefault(node.getMetadata().getName(), "")
        + extended(node)
        + (node.getSpec() == null ? "" : node.getSpec().getTaints());
  }

  private static String called(Node node, Map<String, String> cards) {
    var labels = allLabels(node);
    return NAMING.stream()
        .flatMap(key -> Optional.ofNullable(labels.get(key)).stream())
        .findFirst()
        .or(() -> Optional.ofNullable(cards.get(node.getMetadata().getName())))
        .orElseGet(() -> extended(node));
  }

  /** What device plugins offer, in words. */
  private static String extended(Node node) {
    var status = node.getStatus();
    return status == null || status.getAllocatable() == null
        ? ""
        : status.getAllocatable().entrySet().stream()
            .filter(it -> it.getKey().indexOf('/') > 0 && !it.getKey().contains("hugepages"))
            .filter(it -> it.getValue().getNumericalAmount().signum() > 0)
            .map(it -> "%s x %s".formatted(it.getValue(), it.getKey()))
            .sorted()
            .collect(Collectors.joining(", "));
  }

  /** The fewest nodes that would hold so many replicas; empty if no kind would hold one. */
  public static Optional<Needed> forReplicas(
      List<NodeKind> kinds, ClusterObjects cluster, ReplicaPods pods, int replicas, Instant now) {
    return kinds.stream()
        .flatMap(
            kind ->
                kind.forReplicas(cluster, pods, replicas, now).stream()
                    .mapToObj(nodes -> new Needed(kind, nodes)))
        .min(Comparator.comparingInt(Needed::nodes));
  }

  /** The pods of a replica may need several nodes; those that the cluster has are tried. */
  private OptionalInt forReplicas(
      ClusterObjects cluster, ReplicaPods pods, int replicas, Instant now) {
    for (int together = 1; together <= pods.one().size(); together++) {
      int each =
          choices(together).stream()
              .filter(it -> held(it, cluster, pods, 1, now) > 0) // most hold none, however many try
              .mapToInt(it -> held(it, cluster, pods, replicas, now))
              .max()
              .orElse(0);
      if (each > 0) {
        return OptionalInt.of(Math.ceilDiv(replicas, each) * together);
      }
    }
    return OptionalInt.empty();
  }

  /** Nodes of the same labels, and whichever come first. */
  private List<List<Node>> choices(int together) {
    var alike = nodes.stream().collect(groupingBy(NodeKind::labels, LinkedHashMap::new, toList()));
    return Stream.concat(alike.values().stream().limit(MOST_LABELLED), Stream.of(nodes))
        .filter(it -> it.size() >= together)
        .map(it -> it.subList(0, together))
        .distinct()
        .toList();
  }

  /** Without those that name the node. */
  private static Map<String, String> labels(Node node) {
    var labels = new HashMap<>(allLabels(node));
    labels.values().removeIf(it -> it != null && it.contains(node.getMetadata().getName()));
    return labels;
  }

  private static Map<String, String> allLabels(Node node) {
    return Objects.requireNonNullElse(node.getMetadata().getLabels(), Map.of());
  }

  /** How many replicas some empty nodes hold, at most so many as are asked for. */
  private static int held(
      List<Node> some, ClusterObjects cluster, ReplicaPods pods, int most, Instant now) {
    var empty =
        some.stream()
            .map(
                it ->
                    new NodeBuilder(it).editOrNewSpec().withUnschedulable(false).endSpec().build());
    var beside =
        Stream.concat(
            cluster.queuesWithoutAmounts(),
            cluster.all().stream()
                .filter(it -> it instanceof Namespace || it instanceof PriorityClass));
    var alone = new ClusterObjects(Stream.concat(empty, beside).toList());
    var trial = Trial.of(alone, alone.ledger(), pods.further("node", Math.min(most, 32)), now);
    return (int)
        trial.replicas(pods.one().size()).stream()
            .filter(replica -> replica.stream().noneMatch(pod -> pod.outcome().isWaiting()))
            .count();
  }
}
