package io.prescale.controller.scheduler.extender;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.prescale.controller.MockApi;
import io.prescale.placement.inventory.Nodes;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.inventory.Pods;
import io.prescale.placement.ledger.HandOvers;
import io.prescale.placement.ledger.Ledger;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Locks of nodes, against an API server that keeps nodes. */
@MockApi(crud = true)
class NodeLocksTest {
  private static final InstantSource CLOCK =
      InstantSource.fixed(Instant.parse("2026-11-21T12:00:00Z"));
  private static final String LOCK = "hami.io/mutex.lock";

  @SuppressWarnings("NullAway.Init")
  KubernetesClient client;

  /** One scenario after another on nodes of their own: the server takes seconds to start. */
  @Test
  void clearsDeadLocksRespectsLivingOnesAndTakesItsOwnBack() throws InterruptedException {
    var ledger = new Ledger(10);
    var locks = new NodeLocks(client, ledger, CLOCK);

    // Older than HAMi's five minutes; malformed; of a pod that was never bound; of one just named.
    show(locks, "old", "2026-11-21T11:54:00Z");
    show(locks, "malformed", "yesterday");
    show(locks, "nobody", "2026-11-21T11:59:40Z,default,gone");
    show(locks, "fresh", "2026-11-21T11:59:55Z,default,other");
    show(locks, "free", "");
    assertThat(List.of("old", "malformed", "nobody", "free")).noneMatch(locks::isHeld);
    assertThat(locks.isHeld("fresh")).isTrue();
    locks.clearDead();
    assertThat(lockOf("old") + lockOf("malformed") + lockOf("nobody")).isEmpty();
    assertThat(lockOf("fresh")).isEqualTo("2026-11-21T11:59:55Z,default,other");

    // Beside a pod that has not started, the next one is named; then nobody is.
    var first = Pods.asking("first", Map.of("nvidia.com/gpu", 1L, "nvidia.com/gpumem", 100L));
    var second = Pods.asking("second", Map.of("nvidia.com/gpu", 1L, "nvidia.com/gpumem", 100L));
    show(locks, "n", "");
    ledger.seen(Nodes.a100("n", 1));
    ledger.seen(first);
    ledger.seen(second);
    var binder = new FakeBinder();
    var committer =
        new Committer(
            ledger,
            new HandOvers(() -> 0, Duration.ofSeconds(30)),
            locks,
            binder,
            CLOCK,
            Duration.ZERO,
            (_, _) -> Map.of());
    assertThat(committer.bind(first.uid(), "n")).isEmpty();
    assertThat(lockOf("n")).as("alone, it needs no lock").isEmpty();
    committer.seen(phase(first, binder, "success"));
    ledger.seen(phase(first, binder, "success"));

    assertThat(committer.bind(second.uid(), "n")).isEmpty();
    assertThat(lockOf("n")).isEqualTo("2026-11-21T12:00:00Z,default,second");

    locks.giveBack("n", second.uid());
    assertThat(lockOf("n")).isEmpty();

    // Another scheduler's: the bind fails and holds nothing.
    show(locks, "n", "2026-11-21T11:59:59Z,default,theirs");
    var third = Pods.asking("third", Map.of("nvidia.com/gpu", 1L, "nvidia.com/gpumem", 100L));
    ledger.seen(third);
    committer.seen(phase(second, binder, "success"));
    assertThat(committer.bind(third.uid(), "n"))
        .contains("the lock of node n names another pod, which has not started");
    assertThat(binder.annotationsOf("third")).isEmpty();
    assertThat(ledger.totals().heldMemoryMib()).isEqualTo(200);
    assertThat(lockOf("n")).endsWith("theirs");
  }

  /** The pod as the API server has it when the device plugin has come so far; not yet started. */
  private static PodFacts phase(PodFacts pod, FakeBinder binder, String phase) {
    var annotations = new HashMap<>(binder.annotationsOf(pod.name()));
    annotations.put("hami.io/bind-phase", phase);
    var bound = Pods.bound(pod, "n", annotations);
    return new PodFacts(
        bound.uid(),
        bound.namespace(),
        bound.name(),
        annotations,
        bound.containers(),
        bound.node(),
        bound.group(),
        bound.scheduler(),
        0,
        PodFacts.Phase.PENDING,
        bound.queue(),
        bound.created());
  }

  private void show(NodeLocks locks, String name, String lock) {
    var annotations = lock.isEmpty() ? Map.<String, String>of() : Map.of(LOCK, lock);
    var node =
        new NodeBuilder()
            .withNewMetadata()
            .withName(name)
            .withAnnotations(annotations)
            .endMetadata()
            .build();
    client.nodes().withName(name).delete();
    locks.seen(client.nodes().resource(node).create());
  }

  private String lockOf(String node) {
    var annotations = client.nodes().withName(node).get().getMetadata().getAnnotations();
    // Where an API server removes a key, this one keeps it without a value.
    return annotations == null ? "" : Objects.requireNonNullElse(annotations.get(LOCK), "");
  }
}
