package io.prescale.controller.scheduler.whatif;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.prescale.controller.scheduler.facts.Facts;
import io.prescale.controller.scheduler.facts.NodeRules;
import io.prescale.controller.scheduler.objects.ClusterObjects;
import io.prescale.controller.scheduler.reclaim.ReclaimPreview;
import io.prescale.controller.scheduler.reclaim.ReclaimPreview.Leaving;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.ledger.Candidates;
import io.prescale.placement.ledger.Decision;
import io.prescale.placement.ledger.Ledger;
import io.prescale.placement.ledger.QueueState;
import io.prescale.placement.ledger.ReclaimQuestion;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What would become of pods if they were created now: the decisions of the scheduler extender, by
 * its own ledger. Of kube-scheduler's filters only node selectors and taints apply. Pods that wait
 * already are tried too, the most important of all first.
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

  /** The results of pods in replicas of so many each. */
  public List<List<Result>> replicas(int podsEach) {
    return IntStream.range(0, pods.size() / podsEach)
        .mapToObj(replica -> pods.subList(replica * podsEach, (replica + 1) * podsEach))
        .toList();
  }

  /** What would become of a pod. */
  public sealed interface Outcome {
    /** Whether it would wait. */
    default boolean isWaiting() {
      return this instanceof Waits;
    }
  }

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

  /**
   * It would wait, with a reason.
   *
   * @param asked the pods on borrowed cards that could be asked to leave for it and for others of
   *     its gang; empty where that would not help
   */
  public record Waits(String reason, List<Leaving> asked) implements Outcome {
    public Waits {
      asked = List.copyOf(asked);
    }
  }

  /**
   * Creates pods in a cluster, all before the first is scheduled.
   *
   * @param ledger of the cluster; afterwards it has the pods too
   */
  public static Trial of(ClusterObjects cluster, Ledger ledger, List<Pod> pods, Instant now) {
    return new Run(cluster, cluster.of(Node.class).toList(), ledger, now)
        .run(
            cluster.waiting().map(Created::new).toList(), pods.stream().map(Created::new).toList());
  }

  /** A pod, and what the ledger reads of it. */
  private record Created(Pod pod, PodFacts facts) {
    Created(Pod pod) {
      this(pod, Facts.of(pod));
    }
  }

  private record Run(ClusterObjects cluster, List<Node> nodes, Ledger ledger, Instant now) {
    /** Tries the pods that wait already too, the most important of all first. */
    Trial run(List<Created> waiting, List<Created> pods) {
      ledger.beginRecordingAsks();
      pods.stream().filter(it -> !Facts.isGated(it.pod())).forEach(it -> ledger.seen(it.facts()));
      var byUid = new LinkedHashMap<String, Created>();
      Stream.concat(waiting.stream(), pods.stream())
          .sorted(Comparator.comparingInt(it -> -it.facts().priority()))
          .forEach(it -> byUid.put(it.facts().uid(), it));
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
      var asked = asked();
      var results =
          pods.stream()
              .map(
                  pod -> {
                    var uid = pod.facts().uid();
                    var outcome = Objects.requireNonNull(outcomes.get(uid));
                    return new Result(
                        pod.facts().display(),
                        switch (outcome) {
                          case Placed(var node, _) ->
                              new Placed(node, cards.getOrDefault(uid, List.of()));
                          case Waits(var reason, _) ->
                              new Waits(reason, asked.getOrDefault(claim(pod.facts()), List.of()));
                          case NoGpu gone -> gone;
                        });
                  })
              .toList();
      return new Trial(results, ledger.queues());
    }

    private Outcome attempt(Created created) {
      if (Facts.isGated(created.pod())) {
        return new Waits("a scheduling gate holds it back", List.of());
      }
      var admitting =
          nodes.stream()
              .filter(node -> NodeRules.admit(node, created.pod()))
              .map(node -> node.getMetadata().getName())
              .toList();
      return switch (ledger.candidates(created.facts(), admitting, true, now, _ -> 0)) {
        case Candidates.Anywhere _ -> new NoGpu();
        case Candidates.Nodes(var best) -> bind(created.facts(), best.getFirst());
        case Candidates.HeldBack(var sentence, _) -> new Waits(sentence, List.of());
        case Candidates.Nowhere nowhere ->
            new Waits(
                admitting.isEmpty()
                    ? "no node has the labels that it selects and only taints that it tolerates"
                    : nowhere.summary(),
                List.of());
      };
    }

    private Outcome bind(PodFacts pod, String node) {
      return switch (ledger.decide(pod.uid(), node, now)) {
        case Decision.Bind _ -> new Placed(node, List.of());
        case Decision.Refused(var sentence) -> new Waits(sentence, List.of());
      };
    }

    /** Who could be asked to leave, by what asks. */
    private Map<String, List<Leaving>> asked() {
      var terms = cluster.policies();
      return terms.isEmpty()
          ? Map.of()
          : ledger
              .reclaimFacts(ReclaimQuestion.ofClaims(Set.of(), Map.of()))
              .map(known -> ReclaimPreview.of(known, cluster.of(Pod.class), terms, now))
              .orElse(Map.of());
    }

    /** As claims are named: by the UID, or by the gang. */
    private static String claim(PodFacts facts) {
      return facts.group().map(it -> facts.namespace() + "/" + it.name()).orElse(facts.uid());
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
