package io.prescale.controller.scheduler.whatif;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.prescale.controller.scheduler.facts.Facts;
import io.prescale.controller.scheduler.facts.NodeRules;
import io.prescale.controller.scheduler.objects.ClusterObjects;
import io.prescale.controller.scheduler.reclaim.ReclaimPreview;
import io.prescale.controller.scheduler.reclaim.ReclaimPreview.Leaving;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.ledger.Booking;
import io.prescale.placement.ledger.Candidates;
import io.prescale.placement.ledger.Decision;
import io.prescale.placement.ledger.Ledger;
import io.prescale.placement.ledger.QueueState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
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
   * Less important pods would be deleted for it at once.
   *
   * @param pods their namespaces and names
   * @param then what would become of it when they have ended; one of a gang may still wait
   */
  public record Preempts(List<String> pods, Outcome then) implements Outcome {
    public Preempts {
      pods = List.copyOf(pods);
    }
  }

  /**
   * Creates pods in a cluster, all before the first is scheduled; no pod is deleted for any.
   *
   * @param ledger of the cluster; afterwards it has the pods too
   */
  public static Trial of(ClusterObjects cluster, Ledger ledger, List<Pod> pods, Instant now) {
    return new Run(cluster, ledger, Optional.empty(), now).run(pods);
  }

  /** The same where the more important pods preempt others, as kube-scheduler has them do. */
  public static Trial withPreemption(
      ClusterObjects cluster, Ledger ledger, List<Pod> pods, Instant now) {
    return new Run(cluster, ledger, Optional.of(new Preemptions(cluster, ledger)), now).run(pods);
  }

  /** A pod, and what the ledger reads of it. */
  private record Created(Pod pod, PodFacts facts) {}

  private static final class Run {
    private final ClusterObjects cluster;
    private final List<Node> nodes;
    private final Ledger ledger;
    private final Instant now;
    private final List<Booking> bookings;
    private final ReclaimPreview reclaim;

    /** Until each pod was tried once, so that none of those that were bound is deleted. */
    private Optional<Preemptions> preemptions;

    /** The pods that were deleted for one, by its UID. */
    private final Map<String, List<String>> preempted = new LinkedHashMap<>();

    Run(ClusterObjects cluster, Ledger ledger, Optional<Preemptions> preemptions, Instant now) {
      this.cluster = cluster;
      nodes = cluster.of(Node.class).toList();
      this.ledger = ledger;
      this.preemptions = preemptions;
      this.now = now;
      bookings = cluster.bookings();
      reclaim = new ReclaimPreview(cluster.of(Pod.class), cluster.policies(), bookings, now);
    }

    private List<Created> created(Stream<Pod> pods) {
      return pods.map(pod -> new Created(pod, cluster.facts(pod))).toList();
    }

    /** Tries the pods that wait already too, the most important of all first. */
    Trial run(List<Pod> manifest) {
      var pods = created(manifest.stream());
      pods.stream().filter(it -> !Facts.isGated(it.pod())).forEach(it -> ledger.seen(it.facts()));
      var byUid = new LinkedHashMap<String, Created>();
      Stream.concat(created(cluster.waiting()).stream(), pods.stream())
          .sorted(Comparator.comparingInt(it -> -it.facts().priority()))
          .forEach(it -> byUid.put(it.facts().uid(), it));
      ledger.keep(reclaim.kept(ledger));
      var outcomes = new HashMap<String, Outcome>();
      byUid.forEach((uid, pod) -> outcomes.put(uid, attempt(pod)));
      preemptions = Optional.empty();
      // Of a group, each may have had others deleted; now they have ended.
      preempted.keySet().stream()
          .filter(uid -> outcomes.get(uid) instanceof Waits)
          .forEach(uid -> outcomes.put(uid, attempt(Objects.requireNonNull(byUid.get(uid)))));
      retry(byUid, outcomes);
      return new Trial(results(pods, outcomes), ledger.queues());
    }

    /** Tries those again for which there is room, until none finds a place. */
    private void retry(Map<String, Created> byUid, Map<String, Outcome> outcomes) {
      boolean hope = true;
      while (hope) {
        hope = false;
        if (!bookings.isEmpty()) {
          // Those that were bound may have been expected, and elsewhere than on the cards kept.
          ledger.keep(reclaim.kept(ledger));
        }
        for (var woken : ledger.awaken(AT_ONCE, now)) {
          var again = attempt(Objects.requireNonNull(byUid.get(woken.uid())));
          hope |= again instanceof Placed;
          outcomes.put(woken.uid(), again);
        }
      }
    }

    private List<Result> results(List<Created> pods, Map<String, Outcome> outcomes) {
      var cards = cards();
      var asked = reclaim.asked(ledger);
      return pods.stream()
          .map(
              pod -> {
                var uid = pod.facts().uid();
                var then =
                    switch (Objects.requireNonNull(outcomes.get(uid))) {
                      case Placed(var node, _) ->
                          new Placed(node, cards.getOrDefault(uid, List.of()));
                      case Waits(var reason, _) ->
                          new Waits(reason, asked.getOrDefault(uid, List.of()));
                      case Outcome other -> other;
                    };
                var gone = preempted.getOrDefault(uid, List.of());
                return new Result(
                    pod.facts().display(), gone.isEmpty() ? then : new Preempts(gone, then));
              })
          .toList();
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
        case Candidates.Nowhere nowhere when preempts(created, nowhere) -> attempt(created);
        case Candidates.Nowhere nowhere ->
            new Waits(
                admitting.isEmpty()
                    ? "no node has the labels that it selects and only taints that it tolerates"
                    : nowhere.summary(),
                List.of());
      };
    }

    /**
     * Once for each pod; kube-scheduler then lets it wait until those that it deletes have ended.
     */
    private boolean preempts(Created created, Candidates.Nowhere nowhere) {
      var uid = created.facts().uid();
      if (preemptions.isEmpty() || preempted.containsKey(uid)) {
        return false;
      }
      var nodes = new HashSet<>(nowhere.reasons().keySet());
      nodes.removeAll(nowhere.hopeless());
      var gone = preemptions.get().makeRoom(created.pod(), created.facts(), nodes);
      if (!gone.isEmpty()) {
        preempted.put(uid, gone);
      }
      return !gone.isEmpty();
    }

    private Outcome bind(PodFacts pod, String node) {
      return switch (ledger.decide(pod.uid(), node, now)) {
        case Decision.Bind _ -> {
          preemptions.ifPresent(it -> it.bound(pod, node, now));
          yield new Placed(node, List.of());
        }
        case Decision.Refused(var sentence) -> new Waits(sentence, List.of());
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
