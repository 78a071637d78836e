package io.prescale.controller.demo;

import io.prescale.controller.autoscaling.Risk;
import io.prescale.controller.demand.prometheus.PrometheusServer;
import io.prescale.controller.simulation.replay.Caution;
import io.prescale.controller.simulation.replay.ReplaySettings;
import io.prescale.controller.web.live.ReplaySubject;
import io.prescale.controller.web.live.ReplaySubject.RecordedMetric;
import java.util.List;
import java.util.OptionalDouble;

/** What a replay of a workload of the demo replays. */
final class DemoReplays {
  private DemoReplays() {}

  /**
   * The subject of a replay.
   *
   * @param server that has the workload's history
   */
  static ReplaySubject of(PrometheusServer server, Workload workload) {
    return new ReplaySubject(
        List.of(
            new RecordedMetric(
                workload.metric(), Demo.query(server, workload), workload.capacityPerReplica())),
        ReplaySettings.forCapacity(workload.capacityPerReplica())
            .withRules(workload.hpa())
            .withColdStart(workload.coldStart()),
        Caution.of(new Risk.Budget(Workload.BUDGET)),
        workload.settings().forecast(),
        workload.settings().schedules(),
        OptionalDouble.of(workload.cardsPerReplica()),
        "the demo's Prometheus, " + PrometheusEndpoint.query(workload));
  }
}
