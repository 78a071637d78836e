package io.prescale.controller.scheduler.extender;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.prescale.controller.cluster.BrokenWatch;
import io.prescale.placement.ledger.HandOvers;
import io.prescale.placement.ledger.Ledger;
import java.util.function.BooleanSupplier;

/**
 * Reports nodes to the ledger, the locks and the hand-overs, and pods to the ledger and the
 * committer.
 */
final class ClusterFeed implements AutoCloseable {
  private static final long PAGE = 500;

  private final SharedIndexInformer<Node> nodes;
  private final SharedIndexInformer<Pod> pods;

  /**
   * Creates a feed that does not watch yet.
   *
   * @param answers whether this replica answers kube-scheduler, and so records refusals itself
   */
  ClusterFeed(
      KubernetesClient client,
      Ledger ledger,
      HandOvers handOvers,
      NodeLocks locks,
      Committer committer,
      BooleanSupplier answers) {
    nodes = client.nodes().withLimit(PAGE).runnableInformer(0);
    nodes.addEventHandler(new NodeEvents(ledger, handOvers, locks));
    pods = client.pods().inAnyNamespace().withLimit(PAGE).runnableInformer(0);
    pods.addEventHandler(new PodEvents(ledger, committer, answers));
    nodes.exceptionHandler(BrokenWatch.retried("nodes"));
    pods.exceptionHandler(BrokenWatch.retried("pods"));
  }

  /** The nodes, for further handlers. */
  SharedIndexInformer<Node> nodes() {
    return nodes;
  }

  /** The pods, for further handlers. */
  SharedIndexInformer<Pod> pods() {
    return pods;
  }

  /** Starts watching; {@link #isComplete} says when every object has been observed once. */
  void start() {
    nodes.start();
    pods.start();
  }

  /** Whether all nodes and pods have been observed once. */
  boolean isComplete() {
    return nodes.hasSynced() && pods.hasSynced();
  }

  @Override
  public void close() {
    nodes.stop();
    pods.stop();
  }

  private record NodeEvents(Ledger ledger, HandOvers handOvers, NodeLocks locks)
      implements ResourceEventHandler<Node> {
    @Override
    public void onAdd(Node node) {
      locks.seen(node);
      ledger.seen(Facts.of(node));
    }

    @Override
    public void onUpdate(Node before, Node node) {
      onAdd(node);
    }

    @Override
    public void onDelete(Node node, boolean unknown) {
      var name = node.getMetadata().getName();
      locks.nodeGone(name);
      handOvers.nodeGone(name);
      ledger.nodeGone(name);
    }
  }

  private record PodEvents(Ledger ledger, Committer committer, BooleanSupplier answers)
      implements ResourceEventHandler<Pod> {
    @Override
    public void onAdd(Pod pod) {
      var facts = Facts.of(pod);
      ledger.seen(facts);
      if (Facts.isPutAside(pod) && !answers.getAsBoolean()) {
        ledger.wasRefused(facts);
      }
      committer.seen(facts);
    }

    @Override
    public void onUpdate(Pod before, Pod pod) {
      onAdd(pod);
    }

    @Override
    public void onDelete(Pod pod, boolean unknown) {
      var facts = Facts.of(pod);
      ledger.podGone(facts.uid());
      committer.gone(facts);
    }
  }
}
