package io.prescale.controller.scheduler.whatif;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.prescale.controller.scheduler.extender.ClusterObjects;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.ledger.Candidates;
import io.prescale.placement.ledger.Decision;
import io.prescale.placement.ledger.Ledger;
import io.prescale.placement.ledger.QueueState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What would become of pods if they were created now: the decisions of the scheduler extender, by
 * its own ledger. Of kube-scheduler's filters only node selectors and taints apply.
 *
 * @param pods in their order
 * @param queues afterwards; empty without queues
 */
public record Trial(List<Result> pods, List<QueueState> queues) {
  /** How many refused pods are tried again at once. */
  private static final int AT_ONCE = 100;

  public Trial {
    pods = List.copyOf(pods);
    queues = List.copyOf(queues);
  }

  /**
   * A pod and what would become of it.
   *
   * @param pod its namespace and name
   */
  public record Result(String pod, Outcome outcome) {}

  /** What would become of a pod. */
  public sealed interface Outcome {}

  /**
   * It would be bound.
   *
   * @param cards the parts of cards that it would have; empty where the kubelet chooses them
   */
  public record Placed(String node, List<Part> cards) implements Outcome {
    public Placed {
      cards = List.copyOf(cards);
    }
  }

  /**
   * A part of a card.
   *
   * @param milli thousandths of the card: the larger of the parts of its compute and its memory
   */
  public record Part(String card, long milli) {}

  /** It asks for no GPU, so it may go anywhere. */
  public record NoGpu() implements Outcome {}

  /** It would wait, with a reason. */
  public record Waits(String reason) implements Outcome {}

  /** Creates pods in a cluster, all before the first is scheduled. */
  public static Trial of(ClusterObjects cluster, List<Pod> pods, Instant now) {
    return new Run(cluster, cluster.ledger(), now).of(pods);
  }

  private record Run(ClusterObjects cluster, Ledger ledger, Instant now) {

    Trial of(List<Pod> pods) {
      var byUid = new LinkedHashMap<String, Pod>();
      pods.forEach(pod -> byUid.put(pod.getMetadata().getUid(), pod));
      pods.forEach(pod -> ledger.seen(ClusterObjects.facts(pod)));
      var outcomes = new HashMap<String, Outcome>();
      byUid.forEach((uid, pod) -> outcomes.put(uid, attempt(pod)));
      boolean hope = true;
      while (hope) {
        hope = false;
        for (var woken : ledger.awaken(AT_ONCE, now)) {
          var again = attempt(Objects.requireNonNull(byUid.get(woken.uid())));
          hope |= again instanceof Placed;
          outcomes.put(woken.uid(), again);
        }
      }
      var cards = cards();
      var results = new ArrayList<Result>();
      byUid.forEach(
          (uid, pod) -> {
            var name = ClusterObjects.facts(pod).display();
            var outcome = Objects.requireNonNull(outcomes.get(uid));
            results.add(
                outcome instanceof Placed placed
                    ? new Result(
                        name, new Placed(placed.node(), cards.getOrDefault(uid, List.of())))
                    : new Result(name, outcome));
          });
      return new Trial(results, ledger.queues());
    }

    private Outcome attempt(Pod pod) {
      var facts = ClusterObjects.facts(pod);
      var nodes =
          cluster
              .of(Node.class)
              .filter(node -> NodeRules.admit(node, pod))
              .map(node -> node.getMetadata().getName())
              .toList();
      return switch (ledger.candidates(facts, nodes, true, now, _ -> 0)) {
        case Candidates.Anywhere _ -> new NoGpu();
        case Candidates.Nodes(var best) -> bind(facts, best.getFirst());
        case Candidates.HeldBack(var sentence) -> new Waits(sentence);
        case Candidates.Nowhere nowhere ->
            new Waits(
                nodes.isEmpty()
                    ? "no node has the labels that it selects and only taints that it tolerates"
                    : nowhere.summary());
      };
    }

    private Outcome bind(PodFacts pod, String node) {
      return switch (ledger.decide(pod.uid(), node, now)) {
        case Decision.Bind _ -> new Placed(node, List.of());
        case Decision.Refused(var sentence) -> new Waits(sentence);
      };
    }

    /** What each pod has of which cards, by UID. */
    private Map<String, List<Part>> cards() {
      var cards = new HashMap<String, List<Part>>();
      for (var card : ledger.uses()) {
        for (var part : card.parts()) {
          cards
              .computeIfAbsent(part.holder(), _ -> new ArrayList<>())
              .add(new Part(card.uuid(), part.milli()));
        }
      }
      return cards;
    }
  }
}
