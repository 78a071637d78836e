package io.prescale.controller.scheduler.extender;

import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.prescale.controller.cluster.WatchedApi;
import io.prescale.controller.scheduler.facts.QueueSource;
import io.prescale.controller.scheduler.moves.MoveSettings;
import io.prescale.controller.scheduler.warm.WarmSettings;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The one extender of a cluster, whose watches of all kinds are open, and what ends them. */
@Timeout(180)
@NullUnmarked // what start sets
class ExtenderWatchesTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private volatile Instant now = Instant.parse("2026-11-21T12:00:00Z");
  private WatchedApi api;
  private KubernetesClient client;
  private Extender extender;

  @BeforeEach
  void start() throws IOException {
    api =
        new WatchedApi(
            "gpuqueues", "gpubookings", "topologies", "podgroups", "devices", "devicetaintrules");
    client = new KubernetesClientBuilder().withConfig(api.config()).build();
    var settings =
        new ExtenderSettings(
            "127.0.0.1",
            0,
            OptionalInt.empty(),
            Optional.empty(),
            false,
            10,
            SECOND,
            SECOND,
            Optional.empty(),
            true,
            Optional.empty(),
            QueueSource.PRESCALE,
            MoveSettings.OFF,
            Optional.empty(),
            WarmSettings.OFF,
            Optional.empty());
    extender = new Extender(client, settings, Optional.empty(), () -> now, System::nanoTime);
    extender.start();
    await().atMost(Duration.ofSeconds(60)).until(this::isReady);
  }

  @AfterEach
  void stop() {
    extender.close();
    client.close();
    api.close();
  }

  private boolean isReady() {
    return extender.whyNotReady().isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "nodes",
        "pods",
        "namespaces",
        "gpuqueues",
        "gpubookings",
        "topologies",
        "podgroups",
        "devices",
        "resourceclaims",
        "devicetaintrules"
      })
  void isNotReadyWhenAKindHasBeenRefusedForAMinute(String plural) {
    api.refuse(plural, 403);

    await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> {
              now = now.plusSeconds(5);
              return !isReady();
            });
  }

  @Test
  void staysReadyWhileTheApiServerIsAway() {
    api.close();

    await()
        .during(Duration.ofSeconds(2))
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> {
              now = now.plusSeconds(30);
              return isReady();
            });
  }
}
