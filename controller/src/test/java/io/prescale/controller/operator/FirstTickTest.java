package io.prescale.controller.operator;

import static io.prescale.controller.operator.PredictiveHpas.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.api.v1alpha1.ConditionReason;
import io.prescale.controller.api.v1alpha1.ConditionStatus;
import io.prescale.controller.api.v1alpha1.ConditionType;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.autoscaling.LeadTime;
import io.prescale.controller.autoscaling.Learning;
import io.prescale.controller.autoscaling.Reading;
import io.prescale.controller.autoscaling.ReplicaState;
import io.prescale.controller.autoscaling.TargetSettings;
import io.prescale.controller.demand.prometheus.PrometheusServer;
import io.prescale.controller.demand.source.MetricQuery;
import io.prescale.controller.demand.source.MetricSource;
import io.prescale.controller.operator.hpa.HpaFeatures;
import io.prescale.controller.operator.status.Conditions;
import io.prescale.controller.operator.status.Conditions.Finding;
import io.prescale.controller.operator.status.StatusBuilder;
import io.prescale.controller.operator.status.StatusBuilder.Replicas;
import io.prescale.controller.operator.status.StatusNews;
import io.prescale.forecasting.Sample;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * A leader that has nothing saved of a target, and whose history is still being read: with 2,000
 * PredictiveHPAs that takes minutes.
 */
class FirstTickTest {
  private static final Duration STEP = Duration.ofMinutes(1);
  private static final Finding HPA_ACTS =
      new Finding(
          ConditionType.ScalingActive, ConditionStatus.True, ConditionReason.Scaling, "It acts.");

  private PredictiveHPA resource = PredictiveHpas.chat("requests");
  private final TargetSettings settings =
      new SpecReader(new HpaFeatures(true)).settings(resource.getSpec());

  @Test
  void aNewLeaderServesANewValueAtItsFirstTick() {
    var now = NOON.plusSeconds(25);

    tick(target(now), now);

    var metric = resource.getStatus().metrics().getFirst();
    assertThat(metric.served()).isEqualTo("12");
    assertThat(metric.servedAt()).isEqualTo(now);
  }

  @Test
  void aNewLeaderHasNoNewsOfWhatIsAsBefore() {
    var before = target(NOON.minus(Duration.ofMinutes(3)));
    for (int minute = 3; minute >= 0; minute--) {
      tick(before, NOON.minus(STEP.multipliedBy(minute)).plusSeconds(2));
    }
    var status = resource.getStatus();

    var now = NOON.plusSeconds(25);
    tick(target(now), now);

    assertThat(StatusNews.between(status, resource.getStatus())).isFalse();
  }

  private LiveTarget target(Instant now) {
    var query =
        new MetricQuery(
            "team",
            PrometheusServer.at(URI.create("http://127.0.0.1:1")),
            "sum(requests)",
            settings.forecast().step());
    return new LiveTarget(
        settings,
        new Queries(Map.of("requests", query), Map.of(), List.of()),
        Optional.empty(),
        new Steady(),
        Learning.alone(Runnable::run),
        LeadTimes.of(resource),
        () -> Duration.ZERO,
        now);
  }

  private void tick(LiveTarget target, Instant now) {
    var lead = LeadTime.declared(Duration.ofMinutes(3));
    var state = new ReplicaState(3, 3, lead, Optional.empty());
    var cycle = target.cycle();
    var forecasts = cycle.forecast(cycle.observe(now, target.read(now), state));
    var result = cycle.decide(now, forecasts, state);
    target.decided(result, state, now);
    var status =
        new StatusBuilder(resource, now)
            .after(
                result, Replicas.withoutPods(3), Conditions.of(result, Optional.empty(), HPA_ACTS));
    resource = PredictiveHpas.chat("requests");
    resource.setStatus(status);
  }

  /** A demand of 12 at the end of each minute, and a history that does not arrive. */
  private static final class Steady implements MetricSource {
    @Override
    public CompletableFuture<Reading> read(MetricQuery query, Instant after, Instant now) {
      long first = after.getEpochSecond() / 60 + 1;
      var samples =
          LongStream.rangeClosed(first, now.getEpochSecond() / 60)
              .mapToObj(minute -> new Sample(Instant.ofEpochSecond(60 * minute), 12))
              .toList();
      return CompletableFuture.completedFuture(new Reading.Observed(samples));
    }

    @Override
    public CompletableFuture<LatestReading> latest(MetricQuery query, Instant now) {
      return CompletableFuture.completedFuture(new LatestReading.Found(List.of()));
    }

    @Override
    public CompletableFuture<HistoryReading> history(MetricQuery query, Instant from, Instant to) {
      return new CompletableFuture<>();
    }
  }
}
