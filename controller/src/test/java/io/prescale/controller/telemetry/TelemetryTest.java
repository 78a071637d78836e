package io.prescale.controller.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.adapter.MetricKey;
import io.prescale.adapter.MetricReadModel;
import io.prescale.adapter.ServedMetric;
import io.prescale.controller.autoscaling.CycleResult;
import io.prescale.controller.autoscaling.LeadTime;
import io.prescale.controller.autoscaling.MetricSettings;
import io.prescale.controller.autoscaling.Reading;
import io.prescale.controller.autoscaling.ReplicaState;
import io.prescale.controller.autoscaling.ScalingCycle;
import io.prescale.controller.autoscaling.TargetSettings;
import io.prescale.controller.autoscaling.Ticks;
import io.prescale.controller.telemetry.ServingState.Holder;
import io.prescale.controller.telemetry.Telemetry.Outcome;
import io.prescale.controller.telemetry.Telemetry.Write;
import io.prescale.forecasting.Sample;
import java.io.IOException;
import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class TelemetryTest {
  private static final Instant START = Instant.parse("2026-03-02T00:00:00Z");
  private static final Target CHAT = new Target("team-a", "chat");
  private static final Duration TOOK = Duration.ofMillis(2);
  private static final OptionalDouble GPUS = OptionalDouble.of(2);

  private Instant now = START;
  private final Telemetry telemetry = new Telemetry(() -> now);
  private final ScalingCycle cycle =
      new ScalingCycle(
          TargetSettings.of(new MetricSettings("requests", 10)),
          LeadTime.declared(Duration.ofMinutes(5)),
          START,
          Runnable::run);

  @Test
  void tellsWhatATickFoundOut() throws IOException {
    for (int minute = 1; minute <= 100; minute++) {
      telemetry.ticked(CHAT, observed(minute, 95 + minute % 7), GPUS, TOOK);
    }
    now = START.plus(Duration.ofMinutes(101)).plusMillis(500);

    assertThat(exposition())
        .contains(
            "prescale_targets 1.0",
            "prescale_untracked_targets 0.0",
            "prescale_ticks_total{namespace=\"team-a\",name=\"chat\",} 100.0",
            "prescale_tick_seconds_bucket{le=\"0.003\",} 100.0",
            "prescale_tick_seconds_count 100.0",
            "prescale_lead_time_seconds{namespace=\"team-a\",name=\"chat\",source=\"declared\",}"
                + " 300.0",
            "prescale_observed_demand{namespace=\"team-a\",name=\"chat\",metric=\"requests\",}"
                + " 97.0",
            "prescale_served_age_seconds{namespace=\"team-a\",name=\"chat\",metric=\"requests\",}"
                + " 60.5",
            "prescale_overloaded_seconds_total{namespace=\"team-a\",name=\"chat\",rule=\"reactive\",}")
        .contains(
            "prescale_gpus_per_replica{namespace=\"team-a\",name=\"chat\",} 2.0",
            "prescale_rises_total{namespace=\"team-a\",name=\"chat\",outcome=\"needed\",}",
            "prescale_rises_total{namespace=\"team-a\",name=\"chat\",outcome=\"false_alarm\",}")
        .containsPattern("prescale_replica_seconds_total\\{[^}]*rule=\"prescale\",} [5-9]\\d{4}")
        .containsPattern("prescale_served_value\\{[^}]*} \\d+")
        .containsPattern("prescale_desired_replicas\\{[^}]*} 1\\d\\.0")
        .containsPattern("prescale_forecast_demand\\{[^}]*quantile=\"0.95\",} \\d+")
        .containsPattern("prescale_forecast_error_ratio\\{[^}]*} 0\\.0\\d+")
        .containsPattern("prescale_forecast_skill\\{[^}]*} 0\\.\\d+")
        .containsPattern("prescale_forecast_coverage\\{[^}]*quantile=\"0.9\",} [01]\\.\\d+")
        .contains("jvm_threads_current");
    assertThat(exposition().lines().filter(l -> l.startsWith("prescale_breaker_state")))
        .hasSize(3)
        .filteredOn(line -> line.endsWith(" 1.0"))
        .hasSize(1);
  }

  @Test
  void countsErrorsByReason() throws IOException {
    telemetry.ticked(CHAT, missing(1, Reading.Reason.TIMEOUT), GPUS, TOOK);
    telemetry.ticked(CHAT, missing(2, Reading.Reason.TIMEOUT), GPUS, TOOK);
    telemetry.ticked(CHAT, missing(3, Reading.Reason.NO_DATA), GPUS, TOOK);

    assertThat(exposition())
        .contains(
            "prescale_metric_errors_total{namespace=\"team-a\",name=\"chat\",metric=\"requests\",reason=\"timeout\",}"
                + " 2.0",
            "reason=\"no_data\",} 1.0")
        .doesNotContain("prescale_served_value{", "prescale_forecast_skill{");
  }

  @Test
  void nothingIsLeftOfAnObjectThatIsGone() throws IOException {
    telemetry.ticked(CHAT, observed(1, 50), GPUS, TOOK);
    telemetry.removed(CHAT);
    telemetry.removed(CHAT);

    assertThat(exposition()).doesNotContain("chat").contains("prescale_targets 0.0");
  }

  @Test
  void tellsWhatQuotasLeaveWhileTheyLimitAnything() throws IOException {
    telemetry.quotaLeaves(CHAT, OptionalInt.of(1));
    telemetry.ticked(CHAT, observed(1, 50), GPUS, TOOK);
    assertThat(exposition()).doesNotContain("prescale_quota_replicas{");

    telemetry.quotaLeaves(CHAT, OptionalInt.of(7));
    assertThat(exposition())
        .contains("prescale_quota_replicas{namespace=\"team-a\",name=\"chat\",} 7.0");

    telemetry.quotaLeaves(CHAT, OptionalInt.empty());
    assertThat(exposition()).doesNotContain("prescale_quota_replicas{");
  }

  @Test
  void aReplicaThatLeadsNoMoreKnowsNoObjects() throws IOException {
    telemetry.ticked(CHAT, observed(1, 50), GPUS, TOOK);
    telemetry.ticked(new Target("team", "other"), observed(1, 50), GPUS, TOOK);

    telemetry.removedAll();

    assertThat(exposition()).doesNotContain("chat", "other").contains("prescale_targets 0.0");
  }

  @Test
  void theNumberOfObjectsWithSeriesIsBounded() throws IOException {
    var result = missing(1, Reading.Reason.NO_DATA);
    for (int i = 0; i < TargetMetrics.MOST_TARGETS + 5; i++) {
      telemetry.ticked(new Target("n", "o" + i), result, GPUS, TOOK);
    }
    assertThat(exposition())
        .contains("prescale_targets 2005.0", "prescale_untracked_targets 5.0", "name=\"o1999\"")
        .doesNotContain("name=\"o2000\"");

    telemetry.removed(new Target("n", "o0"));
    telemetry.ticked(new Target("n", "o2000"), result, GPUS, TOOK);
    assertThat(exposition())
        .contains("prescale_targets 2004.0", "prescale_untracked_targets 4.0", "name=\"o2000\"");
  }

  @Test
  void labelsCannotBreakTheFormat() throws IOException {
    telemetry.ticked(new Target("a\"b", "c\nd\\"), observed(1, 50), GPUS, TOOK);

    assertThat(exposition())
        .contains("prescale_ticks_total{namespace=\"a\\\"b\",name=\"c\\nd\\\\\",} 1.0");
  }

  @Test
  void countsWritesAndSaysWhoLeads() throws IOException {
    telemetry.wrote(Write.STATUS, Outcome.OK);
    telemetry.wrote(Write.HPA, Outcome.CONFLICT);
    telemetry.leads(true);
    assertThat(exposition())
        .contains(
            "prescale_writes_total{kind=\"status\",outcome=\"ok\",} 1.0",
            "prescale_writes_total{kind=\"hpa\",outcome=\"conflict\",} 1.0",
            "prescale_leader 1.0");
    telemetry.leads(false);
    assertThat(exposition()).contains("prescale_leader 0.0");
  }

  @Test
  void tellsHowGoodTheServedValuesAre() throws IOException {
    var model = new MetricReadModel();
    model.publish(new MetricKey("team-a", "requests"), "chat", served(START));
    model.publish(new MetricKey("team-a", "tokens"), "chat", served(START.minusSeconds(200)));
    model.publish(new MetricKey("team-b", "requests"), "search", served(START.minusSeconds(2000)));
    telemetry.serves(model, new ServingState(Optional::empty, () -> START.plusSeconds(60)));

    assertThat(exposition())
        .contains(
            "prescale_served_metrics{state=\"fresh\",} 1.0",
            "prescale_served_metrics{state=\"last_known_good\",} 1.0",
            "prescale_served_metrics{state=\"unknown\",} 1.0",
            "prescale_certificate_end_seconds 1.77240966E9")
        .doesNotContain("prescale_apiservice");
    now = START.plusSeconds(300);
    assertThat(exposition())
        .contains(
            "prescale_served_metrics{state=\"fresh\",} 0.0",
            "prescale_served_metrics{state=\"last_known_good\",} 2.0");
  }

  @Test
  void tellsWhoServesTheCluster() throws IOException {
    var holder = new AtomicReference<>(Holder.OURS);
    telemetry.serves(
        new MetricReadModel(),
        new ServingState(() -> Optional.of(holder.get()), () -> START.plusSeconds(60)));

    assertThat(exposition())
        .contains(
            "prescale_apiservice{holder=\"ours\",} 1.0",
            "prescale_apiservice{holder=\"taken\",} 0.0",
            "prescale_apiservice{holder=\"unknown\",} 0.0");
    holder.set(Holder.TAKEN);
    assertThat(exposition()).contains("prescale_apiservice{holder=\"taken\",} 1.0");
    holder.set(Holder.UNKNOWN);
    assertThat(exposition()).contains("prescale_apiservice{holder=\"unknown\",} 1.0");
  }

  private static ServedMetric served(Instant at) {
    return new ServedMetric(
        new TreeMap<>(), 1000, at, 60, List.of(), Duration.ofMinutes(2), Duration.ofMinutes(15), 0);
  }

  @Test
  void everySeriesOfTheReferenceIsExposed() throws IOException {
    for (int minute = 1; minute <= 30; minute++) {
      telemetry.ticked(CHAT, observed(minute, 50), GPUS, TOOK);
    }
    telemetry.ticked(CHAT, missing(31, Reading.Reason.STALE), GPUS, TOOK);
    telemetry.quotaLeaves(CHAT, OptionalInt.of(5));
    telemetry.wrote(Write.EVENT, Outcome.FAILED);
    telemetry.serves(
        new MetricReadModel(), new ServingState(() -> Optional.of(Holder.OURS), () -> START));
    telemetry.planned(Optional.of(START), Optional.of(PlanMetricsTest.plan()));
    var types =
        exposition()
            .lines()
            .filter(line -> line.startsWith("# TYPE prescale_"))
            .filter(line -> !line.endsWith("_created gauge")) // simpleclient adds these
            .collect(Collectors.toSet());

    assertThat(types)
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(SelfMetric.values())
                .map(
                    s ->
                        "# TYPE %s%s %s"
                            .formatted(
                                s.metricName(),
                                s.type().name().equals("COUNTER") ? "_total" : "",
                                s.type().name().toLowerCase(Locale.ROOT)))
                .toList());
  }

  private String exposition() throws IOException {
    var writer = new StringWriter();
    telemetry.write(writer);
    return writer.toString();
  }

  private CycleResult observed(int minute, double value) {
    Instant time = START.plus(Duration.ofMinutes(minute));
    return tick(time, new Reading.Observed(List.of(new Sample(time, value))));
  }

  private CycleResult missing(int minute, Reading.Reason reason) {
    return tick(START.plus(Duration.ofMinutes(minute)), new Reading.Missing(reason, "It failed."));
  }

  private CycleResult tick(Instant time, Reading reading) {
    var state = new ReplicaState(5, 5, LeadTime.declared(Duration.ofMinutes(5)), Optional.empty());
    return Ticks.tick(cycle, time, reading, state);
  }
}
