package io.prescale.controller.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.prescale.controller.ProgramLog;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A watch that was open once; the client library repeats it without saying why it fails. Time goes
 * on by five seconds with each look.
 */
@Timeout(120)
@NullUnmarked // what open sets
class CurrentWatchesTest {
  private volatile Instant now = Instant.EPOCH;
  private WatchedApi api;
  private KubernetesClient client;
  private CurrentWatches watches;
  private SharedIndexInformer<Pod> pods;

  @BeforeEach
  void open() throws IOException {
    api = new WatchedApi();
    client = new KubernetesClientBuilder().withConfig(api.config()).build();
    watches = new CurrentWatches(() -> now);
    pods = watches.informer("pods", client.pods().inAnyNamespace(), 200);
    assertThat(watches.fault()).contains("the pods have not been read yet");
    var _ = pods.start();
    await().until(() -> pods.isWatching() && watches.fault().isEmpty());
  }

  @AfterEach
  void close() {
    watches.close();
    client.close();
    api.close();
  }

  @Test
  void isAFaultWhenItHasBeenRefusedForAMinute() {
    var began = now;
    api.refuse("pods", 403);

    awaitFault();
    assertThat(watches.fault()).contains("the pods cannot be watched: no");
    assertThat(Duration.between(began, now)).isGreaterThan(Duration.ofMinutes(1));
    api.allowAll();
    await().atMost(Duration.ofSeconds(60)).until(() -> watches.fault().isEmpty());
  }

  @Test
  void isNoFaultWhileTheApiServerIsAway() {
    api.close();

    requireNoFault();
  }

  /** The client library does not say so, and the question whether they can be listed neither. */
  @Test
  void isAFaultWhenItMayOnlyBeListed() {
    api.refuseToWatch("pods", 403);

    awaitFault();
    assertThat(watches.fault())
        .contains("the pods cannot be watched: they can be listed, but not watched");
  }

  /** As by several API servers, of which one is overloaded. */
  @Test
  void isAFaultWhenItIsRefusedInSeveralWays() {
    api.refuse("pods", 403, 429);

    awaitFault();
  }

  @Test
  void staysAFaultUntilTheNextWatchWhateverElseIsAnswered() {
    api.refuse("pods", 403);
    awaitFault();

    api.refuse("pods", 503);
    await()
        .during(Duration.ofSeconds(2))
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> {
              now = now.plusSeconds(5);
              return watches.fault().isPresent();
            });

    api.allowAll();
    await().atMost(Duration.ofSeconds(60)).until(() -> watches.fault().isEmpty());
  }

  /** As when an API server that has just started is away again. */
  @Test
  void isNoFaultWhenItWasRefusedOnceAndTheApiServerIsAway() {
    api.refuse("pods", 403);
    await().until(() -> !pods.isWatching());
    now = now.plusSeconds(15);
    assertThat(watches.fault()).isEmpty();
    await().until(() -> api.refusedLists("pods") > 0);
    api.close();

    requireNoFault();
  }

  /** What its events would continue from, which a new list replaces. */
  @Test
  void isNoFaultWhenItIsGone() {
    api.refuse("pods", 410);

    requireNoFault();
  }

  @Test
  void eachIsLookedAtThoughAnotherIsRefused() {
    SharedIndexInformer<Node> nodes = watches.optional("nodes", client.nodes(), 200);
    var _ = nodes.start();
    await().until(() -> nodes.isWatching() && watches.fault().isEmpty());
    api.refuse("pods", 403);
    api.refuse("nodes", 403);

    awaitFault();
    await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> {
              now = now.plusSeconds(5);
              assertThat(watches.fault().orElseThrow()).startsWith("the pods cannot be watched: ");
              return watches.outdated().equals(List.of("the nodes cannot be watched: no"));
            });
  }

  /** As with the CustomResourceDefinition of another system, which is removed with its objects. */
  @Test
  void isNoFaultWhenItsKindIsGone() {
    SharedIndexInformer<Node> nodes = watches.optional("nodes", client.nodes(), 200);
    var _ = nodes.start();
    await().until(() -> nodes.isWatching() && watches.fault().isEmpty());
    api.refuse("nodes", 404);

    requireNoFault();
    assertThat(watches.outdated()).isEmpty();
  }

  @Test
  void isAFaultWhenItsKindCannotBeGone() {
    api.refuse("pods", 404);

    awaitFault();
  }

  @Test
  void theLogSaysOnceWhyItIsInterruptedAndOnceThatItIsOnAgain() throws Exception {
    var log = ProgramLog.of(RefusedWatch.class).lines().toList();

    assertThat(log).hasSize(3);
    assertThat(log.getFirst())
        .endsWith(" - The watch of pods is interrupted and retried until it succeeds: no");
    assertThat(log.get(1))
        .matches(".* - The watch of pods is on again, after \\d+ failed attempts\\.");
    assertThat(log.getLast()).isEqualTo("the end");
  }

  private void awaitFault() {
    await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> {
              now = now.plusSeconds(5);
              return watches.fault().isPresent();
            });
  }

  /** For at least two seconds, which are minutes for the watch. */
  private void requireNoFault() {
    var began = now;
    await()
        .during(Duration.ofSeconds(2))
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> {
              now = now.plusSeconds(30);
              return watches.fault().isEmpty();
            });
    assertThat(Duration.between(began, now)).isGreaterThan(Duration.ofMinutes(3));
  }
}
