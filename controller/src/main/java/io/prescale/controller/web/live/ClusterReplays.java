package io.prescale.controller.web.live;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.prescale.controller.api.v1alpha1.Amount;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.autoscaling.IdleRule;
import io.prescale.controller.cluster.ApiFailure;
import io.prescale.controller.demand.source.MetricQuery;
import io.prescale.controller.operator.LiveTargets;
import io.prescale.controller.operator.NotReady;
import io.prescale.controller.simulation.replay.Caution;
import io.prescale.controller.simulation.replay.ColdStart;
import io.prescale.controller.simulation.replay.ReplaySettings;
import io.prescale.controller.web.live.ReplaySubject.RecordedMetric;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Finds the subject of a replay in a cluster: a PredictiveHPA's metrics, in Prometheus. */
public final class ClusterReplays implements ReplaySubjects {
  private static final Duration USUAL_COLD_START = Duration.ofMinutes(5);

  private final ClusterWorkloads workloads;
  private final LiveTargets targets;

  public ClusterReplays(ClusterWorkloads workloads, LiveTargets targets) {
    this.workloads = workloads;
    this.targets = targets;
  }

  @Override
  public Found find(String workload) {
    return workloads
        .resource(workload)
        .map(this::find)
        .orElseGet(() -> new Found.Nothing("There is no PredictiveHPA %s.".formatted(workload)));
  }

  private Found find(PredictiveHPA resource) {
    try {
      var recorded = targets.recorded(resource);
      var settings = recorded.settings();
      return new Found.Subject(
          new ReplaySubject(
              metrics(recorded),
              ReplaySettings.forCapacity(settings.metrics().getFirst().capacityPerReplica())
                  .withRules(settings.hpa())
                  .withColdStart(new ColdStart.Constant(lead(resource))),
              new Caution(
                  settings.risk(),
                  settings.riskAtZero().orElse(IdleRule.USUAL_RISK),
                  settings.utilization()),
              settings.forecast(),
              settings.schedules(),
              cardsPerReplica(resource),
              source(recorded.demands())));
    } catch (NotReady | IllegalArgumentException | DateTimeException e) {
      return new Found.Nothing(String.valueOf(e.getMessage()));
    } catch (KubernetesClientException e) {
      return new Found.Nothing("The API server: " + ApiFailure.text(e));
    }
  }

  private static List<RecordedMetric> metrics(LiveTargets.Recorded recorded) {
    var metrics = recorded.settings().metrics();
    return IntStream.range(0, metrics.size())
        .mapToObj(
            i ->
                new RecordedMetric(
                    metrics.get(i).name(),
                    recorded.demands().get(i),
                    metrics.get(i).capacityPerReplica(),
                    recorded.leading().stream()
                        .filter(it -> it.metric().equals(metrics.get(i).name()))
                        .toList()))
        .toList();
  }

  private static String source(List<MetricQuery> demands) {
    return "%s, %s"
        .formatted(
            demands.getFirst().server().url(),
            demands.stream().map(MetricQuery::promql).collect(Collectors.joining("; ")));
  }

  private static OptionalDouble cardsPerReplica(PredictiveHPA resource) {
    var status = resource.getStatus();
    return status == null ? OptionalDouble.empty() : Amount.value(status.cardsPerReplica());
  }

  /** The lead time last measured or declared, without the ramp, for which the HPA is played. */
  private static Duration lead(PredictiveHPA resource) {
    return DecisionFromStatus.of(resource)
        .map(why -> why.lead().withoutRamp())
        .orElse(USUAL_COLD_START);
  }
}
