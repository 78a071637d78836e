package io.prescale.controller.scheduler.warm;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.prescale.controller.MockApi;
import io.prescale.controller.scheduler.reclaim.BookingState;
import io.prescale.placement.inventory.Nodes;
import io.prescale.placement.inventory.PodSelector;
import io.prescale.placement.ledger.Booking.Need;
import io.prescale.placement.ledger.Ledger;
import io.prometheus.client.CollectorRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Rounds for a booking of one replica, which is expected on node n1. */
@MockApi
@NullUnmarked // the extension sets the client and the server
class WarmExecutorTest {
  private static final Instant NOON = Instant.parse("2026-11-24T12:00:00Z");
  private static final String PODS = "/api/v1/namespaces/models/pods";
  private static final WarmSettings ON =
      new WarmSettings(
          true, "prescale:1", List.of("true"), 4, Duration.ofMinutes(30), Duration.ofMinutes(30));
  private static final WarmBooking BOOKING =
      new WarmBooking(
          "models/llm",
          "uid",
          new PodSelector("models", Map.of("app", "llm")),
          List.of(
              new PodBuilder()
                  .withNewSpec()
                  .addNewContainer()
                  .withImage("model:1")
                  .endContainer()
                  .endSpec()
                  .build()),
          1,
          List.of(new Need(NOON, NOON.plus(Duration.ofHours(2)), 1, 0.9)),
          Optional.empty());

  private final Ledger ledger = new Ledger(10);
  private List<WarmBooking> bookings = List.of(BOOKING);
  private Instant clock = NOON;
  private KubernetesMockServer server;
  private KubernetesClient client;

  @BeforeEach
  void aNode() {
    ledger.seen(Nodes.a100("n1", 2));
  }

  private WarmExecutor executor(WarmSettings settings) {
    var state =
        new BookingState(Map.of(), Optional.empty(), List.of(), Map.of("n1", NOON.plusSeconds(60)));
    return new WarmExecutor(
        client,
        ledger,
        () -> clock,
        settings,
        new WarmMetrics(new CollectorRegistry()),
        () -> bookings,
        () -> Map.of(BOOKING.key(), state));
  }

  private static Pod pod() {
    return WarmManifest.of(BOOKING, "n1", 1, ON);
  }

  private int requestsAfter(int seconds, WarmExecutor executor) {
    clock = NOON.plusSeconds(seconds);
    int before = server.getRequestCount();
    executor.round(() -> true);
    return server.getRequestCount() - before;
  }

  @Test
  void whatIsNotClearIsAskedAgainAfterTenSecondsThenTwenty() {
    server
        .expect()
        .post()
        .withPath(PODS)
        .andReturn(409, new StatusBuilder().withCode(409).build())
        .always();
    var executor = executor(ON);

    assertThat(requestsAfter(0, executor)).as("the place is new").isZero();
    assertThat(requestsAfter(10, executor)).isEqualTo(1);
    assertThat(requestsAfter(19, executor)).isZero();
    assertThat(requestsAfter(20, executor)).isEqualTo(1);
    assertThat(requestsAfter(39, executor)).isZero();
    assertThat(requestsAfter(40, executor)).isEqualTo(1);
  }

  @Test
  void switchedOffItDeletesItsPodsAndSaysNothing() throws Exception {
    server.expect().delete().withPath(podPath()).andReturn(200, pod()).once();
    var executor = executor(WarmSettings.OFF);
    executor.seen(pod());

    assertThat(requestsAfter(0, executor)).isEqualTo(1);
    assertThat(server.getLastRequest().getMethod()).isEqualTo("DELETE");
    assertThat(executor.reports()).isEmpty();
  }

  /** As if its end was seen before the answer to its creation. */
  @Test
  void aPodThatIsNotThereIsForgotten() {
    bookings = List.of();
    var executor = executor(ON);
    executor.seen(pod());

    assertThat(requestsAfter(0, executor)).as("not found").isEqualTo(1);
    assertThat(requestsAfter(5, executor)).isZero();
  }

  @Test
  void aReplicaThatDoesNotDecideWritesAndSaysNothing() {
    var executor = executor(ON);
    executor.round(() -> true);
    assertThat(executor.reports().orElseThrow()).containsOnlyKeys("models/llm");
    bookings = List.of();
    executor.seen(pod());

    executor.round(() -> false);

    assertThat(server.getRequestCount()).isZero();
    assertThat(executor.reports().orElseThrow()).isEmpty();
  }

  private static String podPath() {
    return PODS + "/" + pod().getMetadata().getName();
  }
}
