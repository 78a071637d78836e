package io.prescale.controller.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.prescale.adapter.MetricReadModel;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.cluster.CurrentWatch;
import io.prescale.controller.cluster.WatchedApi;
import io.prescale.controller.operator.PredictiveHpas;
import io.prescale.controller.values.PublishedValues;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A replica that only serves, and has lost one or both of its watches. It is asked whether it is
 * ready every ten seconds.
 */
@Timeout(120)
@NullUnmarked // what start sets
class CutOffTest {
  private static final Duration LOOK = Duration.ofSeconds(10);

  private volatile Instant now = PredictiveHpas.NOON;
  private WatchedApi api;
  private KubernetesClient client;
  private SharedIndexInformer<PredictiveHPA> resources;
  private SharedIndexInformer<ConfigMap> pages;
  private StatusProjection projection;

  @BeforeEach
  void start() throws IOException {
    api = new WatchedApi();
    client = new KubernetesClientBuilder().withConfig(api.config()).build();
    var all = client.resources(PredictiveHPA.class).inAnyNamespace();
    resources = all.runnableInformer(0);
    var values = new PublishedValues(client, "prescale", () -> now);
    pages = values.watch();
    projection =
        new StatusProjection(
            new MetricReadModel(),
            values,
            List.of(
                CurrentWatch.of("PredictiveHPAs", resources, all, () -> now),
                CurrentWatch.of("published values", pages, values.pages(), () -> now)));
    projection.start();
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> resources.isWatching() && pages.isWatching());
    assertThat(projection.fault()).isEmpty();
  }

  @AfterEach
  void stop() {
    projection.close();
    client.close();
    api.close();
  }

  @Test
  void isReadyUntilNoValueMayBeServed() {
    api.close();

    assertThat(readyFor()).isEqualTo(Duration.ofMinutes(15).plus(LOOK));
    assertThat(projection.fault().orElseThrow()).startsWith("no watch of PredictiveHPAs or");
  }

  @Test
  void isReadyForAsLongAsTheLongestOfItsValuesLives() {
    var chat = PredictiveHpas.chat("requests");
    var metric = PredictiveHpas.served("requests", "12", List.of(), null);
    var life = Duration.ofHours(2);
    chat.setStatus(
        PredictiveHpas.status(
            List.of(
                metric.serving("12", PredictiveHpas.NOON, 120, life.toSeconds(), "9", List.of()))));
    projection.onAdd(chat);
    api.close();

    assertThat(readyFor()).isEqualTo(life.plus(LOOK));
  }

  /** Then values arrive, by the pages or by the statuses. */
  @Test
  void isReadyWhileOneOfItsWatchesIsOpen() {
    api.refuse("predictivehpas", 503);
    await().atMost(Duration.ofSeconds(60)).until(() -> !resources.isWatching());

    for (int look = 0; look < 1_000; look++) {
      now = now.plus(LOOK);
      assertThat(projection.fault()).isEmpty();
    }
  }

  /** By the right that was taken away, and not by that to another kind. */
  @ParameterizedTest
  @CsvSource({"predictivehpas, PredictiveHPAs", "configmaps, published values"})
  void isNotReadyWhenOneOfItsKindsHasBeenRefusedForAMinute(String plural, String what) {
    var values = new PublishedValues(client, "prescale", () -> now);
    var model = new MetricReadModel();
    try (var another = StatusProjection.of(client, Set.of(), model, values, List.of(), () -> now)) {
      another.start();
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> api.watches(plural) == 2 && another.fault().isEmpty());
      api.refuse(plural, 403);

      await()
          .atMost(Duration.ofSeconds(60))
          .until(
              () -> {
                now = now.plusSeconds(5);
                return another.fault();
              },
              fault -> fault.equals(Optional.of("the %s cannot be watched: no".formatted(what))));
      api.allowAll();
      await().atMost(Duration.ofSeconds(60)).until(() -> another.fault().isEmpty());
    }
  }

  private Duration readyFor() {
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> !resources.isWatching() && !pages.isWatching());
    var cut = now;
    while (projection.fault().isEmpty() && now.isBefore(cut.plus(Duration.ofDays(1)))) {
      now = now.plus(LOOK);
    }
    return Duration.between(cut, now);
  }
}
