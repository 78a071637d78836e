package io.prescale.controller.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.prescale.controller.MockApi;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What readiness makes of a watch that is interrupted. */
@MockApi
@NullUnmarked // the extension sets the client and the server
class CurrentWatchTest {
  private static final String PATH = "/apis/autoscaling.prescale.io/v1alpha1/predictivehpas";
  private static final String WATCH =
      PATH + "?allowWatchBookmarks=true&resourceVersion=1&timeoutSeconds=600&watch=true";

  private volatile Instant now = Instant.EPOCH;
  private KubernetesClient client;
  private KubernetesMockServer server;
  private SharedIndexInformer<PredictiveHPA> informer;
  private CurrentWatch watch;

  @BeforeEach
  void create() {
    var list = "{\"metadata\": {\"resourceVersion\": \"1\"}, \"items\": []}";
    server.expect().get().withPath(PATH + "?resourceVersion=0").andReturn(200, list).always();
    server.expect().get().withPath(PATH).andReturn(200, list).always();
    var all = client.resources(PredictiveHPA.class).inAnyNamespace();
    informer = all.runnableInformer(0);
    watch = CurrentWatch.of("PredictiveHPAs", informer, all, () -> now);
  }

  @AfterEach
  void close() {
    watch.close();
  }

  @Test
  void isNotReadyBeforeEverythingIsRead() {
    assertThat(watch.fault()).contains("the PredictiveHPAs have not been read yet");
  }

  @Test
  void staysReadyWhileTheApiServerIsAway() {
    allowWatch();
    watch.start();
    await().until(informer::isWatching);
    assertThat(watch.fault()).isEmpty();

    server.shutdown();
    await().until(() -> !informer.isWatching());
    now = now.plus(Duration.ofMinutes(10));

    await().during(Duration.ofSeconds(2)).until(() -> watch.fault().isEmpty());
    assertThat(informer.isRunning()).isTrue();
  }

  @Test
  void saysWhyItIsNotReadyWhenTheApiServerRefusesTheWatch() {
    refuseWatch();
    watch.start();
    await().until(informer::hasSynced);
    await().during(Duration.ofSeconds(1)).until(() -> watch.fault().isEmpty());

    now = now.plus(Duration.ofSeconds(61));
    await()
        .until(
            () ->
                watch
                    .fault()
                    .filter(it -> it.startsWith("the PredictiveHPAs cannot be watched: "))
                    .isPresent());
  }

  @Test
  void isReadyAgainAfterTheNextWatch() {
    watch.start();
    await().until(informer::hasSynced);
    await()
        .until(
            () -> {
              now = now.plus(Duration.ofSeconds(61));
              return watch.fault().isPresent();
            });

    allowWatch();

    await().atMost(Duration.ofSeconds(40)).until(() -> watch.fault().isEmpty());
    assertThat(informer.isWatching()).isTrue();
  }

  private void allowWatch() {
    server
        .expect()
        .withPath(WATCH)
        .andUpgradeToWebSocket()
        .open()
        .waitFor(TimeUnit.SECONDS.toMillis(5))
        .andEmit("{}")
        .done()
        .always();
  }

  private void refuseWatch() {
    server
        .expect()
        .withPath(WATCH)
        .andReturn(403, new StatusBuilder().withCode(403).withMessage("forbidden").build())
        .always();
  }
}
