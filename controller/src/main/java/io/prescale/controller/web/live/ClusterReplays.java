package io.prescale.controller.web.live;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.cluster.ApiFailure;
import io.prescale.controller.operator.LiveTargets;
import io.prescale.controller.operator.NotReady;
import io.prescale.controller.simulation.replay.ColdStart;
import io.prescale.controller.simulation.replay.ReplaySettings;
import java.time.DateTimeException;
import java.time.Duration;

/** Finds the subject of a replay in a cluster: a PredictiveHPA's first metric, in Prometheus. */
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
      var demand = recorded.demand();
      var settings = recorded.settings();
      return new Found.Subject(
          new ReplaySubject(
              settings.metrics().getFirst().name(),
              demand,
              ReplaySettings.forCapacity(settings.metrics().getFirst().capacityPerReplica())
                  .withRules(settings.hpa())
                  .withColdStart(new ColdStart.Constant(lead(resource)))
                  .withSkip(HistoryReplays.SKIP),
              settings.risk(),
              settings.forecast(),
              "%s, %s".formatted(demand.server().url(), demand.promql())));
    } catch (NotReady | IllegalArgumentException | DateTimeException e) {
      return new Found.Nothing(String.valueOf(e.getMessage()));
    } catch (KubernetesClientException e) {
      return new Found.Nothing("The API server: " + ApiFailure.text(e));
    }
  }

  /** The lead time last measured or declared. */
  private static Duration lead(PredictiveHPA resource) {
    return DecisionFromStatus.of(resource).map(why -> why.lead().total()).orElse(USUAL_COLD_START);
  }
}
