package io.prescale.controller.scheduler.extender;

import static io.prescale.controller.cluster.OrEmpty.orEmpty;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.prescale.controller.cluster.ApiFailure;
import io.prescale.controller.cluster.MergePatch;
import io.prescale.placement.inventory.HamiAnnotations;
import io.prescale.placement.inventory.HamiAnnotations.Lock;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.ledger.Ledger;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The locks of nodes: annotations that name a pod to a node's device plugin. A plugin serves the
 * pod that the lock names without checking it, so a dead lock is cleared before a pod is bound, and
 * our locks are removed when the plugin has left them. Thread-safe.
 */
final class NodeLocks {
  private static final Logger LOG = LoggerFactory.getLogger(NodeLocks.class);

  /** As in HAMi. */
  private static final Duration EXPIRY = Duration.ofMinutes(5);

  /** HAMi takes the lock, then binds; between the two the pod is not on the node. */
  private static final Duration TIME_TO_BIND = Duration.ofSeconds(10);

  private static final int ATTEMPTS = 5;

  private final KubernetesClient client;
  private final Ledger ledger;
  private final InstantSource clock;
  private final Map<String, String> locks = new ConcurrentHashMap<>();
  private final Map<String, Taken> ours = new ConcurrentHashMap<>();

  NodeLocks(KubernetesClient client, Ledger ledger, InstantSource clock) {
    this.client = client;
    this.ledger = ledger;
    this.clock = clock;
  }

  /** Records the lock of a node. */
  void seen(Node node) {
    var name = node.getMetadata().getName();
    var lock = lockOf(node);
    if (lock.isPresent()) {
      locks.put(name, lock.get());
    } else {
      locks.remove(name);
    }
  }

  void nodeGone(String node) {
    locks.remove(node);
    ours.remove(node);
  }

  /** Whether the node has a lock that is not dead. */
  boolean isHeld(String node) {
    var lock = locks.get(node);
    return lock != null && !isDead(node, lock);
  }

  /** Clears the lock of a node if it is dead. */
  void clearDead(String node) {
    var lock = locks.get(node);
    if (lock != null && isDead(node, lock)) {
      LOG.info("The lock of node {} is dead: {}.", node, lock);
      write(node, lock, Optional.empty());
    }
  }

  /** Clears the dead locks of all nodes. */
  void clearDead() {
    locks.keySet().forEach(this::clearDead);
  }

  /**
   * Names a pod to the device plugin of a node.
   *
   * @return false when another scheduler has named another pod
   */
  boolean take(String node, PodFacts pod) {
    var text = Lock.text(clock.instant(), pod);
    if (write(node, locks.getOrDefault(node, ""), Optional.of(text))) {
      ours.put(node, new Taken(pod.uid(), text));
      return true;
    }
    return false;
  }

  /** Whether we named this pod to the node's device plugin. */
  boolean hasTaken(String node, String uid) {
    var taken = ours.get(node);
    return taken != null && taken.uid().equals(uid);
  }

  /** Removes the lock that names a pod of ours, if the device plugin has left it. */
  void giveBack(String node, String uid) {
    var taken = ours.get(node);
    if (taken != null && taken.uid().equals(uid) && ours.remove(node, taken)) {
      // The watched node may be older than our lock, so the write reads it anew.
      write(node, taken.text(), Optional.empty());
    }
  }

  /** A lock of ours. */
  private record Taken(String uid, String text) {}

  private boolean isDead(String node, String text) {
    var lock = Lock.parse(text);
    if (lock.isEmpty()) {
      return true;
    }
    var age = Duration.between(lock.get().at(), clock.instant());
    if (age.compareTo(EXPIRY) > 0) {
      return true;
    }
    return lock.get().pod().map(owner -> isDead(node, owner, age)).orElse(false);
  }

  private boolean isDead(String node, Lock.Owner owner, Duration age) {
    return ledger
        .podOn(node, owner.namespace(), owner.name())
        .map(pod -> HamiAnnotations.isHanded(pod) && !HamiAnnotations.isAllocating(pod))
        .orElse(age.compareTo(TIME_TO_BIND) > 0);
  }

  /** Replaces or removes a lock, unless it has changed meanwhile. */
  private boolean write(String node, String expected, Optional<String> text) {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      var now = client.nodes().withName(node).get();
      if (now == null) {
        return false;
      }
      var found = lockOf(now).orElse("");
      if (!found.equals(expected)) {
        seen(now);
        return text.isEmpty() && found.isEmpty();
      }
      if (patch(now, text)) {
        return true;
      }
    }
    return false;
  }

  private boolean patch(Node node, Optional<String> text) {
    var name = node.getMetadata().getName();
    var value = text.map(t -> '"' + t + '"').orElse("null");
    var patch =
        "{\"metadata\":{\"resourceVersion\":\"%s\",\"annotations\":{\"%s\":%s}}}"
            .formatted(node.getMetadata().getResourceVersion(), Lock.KEY, value);
    try {
      MergePatch.send(client, MergePatch.named(new Node(), null, name), patch);
      text.ifPresentOrElse(t -> locks.put(name, t), () -> locks.remove(name));
      return true;
    } catch (KubernetesClientException e) {
      if (ApiFailure.isConflict(e)) {
        return false; // a heartbeat came between
      }
      throw e;
    }
  }

  private static Optional<String> lockOf(Node node) {
    return Optional.ofNullable(orEmpty(node.getMetadata().getAnnotations()).get(Lock.KEY));
  }
}
