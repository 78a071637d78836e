package io.prescale.controller.simulation.cards;

import io.prescale.placement.inventory.HamiAnnotations;
import io.prescale.placement.inventory.NodeFacts;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.inventory.PodFacts.Phase;
import io.prescale.placement.ledger.Candidates;
import io.prescale.placement.ledger.Decision;
import io.prescale.placement.ledger.Ledger;
import io.prescale.placement.queue.QueueEntry;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Pods and nodes, scheduled at once by the ledger as its extender schedules them in a cluster. Of
 * kube-scheduler's own rules there are none: every node admits every pod, and the best one is
 * taken. Not thread-safe.
 */
public final class CardScheduler {
  /** How many of the nodes that fit a pod are ranked. */
  private static final int CANDIDATES = 10;

  /** How many refused pods are tried again at once. */
  private static final int AT_ONCE = 1000;

  private final Ledger ledger = new Ledger(CANDIDATES);
  private final List<String> nodes;
  private final Map<String, PodFacts> waiting = new HashMap<>();
  private final Map<String, String> bound = new HashMap<>();

  public CardScheduler(List<NodeFacts> nodes, Collection<QueueEntry> queues) {
    this.nodes = nodes.stream().map(NodeFacts::name).toList();
    nodes.forEach(ledger::seen);
    ledger.queues(queues);
  }

  /** What the engine knows. */
  public Ledger ledger() {
    return ledger;
  }

  /** The names of all nodes. */
  public List<String> nodes() {
    return nodes;
  }

  /** The node of a pod; empty while it waits. */
  public Optional<String> nodeOf(String pod) {
    return Optional.ofNullable(bound.get(pod));
  }

  /** Creates pods, all before the first is scheduled. */
  public void create(List<PodFacts> pods, Instant now) {
    for (var pod : pods) {
      waiting.put(pod.uid(), pod);
      ledger.seen(pod);
    }
    pods.forEach(pod -> attempt(pod, now));
  }

  /** Deletes a pod, which is gone at once. */
  public void delete(String pod) {
    waiting.remove(pod);
    bound.remove(pod);
    ledger.podGone(pod);
  }

  /** Tries pods that were refused and for which there is room now. */
  public void retry(Instant now) {
    boolean hope = true;
    while (hope) {
      hope = false;
      for (var pod : ledger.awaken(AT_ONCE, now)) {
        hope |= attempt(pod, now);
      }
    }
  }

  /** Tries a pod whether there is room or not, if it waits. */
  void attempt(String pod, Instant now) {
    Optional.ofNullable(waiting.get(pod)).ifPresent(it -> attempt(it, now));
  }

  private boolean attempt(PodFacts pod, Instant now) {
    var answer = ledger.candidates(pod, nodes, true, now, _ -> 0);
    if (answer instanceof Candidates.Nodes(var best)
        && ledger.decide(pod.uid(), best.getFirst(), now) instanceof Decision.Bind decided) {
      waiting.remove(pod.uid());
      bound.put(pod.uid(), decided.node());
      ledger.seen(running(decided, now));
      return true;
    }
    return false;
  }

  /** The pod as the API server has it once its containers run. */
  private static PodFacts running(Decision.Bind decided, Instant now) {
    var pod = decided.pod();
    var annotations = new HashMap<>(pod.annotations());
    decided
        .cards()
        .ifPresent(
            it ->
                annotations.putAll(
                    HamiAnnotations.of(it.family(), it.devices(), decided.node(), now)));
    return new PodFacts(
        pod.uid(),
        pod.namespace(),
        pod.name(),
        annotations,
        pod.containers(),
        Optional.of(decided.node()),
        pod.group(),
        pod.scheduler(),
        pod.priority(),
        Phase.RUNNING,
        pod.queue(),
        pod.created(),
        pod.labels(),
        pod.isLeaving(),
        pod.length(),
        Optional.empty());
  }
}
