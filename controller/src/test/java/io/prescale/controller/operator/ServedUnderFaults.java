package io.prescale.controller.operator;

import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.prescale.adapter.LabelSelector;
import io.prescale.adapter.MetricKey;
import io.prescale.adapter.MetricReadModel;
import io.prescale.controller.api.v1alpha1.ConditionReason;
import io.prescale.controller.api.v1alpha1.ConditionStatus;
import io.prescale.controller.api.v1alpha1.ConditionType;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.api.v1alpha1.StatusCondition;
import io.prescale.controller.autoscaling.LeadTime;
import io.prescale.controller.autoscaling.Learning;
import io.prescale.controller.autoscaling.MetricResult;
import io.prescale.controller.autoscaling.Remembering;
import io.prescale.controller.autoscaling.ReplicaState;
import io.prescale.controller.autoscaling.TargetSettings;
import io.prescale.controller.demand.prometheus.ScriptedServer.Answer;
import io.prescale.controller.demand.source.MetricQuery;
import io.prescale.controller.demand.source.PrometheusSource;
import io.prescale.controller.operator.hpa.HpaFeatures;
import io.prescale.controller.operator.status.Conditions;
import io.prescale.controller.operator.status.Conditions.Finding;
import io.prescale.controller.operator.status.StatusBuilder;
import io.prescale.controller.operator.status.StatusBuilder.Replicas;
import io.prescale.controller.serving.StatusProjection;
import io.prescale.controller.simulation.replay.ColdStart;
import io.prescale.controller.simulation.replay.HpaSimulation;
import io.prescale.controller.states.SavedTarget;
import io.prescale.controller.values.PublishedValues;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * One target's way from Prometheus' HTTP answers to what an HPA reads, second by second: the real
 * source, cycle, status and projection, with a simulated HPA at the end.
 */
final class ServedUnderFaults implements AutoCloseable {
  static final Instant FAULT_BEGINS = Instant.parse("2026-03-04T09:00:00Z");

  private static final Duration STEP = Duration.ofMinutes(1);
  private static final Duration SHORTEST = Duration.ofHours(6);
  private static final Duration LEAD = Duration.ofMinutes(3);
  private static final int LONGEST_RECOVERY = 4;
  private static final int TICK_SECOND = 2;
  private static final int SYNC_SECONDS = 15;
  private static final MetricKey KEY = new MetricKey("team", "requests");

  private static final Finding HPA_ACTS =
      new Finding(
          ConditionType.ScalingActive, ConditionStatus.True, ConditionReason.Scaling, "It acts.");

  private final MorningLoad load = new MorningLoad();
  private final FaultyPrometheus prometheus = new FaultyPrometheus(load::sum, load::series);
  private final PrometheusSource source;
  private final boolean ownSource;
  private final TargetSettings settings;
  private LiveTarget target;
  private final MetricReadModel model = new MetricReadModel();
  private final StatusProjection projection;
  private final HpaSimulation hpa;
  private final List<ServedSecond> seconds = new ArrayList<>();
  private PredictiveHPA resource = PredictiveHpas.chat("requests");
  private Instant time;
  private Duration offset = Duration.ZERO;
  private Instant known = Instant.EPOCH;
  private Optional<SavedTarget> saved = Optional.empty();
  private Instant knownSince = Instant.EPOCH;
  private boolean fell;
  private OptionalDouble observed = OptionalDouble.empty();

  /**
   * @param history that is there, and of which at most as much is kept
   * @param patiently how long an answer may take, in real time
   */
  ServedUnderFaults(Duration history, Duration patiently) throws IOException {
    this(history, ZoneOffset.UTC, FAULT_BEGINS, FaultyPrometheus.source(patiently), true);
  }

  /** The same in a zone whose days are looked for; the first value is served ten minutes before. */
  ServedUnderFaults(Duration history, Duration patiently, ZoneId zone, Instant begins)
      throws IOException {
    this(history, zone, begins, FaultyPrometheus.source(patiently), true);
  }

  /** Another target of the same replica, which has a Prometheus of its own. */
  ServedUnderFaults beside(Duration history) throws IOException {
    return new ServedUnderFaults(history, ZoneOffset.UTC, FAULT_BEGINS, source, false);
  }

  private ServedUnderFaults(
      Duration history, ZoneId zone, Instant begins, PrometheusSource source, boolean isOwn)
      throws IOException {
    this.ownSource = isOwn;
    this.time = begins.minusSeconds(10 * 60);
    prometheus.beginAt(time.minus(history));
    this.source = source;
    settings =
        Remembering.history(
            history.compareTo(SHORTEST) < 0 ? SHORTEST : history,
            zone,
            new SpecReader(new HpaFeatures(true)).settings(resource.getSpec()));
    var client = new KubernetesClientBuilder().build();
    projection =
        StatusProjection.of(
            client,
            Set.of(),
            model,
            new PublishedValues(client, "prescale", Clock.systemUTC()),
            List.of(),
            Clock.systemUTC());
    target = target();
    hpa =
        new HpaSimulation(
            settings.hpa(), 4, new ColdStart.Constant(LEAD), 3, new SplittableRandom(1));
    projection.onAdd(resource);
    if (history.compareTo(SHORTEST) >= 0) {
      awaitForecasts();
    }
    pass(2, null);
    seconds.clear();
  }

  private LiveTarget target() {
    var query = new MetricQuery("team", prometheus.server(), "sum(requests)", STEP);
    return new LiveTarget(
        settings,
        new Queries(Map.of("requests", query), Map.of(), List.of()),
        saved,
        source,
        Learning.alone(Runnable::run),
        LeadTimes.of(resource),
        () -> Duration.ofSeconds(TICK_SECOND),
        time);
  }

  /** Another replica leads from now on, and knows what was saved; gives what it reads first. */
  int failOver() {
    int before = prometheus.samplesRead();
    target = target();
    target.takeOver(EarlierLeader.served(resource));
    pass(1, null);
    recover();
    return prometheus.samplesRead() - before;
  }

  private void awaitForecasts() {
    prometheus.advanceTo(time);
    await()
        .atMost(Duration.ofMinutes(2))
        .pollInterval(Duration.ofMillis(10))
        .until(() -> tick(time), metric -> metric.modelFittedAt().isPresent()); // by the history
  }

  /** Minutes pass, in which Prometheus answers with the fault, if there is one. */
  void pass(int minutes, @Nullable Answer fault) {
    prometheus.fault(fault);
    for (int second = 0; second < 60 * minutes; second++) {
      time = time.plusSeconds(1);
      prometheus.advanceTo(time);
      var now = time.plus(offset);
      if (target.isDue(now)) {
        tick(now);
      }
      if (prometheus.newestAt().isAfter(known)) {
        known = prometheus.newestAt();
        knownSince = now;
      }
      var read =
          ServedSecond.of(
              model.read(KEY, LabelSelector.everything(), now),
              time,
              now,
              prometheus.newest(),
              knownSince);
      seconds.add(read);
      if (time.getEpochSecond() % SYNC_SECONDS == 0) {
        int before = hpa.currentReplicas();
        hpa.sync(read.state() == ServedSecond.State.ERROR ? Double.NaN : read.value());
        fell |= hpa.currentReplicas() < before;
      }
    }
  }

  /** Minutes pass until the metric is read again; on a busy machine a request may be late. */
  void recover() {
    for (int minute = 0; minute < LONGEST_RECOVERY && !isAvailable(); minute++) {
      pass(1, null);
    }
  }

  /** From now on Prescale's clock goes so much ahead of what it was. */
  void shiftClock(Duration by) {
    offset = offset.plus(by);
  }

  void multiplyLoad(double by) {
    load.multiply(time, by);
  }

  /** From now on only this part of the series is left, and of the sum. */
  void loseSeries(double remaining) {
    load.loseSeries(time, remaining);
  }

  /** From now on the series has another label. */
  void rename() {
    prometheus.renameAt(time);
  }

  void findSeries() {
    load.findSeries(time);
  }

  List<ServedSecond> seconds() {
    return seconds;
  }

  ServedSecond newest() {
    return seconds.getLast();
  }

  /** The demand that Prescale believes. */
  double observed() {
    return observed.orElseThrow();
  }

  Duration timeToLive() {
    return settings.timeToLive();
  }

  boolean replicasFell() {
    return fell;
  }

  /** What the status says of the metric. */
  boolean isAvailable() {
    return is(ConditionType.MetricsAvailable);
  }

  boolean isTrusted() {
    return is(ConditionType.ForecastTrusted);
  }

  private boolean is(ConditionType type) {
    return condition(type).filter(it -> it.status() == ConditionStatus.True).isPresent();
  }

  Optional<ConditionReason> whyNotAvailable() {
    return condition(ConditionType.MetricsAvailable).map(StatusCondition::reason);
  }

  private Optional<StatusCondition> condition(ConditionType type) {
    return Conditions.of(resource.getStatus().conditions(), type);
  }

  private MetricResult tick(Instant now) {
    var state =
        new ReplicaState(
            hpa.currentReplicas(), hpa.readyReplicas(), LeadTime.declared(LEAD), Optional.empty());
    var cycle = target.cycle();
    var forecasts = cycle.forecast(cycle.observe(now, target.read(now), state));
    var result = cycle.decide(now, forecasts, state);
    var replicas = Replicas.withoutPods(state.current());
    var findings = Conditions.of(result, Optional.empty(), HPA_ACTS);
    var status = new StatusBuilder(resource, now).after(result, replicas, findings);
    var before = resource;
    resource = PredictiveHpas.chat("requests");
    resource.setStatus(status);
    projection.onUpdate(before, resource);
    target.unsaved(now).ifPresent(it -> saved = Optional.of(it));
    target.decided(result, state, now);
    observed = result.metrics().getFirst().observed();
    return result.metrics().getFirst();
  }

  @Override
  public void close() {
    if (ownSource) {
      source.close();
    }
    prometheus.close();
    projection.close();
  }
}
