package io.prescale.controller.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.prescale.controller.MockApi;
import io.prescale.controller.api.v1alpha1.MetricStatus;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.api.v1alpha1.PredictiveHPAStatus;
import io.prescale.controller.autoscaling.LeadTime;
import io.prescale.controller.autoscaling.ScalingCycle;
import io.prescale.controller.operator.hpa.HpaFeatures;
import io.prescale.controller.states.SavedTarget;
import io.prescale.controller.states.StoredStates;
import io.prescale.forecasting.TimeSeries;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A leader that was restarted some minutes after it had saved what it knew. */
@MockApi(crud = true)
@Timeout(300)
@NullUnmarked // the extension sets client and server
class RestartedLeaderTest {
  private static final Duration STEP = Duration.ofMinutes(1);
  private static final int TWO_DAYS = 2 * 1440;
  private static final int MINUTES_AGO = 5;
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private final Instant savedAt =
      Instant.now().truncatedTo(ChronoUnit.MINUTES).minus(STEP.multipliedBy(MINUTES_AGO));
  private FaultyPrometheus prometheus;
  private ReconcilingInMock term;
  private KubernetesClient client;
  private KubernetesMockServer server;

  @BeforeEach
  void create() throws IOException {
    ScaleOfChat.answeredBy(server, () -> {});
    prometheus = new FaultyPrometheus(RestartedLeaderTest::load, _ -> 3);
    prometheus.beginAt(savedAt.minus(STEP.multipliedBy(TWO_DAYS)));
    term =
        new ReconcilingInMock(
            client, Optional.of(prometheus.server()), new MemoryBudget(1L << 30), () -> {});
  }

  @AfterEach
  void close() {
    term.close();
    prometheus.close();
  }

  @Test
  void itGoesOnFromItsStateAndAsksForNoHistory() {
    var fittedAt = save(0);

    term.begin();

    var metric =
        await()
            .atMost(PATIENCE)
            .until(this::metric, it -> it.modelFittedAt() != null && it.predicted() != null);
    assertThat(metric.modelFittedAt()).as("those that were saved").isEqualTo(fittedAt);
    assertThat(Quantity.getAmountInBytes(new Quantity(metric.predicted())).doubleValue())
        .isBetween(32.0, 60.0);
    assertThat(prometheus.samplesRead())
        .as("minutes, not the two days that there are")
        .isBetween(MINUTES_AGO, 60);
  }

  @Test
  void ofAStateOfAnotherQueryNothingIsUsed() {
    save(1);

    term.begin();

    await().atMost(PATIENCE).until(prometheus::samplesRead, it -> it > TWO_DAYS);
    assertThat(metric().modelFittedAt()).isNull();
  }

  /**
   * Saves what a leader knew of a PredictiveHPA that is created here, and gives what its models
   * were fitted to.
   *
   * @param off added to the number of its query
   */
  private Instant save(long off) {
    var made = term.put("chat", "4");
    var resource = client.getKubernetesSerialization().convertValue(made, PredictiveHPA.class);
    var settings = new SpecReader(new HpaFeatures(true)).settings(resource.getSpec());
    var query = Queries.of(resource, prometheus.server(), STEP).demand("load");
    var start = savedAt.minus(STEP.multipliedBy(TWO_DAYS));
    var lead = LeadTime.declared(Duration.ofMinutes(3));
    var before = new ScalingCycle(settings, lead, start, Runnable::run);
    double[] values =
        IntStream.rangeClosed(1, TWO_DAYS)
            .mapToDouble(minute -> load(start.plus(STEP.multipliedBy(minute)).getEpochSecond()))
            .toArray();
    before.learn("load", TimeSeries.of(start, STEP, values));
    var state = before.save("load").orElseThrow();
    StoredStates.put(
        client,
        made.getMetadata().getUid(),
        new SavedTarget(
            "team",
            savedAt,
            Map.of("load", new SavedTarget.Metric(query.fingerprint() + off, state))));
    return before.learnedAt("load").orElseThrow();
  }

  private static double load(long second) {
    return 40 + 8 * Math.sin(2 * Math.PI * second / Duration.ofDays(1).toSeconds());
  }

  private MetricStatus metric() {
    var metrics = term.stored("chat").<Object>get("status", "metrics");
    return metrics instanceof List<?> list && !list.isEmpty()
        ? client
            .getKubernetesSerialization()
            .convertValue(Map.of("metrics", list), PredictiveHPAStatus.class)
            .metrics()
            .getFirst()
        : MetricStatus.named("load");
  }
}
