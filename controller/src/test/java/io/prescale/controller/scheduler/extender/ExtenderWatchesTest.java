package io.prescale.controller.scheduler.extender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.prescale.controller.cluster.WatchedApi;
import io.prescale.controller.scheduler.extender.ExtenderSettings.Lease;
import io.prescale.controller.scheduler.facts.QueueSource;
import io.prescale.controller.scheduler.moves.MoveSettings;
import io.prescale.controller.scheduler.warm.WarmSettings;
import java.io.IOException;
import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An extender, whose watches of all kinds are open, and what ends them. */
@Timeout(180)
@NullUnmarked // what start sets
class ExtenderWatchesTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final String LEASE = "prescale-scheduler";

  private volatile Instant now = Instant.parse("2026-11-21T12:00:00Z");
  private WatchedApi api;
  private KubernetesClient client;
  private Extender extender;

  @BeforeEach
  void open() throws IOException {
    api =
        new WatchedApi(
            "gpuqueues", "gpubookings", "topologies", "podgroups", "devices", "devicetaintrules");
    client = new KubernetesClientBuilder().withConfig(api.config()).build();
  }

  /**
   * @param lease empty for the one extender of a cluster
   */
  private void start(Lease... lease) {
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
            List.of(lease).stream().findFirst(),
            true,
            Optional.empty(),
            QueueSource.PRESCALE,
            MoveSettings.OFF,
            Optional.empty(),
            WarmSettings.OFF,
            Optional.empty());
    extender = new Extender(client, settings, Optional.empty(), () -> now, System::nanoTime);
    extender.start();
    await().atMost(SOON).until(this::isReady);
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
  @ValueSource(strings = {"nodes", "pods", "resourceclaims", "resourceslices"})
  void isNotReadyWhileAKindOfWhichCardsDependHasBeenRefusedForAMinute(String plural)
      throws IOException {
    start();
    assertThat(metrics()).contains("prescale_extender_answering 1.0");
    api.refuse(plural, 403);

    awaitNotReady();
    assertThat(extender.whyNotReady().orElseThrow())
        .startsWith("the ")
        .endsWith(" cannot be watched: no")
        .containsIgnoringCase(plural);
    assertThat(extender.answers().whyNotReady().get()).isEqualTo(extender.whyNotReady());
    assertThat(metrics()).contains("prescale_extender_answering 0.0");

    api.allowAll();
    await().atMost(SOON).until(this::isReady);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "namespaces",
        "gpuqueues",
        "gpubookings",
        "topologies",
        "podgroups",
        "devices",
        "deviceclasses",
        "devicetaintrules"
      })
  void goesOnWithWhatItKnewOfAnotherKindThatIsRefusedAndSaysSo(String plural) {
    start();
    assertThat(extender.answers().problems().get()).doesNotContainKey("watches");
    api.refuse(plural, 403);

    await()
        .atMost(SOON)
        .until(
            () -> {
              now = now.plusSeconds(5);
              assertThat(extender.whyNotReady()).isEmpty();
              return extender.answers().problems().get().getOrDefault("watches", List.of());
            },
            watches ->
                !watches.isEmpty()
                    && watches.stream().allMatch(it -> it.endsWith(" cannot be watched: no")));
  }

  @Test
  void staysReadyWhileTheApiServerIsAway() {
    start();
    api.close();

    await()
        .during(Duration.ofSeconds(2))
        .atMost(SOON)
        .until(
            () -> {
              now = now.plusSeconds(30);
              return isReady();
            });
  }

  /** It does not know for longer than six seconds that its kube-scheduler leads. */
  @Test
  void besideAKubeSchedulerItIsNotReadyWhileTheApiServerIsAway() {
    var held =
        new LeaseBuilder()
            .withNewMetadata()
            .withNamespace("prescale")
            .withName(LEASE)
            .endMetadata()
            .withNewSpec()
            .withHolderIdentity("pod-a_8d3f")
            .endSpec()
            .build();
    client.resource(held).create();
    start(new Lease.OfScheduler("prescale", LEASE, "pod-a"));

    api.close();

    await().atMost(SOON).until(() -> !isReady());
    assertThat(extender.whyNotReady())
        .contains("nodes or pods are not being watched, or another replica answers");
  }

  /** So that another replica leads, whose watches are open. */
  @Test
  void givesItsLeaseUpWhileAKindIsRefused() {
    start(new Lease.Own("prescale", LEASE, "a"));
    assertThat(api.holder(LEASE)).isEqualTo("a");
    api.refuse("pods", 403);

    awaitNotReady();
    await().atMost(SOON).until(() -> api.holder(LEASE).isEmpty());
    await().during(Duration.ofSeconds(5)).atMost(SOON).until(() -> api.holder(LEASE).isEmpty());

    api.allowAll();
    await().atMost(SOON).until(() -> isReady() && api.holder(LEASE).equals("a"));
  }

  private void awaitNotReady() {
    await()
        .atMost(SOON)
        .until(
            () -> {
              now = now.plusSeconds(5);
              return !isReady();
            });
  }

  private String metrics() throws IOException {
    var page = new StringWriter();
    extender.answers().metrics().write(page);
    return page.toString();
  }
}
