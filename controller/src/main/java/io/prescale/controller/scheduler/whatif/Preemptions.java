package io.prescale.controller.scheduler.whatif;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;
import io.prescale.controller.cluster.WrittenTime;
import io.prescale.controller.scheduler.facts.Facts;
import io.prescale.controller.scheduler.objects.ClusterObjects;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.inventory.PodFacts.Phase;
import io.prescale.placement.ledger.Ledger;
import io.prescale.placement.notice.ReclaimPolicy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Gatherers;
import java.util.stream.Stream;

/**
 * Which pods kube-scheduler deletes for one that fits nowhere, as its plugin DefaultPreemption
 * does: on each node it looks for less important pods without which its own filters let the pod in,
 * and where it finds some, it asks the extender. Of its filters only the one for devices that nodes
 * count applies, and no PodDisruptionBudget does.
 */
final class Preemptions {
  private static final Comparator<Running> MOST_IMPORTANT_FIRST =
      Comparator.comparingInt(Running::priority).reversed().thenComparing(Running::since);

  /** As kube-scheduler prefers one node to another. */
  private static final Comparator<Victims> LEAST =
      Comparator.comparingInt(Victims::highest)
          .thenComparingLong(Victims::sum)
          .thenComparingInt(it -> it.pods().size())
          .thenComparing(Victims::since, Comparator.reverseOrder())
          .thenComparing(Victims::node);

  /** Of the nodes as many, but at least {@link #LEAST_TRIED}. */
  private static final int PARTS_TRIED = 10;

  private static final int LEAST_TRIED = 100;

  /** Nodes that are asked about at once. */
  private static final int AT_ONCE = 100;

  private final ClusterObjects cluster;
  private final Ledger ledger;
  private final Set<String> giving;
  private final Map<String, Map<String, Long>> offered;
  private final Map<String, Map<String, Running>> running = new HashMap<>();

  Preemptions(ClusterObjects cluster, Ledger ledger) {
    this.cluster = cluster;
    this.ledger = ledger;
    giving = ReclaimPolicy.acting(cluster.policies());
    offered =
        cluster
            .of(Node.class)
            .map(it -> Facts.of(it, ledger.levels()))
            .collect(Collectors.toMap(it -> it.name(), it -> it.allocatable(), (a, _) -> a));
    cluster.of(Pod.class).forEach(this::run);
  }

  private void run(Pod pod) {
    var facts = cluster.facts(pod);
    if (facts.phase() != Phase.FINISHED) {
      var started =
          Optional.ofNullable(pod.getStatus()).flatMap(it -> WrittenTime.read(it.getStartTime()));
      var since = started.orElse(Instant.MAX);
      facts.node().ifPresent(node -> put(node, new Running(facts, since, true)));
      facts.nominated().ifPresent(node -> put(node, new Running(facts, since, false)));
    }
  }

  private void put(String node, Running pod) {
    running.computeIfAbsent(node, _ -> new HashMap<>()).put(pod.facts().uid(), pod);
  }

  /**
   * A pod on a node.
   *
   * @param asked for how much of each resource
   * @param since when it was started
   * @param isBound otherwise pods were deleted for it there
   */
  private record Running(PodFacts facts, Map<String, Long> asked, Instant since, boolean isBound) {
    Running(PodFacts facts, Instant since, boolean isBound) {
      this(facts, facts.asked(), since, isBound);
    }

    int priority() {
      return facts.priority();
    }

    long asked(String resource) {
      return asked.getOrDefault(resource, 0L);
    }
  }

  /** The pods that are deleted on a node, the most important first. */
  private record Victims(String node, List<Running> pods) {
    /** Of those that are not being deleted anyhow. */
    List<String> names() {
      return pods.stream()
          .map(Running::facts)
          .filter(it -> !it.isLeaving())
          .map(PodFacts::display)
          .toList();
    }

    int highest() {
      return pods.getFirst().priority();
    }

    long sum() {
      return pods.stream().mapToLong(it -> (long) it.priority() - Integer.MIN_VALUE).sum();
    }

    Instant since() {
      return pods.stream()
          .filter(it -> it.priority() == highest())
          .map(Running::since)
          .min(Comparator.naturalOrder())
          .orElseThrow();
    }
  }

  /** As many nodes with victims as kube-scheduler compares. */
  private long mostTried() {
    return Math.max(LEAST_TRIED, offered.size() / PARTS_TRIED);
  }

  /** Records that a pod was bound. */
  void bound(PodFacts pod, String node, Instant now) {
    running.values().forEach(pods -> pods.remove(pod.uid()));
    put(node, new Running(pod, now, true));
  }

  /**
   * Deletes pods for one.
   *
   * @param nodes that would fit it if they were empty
   * @return their namespaces and names; empty if none are deleted
   */
  List<String> makeRoom(Pod pod, PodFacts facts, Collection<String> nodes) {
    if (!mayPreempt(pod) || isAwaitingRoom(facts)) {
      return List.of();
    }
    var least =
        nodes.stream()
            .gather(Gatherers.windowFixed(AT_ONCE))
            .flatMap(window -> victims(facts, window))
            .limit(mostTried())
            .min(LEAST)
            .filter(it -> !it.names().isEmpty());
    least.ifPresent(
        it -> {
          it.pods()
              .forEach(
                  gone -> {
                    ledger.podGone(gone.facts().uid());
                    on(it.node()).remove(gone.facts().uid());
                  });
          put(it.node(), new Running(facts, Instant.MAX, false));
        });
    return least.map(Victims::names).orElse(List.of());
  }

  /** By its own word, or by that of its priority class, which the API server would write on it. */
  private boolean mayPreempt(Pod pod) {
    var name = pod.getSpec().getPriorityClassName();
    boolean isUsual = name == null || name.isEmpty();
    return Optional.ofNullable(pod.getSpec().getPreemptionPolicy())
        .or(
            () ->
                cluster
                    .of(PriorityClass.class)
                    .filter(
                        it ->
                            isUsual
                                ? Boolean.TRUE.equals(it.getGlobalDefault())
                                : it.getMetadata().getName().equals(name))
                    .findFirst()
                    .map(PriorityClass::getPreemptionPolicy))
        .filter("Never"::equals)
        .isEmpty();
  }

  /** Whether pods are being deleted for it already. */
  private boolean isAwaitingRoom(PodFacts pod) {
    return pod.nominated().stream()
        .flatMap(node -> on(node).values().stream())
        .anyMatch(it -> it.facts().isLeaving() && it.priority() < pod.priority());
  }

  private Map<String, Running> on(String node) {
    return running.getOrDefault(node, Map.of());
  }

  private Stream<Victims> victims(PodFacts pod, List<String> nodes) {
    var given = new HashMap<String, List<String>>();
    for (var node : nodes) {
      var uids = given(pod, node).stream().map(it -> it.facts().uid()).toList();
      if (!uids.isEmpty()) {
        given.put(node, uids);
      }
    }
    var found = ledger.victims(pod, given, giving);
    return nodes.stream()
        .filter(found::containsKey)
        .map(node -> new Victims(node, pods(node, found.getOrDefault(node, List.of()))));
  }

  private List<Running> pods(String node, List<String> uids) {
    return uids.stream().map(on(node)::get).toList();
  }

  /** Those without which the node has enough devices; the most important stay if they can. */
  private List<Running> given(PodFacts pod, String node) {
    var left = new HashMap<>(offered.getOrDefault(node, Map.of()));
    var preemptor = new Running(pod, Instant.MAX, false);
    left.keySet().removeIf(resource -> preemptor.asked(resource) == 0);
    left.replaceAll((resource, amount) -> amount - preemptor.asked(resource));
    var lower = new ArrayList<Running>();
    for (var each : on(node).values()) {
      if (each.facts().uid().equals(pod.uid())) {
        continue; // where it is nominated
      }
      if (each.priority() >= pod.priority()) {
        left.replaceAll((resource, amount) -> amount - each.asked(resource));
      } else if (each.isBound()) {
        lower.add(each);
      }
    }
    if (left.values().stream().anyMatch(amount -> amount < 0)) {
      return List.of();
    }
    lower.sort(MOST_IMPORTANT_FIRST);
    var given = new ArrayList<Running>();
    for (var each : lower) {
      if (left.entrySet().stream().allMatch(it -> each.asked(it.getKey()) <= it.getValue())) {
        left.replaceAll((resource, amount) -> amount - each.asked(resource));
      } else {
        given.add(each);
      }
    }
    return given;
  }
}
