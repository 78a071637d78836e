package io.prescale.controller.scheduler.extender;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.prescale.controller.cluster.ApiFailure;
import io.prescale.controller.scheduler.queues.QuotaMarks;
import io.prescale.placement.inventory.HamiAnnotations;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.ledger.Decision;
import io.prescale.placement.ledger.HandOvers;
import io.prescale.placement.ledger.Ledger;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Binds pods. Annotations in the Binding name the chosen cards to HAMi's device plugin, one pod at
 * a time on a node; where the kubelet chooses the cards, the pod is only bound.
 *
 * <p>How a binding is retried: a failed one releases the reservation, except in a gang of which
 * another pod is bound, and returns the error to kube-scheduler, which backs off and schedules the
 * pod again. One whose outcome is unknown keeps its reservation, for at most ten minutes. Meanwhile
 * the upkeep of {@link Extender} calls {@link #resolveUnknown} every five seconds, while this
 * replica answers, until the outcome is known. The client itself repeats a request that fails, up
 * to twice; {@link ClusterBinder} resolves the conflict that a repeated binding may meet.
 */
final class Committer {
  private static final Logger LOG = LoggerFactory.getLogger(Committer.class);

  private static final String BUSY = "the device plugin of node %s is still busy with other pods";

  /** Longer names cannot be the value of a label. */
  private static final int LONGEST_LABEL = 63;

  private final Ledger ledger;
  private final HandOvers handOvers;
  private final NodeLocks locks;
  private final PodBinder binder;
  private final InstantSource clock;
  private final Duration patience;
  private final BiFunction<PodFacts, String, Map<String, String>> marks;

  /** Bindings whose outcome is unknown, by UID. */
  private final Map<String, Decision.Bind> unknown = new ConcurrentHashMap<>();

  /**
   * @param patience how long a pod waits for its turn on a node
   * @param marks further annotations of a pod that is bound to a node
   */
  Committer(
      Ledger ledger,
      HandOvers handOvers,
      NodeLocks locks,
      PodBinder binder,
      InstantSource clock,
      Duration patience,
      BiFunction<PodFacts, String, Map<String, String>> marks) {
    this.ledger = ledger;
    this.handOvers = handOvers;
    this.locks = locks;
    this.binder = binder;
    this.clock = clock;
    this.patience = patience;
    this.marks = marks;
  }

  /**
   * Binds a pod to the node that the scheduler chose; returns a sentence when that failed or its
   * outcome is unknown.
   */
  Optional<String> bind(String uid, String node) throws InterruptedException {
    return switch (ledger.decide(uid, node, clock.instant())) {
      case Decision.Refused refused -> Optional.of(refused.sentence());
      case Decision.Bind bind -> {
        boolean kept = false;
        try {
          var outcome = write(bind);
          kept = !(outcome instanceof PodBinder.Outcome.Failed);
          yield problem(bind, outcome);
        } finally {
          if (!kept) {
            ledger.failed(uid, clock.instant());
          }
        }
      }
    };
  }

  private Optional<String> problem(Decision.Bind bind, PodBinder.Outcome outcome) {
    return switch (outcome) {
      case PodBinder.Outcome.Bound _ -> Optional.empty();
      case PodBinder.Outcome.Failed failed -> Optional.of(failed.sentence());
      case PodBinder.Outcome.Unknown silence -> {
        unknown.put(bind.pod().uid(), bind);
        LOG.warn(
            "The outcome of binding pod {} to {} is unknown: {}.",
            bind.pod().display(),
            bind.node(),
            silence.sentence());
        yield Optional.of(silence.sentence());
      }
    };
  }

  /** Resolves bindings whose outcome is unknown, and releases what was not bound. */
  void resolveUnknown() {
    for (var bind : List.copyOf(unknown.values())) {
      var uid = bind.pod().uid();
      var outcome = binder.resolve(bind.pod(), bind.node());
      if (!(outcome instanceof PodBinder.Outcome.Unknown)) {
        unknown.remove(uid);
      }
      if (outcome instanceof PodBinder.Outcome.Failed) {
        ledger.failed(uid, clock.instant());
        finished(bind.node(), uid);
      }
    }
  }

  private PodBinder.Outcome write(Decision.Bind bind) throws InterruptedException {
    if (bind.cards().isEmpty()) {
      return binder.bind(bind.pod(), bind.node(), Map.of(), Map.of());
    }
    var pod = bind.pod();
    if (!handOvers.take(bind.node(), pod.uid(), patience)) {
      return new PodBinder.Outcome.Failed(BUSY.formatted(bind.node()));
    }
    boolean bound = false;
    try {
      var refusal = nameToPlugin(pod, bind.node());
      if (refusal.isPresent()) {
        return new PodBinder.Outcome.Failed(refusal.get());
      }
      var outcome = write(pod, bind.node(), bind.cards().get());
      bound = !(outcome instanceof PodBinder.Outcome.Failed);
      return outcome;
    } finally {
      if (!bound) {
        finished(bind.node(), pod.uid());
      }
    }
  }

  /**
   * Makes sure that the device plugin serves this pod. The plugin serves the pod that the node's
   * lock names or, without a lock, the first pod that has not started. So we take the lock only if
   * another pod on the node has not started.
   */
  private Optional<String> nameToPlugin(PodFacts pod, String node) {
    locks.clearDead(node);
    boolean foreign = locks.isHeld(node);
    var others = ledger.othersUnstarted(node, pod.uid());
    if (others.stream().anyMatch(other -> HamiAnnotations.areConfused(pod, other))) {
      return Optional.of(BUSY.formatted(node));
    }
    if (!foreign && others.isEmpty()) {
      return Optional.empty();
    }
    return !foreign && locks.take(node, pod)
        ? Optional.empty()
        : Optional.of(
            "the lock of node %s names another pod, which has not started".formatted(node));
  }

  private PodBinder.Outcome write(PodFacts pod, String node, Decision.Chosen chosen) {
    var annotations = new HashMap<>(marks.apply(pod, node));
    annotations.putAll(
        HamiAnnotations.of(chosen.family(), chosen.devices(), node, clock.instant()));
    var labels = new HashMap<String, String>();
    if (node.length() <= LONGEST_LABEL) {
      labels.put(HamiAnnotations.NODE, node);
    }
    Optional.ofNullable(annotations.get(QuotaMarks.KEY))
        .ifPresent(word -> labels.put(QuotaMarks.KEY, word));
    return binder.bind(pod, node, annotations, labels);
  }

  /**
   * Observes a pod before the ledger does: its devices may have been handed over, or never will be.
   * A pod has a turn because it was bound: by this replica, or by another one if this one has known
   * it waiting. Its annotations alone, which users can write, give it none.
   */
  void seen(PodFacts pod) {
    pod.node()
        .ifPresent(
            node -> {
              if (!HamiAnnotations.isAllocating(pod)) {
                finished(node, pod.uid());
              } else if (ledger.waitsForCards(pod.uid())) {
                handOvers.begin(node, pod.uid());
              }
            });
  }

  /** Ends the hand-over of a pod that is gone. */
  void gone(PodFacts pod) {
    pod.node().ifPresent(node -> finished(node, pod.uid()));
  }

  private void finished(String node, String uid) {
    if (!locks.hasTaken(node, uid)) {
      handOvers.done(node, uid);
      return;
    }
    // The pod watch does not wait for a write.
    Thread.startVirtualThread(
        () -> {
          try {
            locks.giveBack(node, uid);
          } catch (KubernetesClientException e) {
            LOG.warn("The lock of node {} was not removed: {}", node, ApiFailure.text(e));
          } finally {
            handOvers.done(node, uid);
          }
        });
  }

  /**
   * How many places down the list a node goes: one for each second that a pod would wait there for
   * its turn, and one more while its lock names a pod, since no other can be bound then.
   */
  long crowd(String node) {
    long seconds = handOvers.expectedWait(node).toSeconds();
    return locks.isHeld(node) ? seconds + 1 : seconds;
  }
}
