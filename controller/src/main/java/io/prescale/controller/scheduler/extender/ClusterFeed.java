package io.prescale.controller.scheduler.extender;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.prescale.controller.cluster.BriefObjects;
import io.prescale.controller.cluster.CurrentWatches;
import io.prescale.controller.cluster.ObjectEvents;
import io.prescale.controller.scheduler.facts.Facts;
import io.prescale.controller.scheduler.facts.QueueSource;
import io.prescale.placement.ledger.HandOvers;
import io.prescale.placement.ledger.Ledger;
import java.util.function.BooleanSupplier;

/**
 * Reports nodes to the ledger, the locks and the hand-overs, and pods to the ledger and the
 * committer.
 */
final class ClusterFeed {
  private static final long PAGE = 500;

  private final SharedIndexInformer<Node> nodes;
  private final SharedIndexInformer<Pod> pods;

  private volatile boolean isCurrent;

  /**
   * Creates a feed that does not watch yet.
   *
   * @param queues in whose words pods name their queues
   * @param asked whether this replica is asked by kube-scheduler, and so records refusals itself
   * @param watches to which its own belong, and which stops them
   */
  ClusterFeed(
      KubernetesClient client,
      Ledger ledger,
      QueueSource queues,
      HandOvers handOvers,
      NodeLocks locks,
      Committer committer,
      BooleanSupplier asked,
      CurrentWatches watches) {
    nodes = watches.informer("nodes", client.nodes(), PAGE);
    nodes.addEventHandler(
        new ObjectEvents<>(
            node -> {
              locks.seen(node);
              synchronized (nodes) { // as a change of the levels, which replaces all nodes
                ledger.seen(Facts.of(node, ledger.levels()));
              }
            },
            node -> {
              var name = node.getMetadata().getName();
              locks.nodeGone(name);
              handOvers.nodeGone(name);
              synchronized (nodes) {
                ledger.nodeGone(name);
              }
            }));
    pods = watches.informer("pods", client.pods().inAnyNamespace(), PAGE);
    pods.addEventHandler(
        new ObjectEvents<>(
            pod -> {
              var facts = Facts.of(pod, queues);
              committer.seen(facts);
              if (Facts.isGated(pod)) {
                return; // no scheduler may bind it yet, so nothing is reserved for it
              }
              ledger.seen(facts);
              if (Facts.isPutAside(pod) && !asked.getAsBoolean()) {
                ledger.wasRefused(facts);
              }
            },
            pod -> {
              var facts = Facts.of(pod);
              ledger.podGone(facts.uid());
              committer.gone(facts);
            }));
    pods.itemStore(new BriefObjects<>(Facts::brief));
  }

  /** The nodes, for further handlers. */
  SharedIndexInformer<Node> nodes() {
    return nodes;
  }

  /** The pods, for further handlers; what is stored of them is {@link Facts#brief}. */
  SharedIndexInformer<Pod> pods() {
    return pods;
  }

  /** Starts watching. */
  void start() {
    nodes.start();
    pods.start();
  }

  /**
   * Whether both watches are open, or were when this replica's turn began: interruptions during its
   * turn are ignored, since what happens then is mostly its own doing. For how long, the rules of
   * {@link io.prescale.controller.cluster.CurrentWatch#fault} say.
   *
   * @param isTurn whether this replica is the one that acts
   */
  boolean isCurrent(boolean isTurn) {
    boolean areOpen = nodes.isWatching() && pods.isWatching();
    if (areOpen || !isTurn) {
      isCurrent = areOpen;
    }
    return isCurrent;
  }
}
