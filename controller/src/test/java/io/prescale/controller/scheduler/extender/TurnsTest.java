package io.prescale.controller.scheduler.extender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

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
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A node's turn, and pods whose annotations claim it: everyone who may edit pods can write these.
 */
@MockApi(crud = true)
class TurnsTest {
  private static final InstantSource CLOCK =
      InstantSource.fixed(Instant.parse("2026-11-21T12:00:00Z"));
  private static final Map<String, Long> CARD =
      Map.of("nvidia.com/gpu", 1L, "nvidia.com/gpumem", 100L);

  private final Ledger ledger = new Ledger(10);
  private final FakeBinder binder = new FakeBinder();

  @SuppressWarnings("NullAway.Init")
  KubernetesClient client;

  @SuppressWarnings("NullAway.Init")
  private Committer committer;

  @BeforeEach
  void start() {
    var node = new NodeBuilder().withNewMetadata().withName("n").endMetadata().build();
    client.resource(node).create();
    ledger.seen(Nodes.a100("n", 1));
    committer =
        new Committer(
            ledger,
            new HandOvers(() -> 0, Duration.ofSeconds(30)),
            new NodeLocks(client, ledger, CLOCK),
            binder,
            CLOCK,
            Duration.ZERO,
            (_, _) -> Map.of());
  }

  @Test
  void aPodThatOnlyClaimsToBeHandedOverHasNoTurnButIsNotTakenForAnother() {
    observe(onNode(Pods.asking("liar", Map.of()), "allocating"));
    observe(onNode(Pods.asking("liar", Map.of()), "allocating"));

    assertThat(bind("honest")).isEmpty();
    assertThat(lock())
        .as("without the lock, the device plugin could serve the liar's annotations")
        .isEqualTo("2026-11-21T12:00:00Z,default,honest");
    assertThat(ledger.totals().heldMemoryMib()).isEqualTo(100);

    observe(onNode(Pods.asking("honest", CARD), "success"));
    await().until(() -> lock().isEmpty());
    await().until(() -> bind("next").isEmpty());
  }

  @Test
  void aPodThatWasCreatedOnItsNodeHasNoTurn() {
    observe(onNode(Pods.asking("created", CARD), "allocating"));
    observe(onNode(Pods.asking("created", CARD), "allocating"));

    assertThat(bind("honest")).isEmpty();
  }

  @Test
  void aPodThatWasHandedOverGetsNoSecondTurn() {
    assertThat(bind("greedy")).isEmpty();
    observe(onNode(Pods.asking("greedy", CARD), "success"));
    observe(onNode(Pods.asking("greedy", CARD), "allocating"));

    assertThat(bind("honest")).isEmpty();
  }

  @Test
  void aPodThatAnotherReplicaHasBoundHasTheTurn() {
    observe(Pods.asking("theirs", CARD));
    observe(onNode(Pods.asking("theirs", CARD), "allocating"));

    assertThat(bind("ours")).contains("the device plugin of node n is still busy with other pods");
    observe(onNode(Pods.asking("theirs", CARD), "success"));
    assertThat(bind("ours")).isEmpty();
  }

  private Optional<String> bind(String name) {
    try {
      ledger.seen(Pods.asking(name, CARD));
      return committer.bind("uid-" + name, "n");
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** As the watch reports it. */
  private void observe(PodFacts pod) {
    committer.seen(pod);
    ledger.seen(pod);
  }

  private static PodFacts onNode(PodFacts pod, String phase) {
    var annotations = new HashMap<String, String>();
    annotations.put("hami.io/bind-phase", phase);
    annotations.put("hami.io/vgpu-devices-allocated", "GPU-n-0,NVIDIA,100,0:;");
    return new PodFacts(
        pod.uid(),
        pod.namespace(),
        pod.name(),
        annotations,
        pod.containers(),
        Optional.of("n"),
        pod.group(),
        pod.scheduler(),
        0,
        PodFacts.Phase.PENDING,
        pod.queue(),
        pod.created());
  }

  private String lock() {
    var annotations = client.nodes().withName("n").get().getMetadata().getAnnotations();
    // Where an API server removes a key, this one keeps it without a value.
    return annotations == null
        ? ""
        : Objects.requireNonNullElse(annotations.get("hami.io/mutex.lock"), "");
  }
}
