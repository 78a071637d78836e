package io.prescale.controller.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
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

  @BeforeEach
  void open() throws IOException {
    api = new WatchedApi();
    client = new KubernetesClientBuilder().withConfig(api.config()).build();
    watches = new CurrentWatches(() -> now);
    SharedIndexInformer<Pod> pods = watches.informer("pods", client.pods().inAnyNamespace(), 200);
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
    assertThat(watches.fault().orElseThrow()).startsWith("the pods cannot be watched: ");
    assertThat(Duration.between(began, now)).isGreaterThan(Duration.ofMinutes(1));
    api.allowAll();
    await().atMost(Duration.ofSeconds(60)).until(() -> watches.fault().isEmpty());
  }

  @Test
  void isNoFaultWhileTheApiServerIsAway() {
    api.close();

    requireNoFault();
  }

  /** As with the CustomResourceDefinition of another system, which is removed with its objects. */
  @Test
  void isNoFaultWhenItsKindIsGone() {
    api.refuse("pods", 404);

    requireNoFault();
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
