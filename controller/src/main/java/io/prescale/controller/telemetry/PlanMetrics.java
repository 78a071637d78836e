package io.prescale.controller.telemetry;

import io.prescale.controller.api.v1alpha1.CapacityPlanStatus;
import io.prescale.controller.api.v1alpha1.PlanBand;
import io.prescale.controller.api.v1alpha1.PlanCalibration;
import io.prescale.controller.api.v1alpha1.PlanStatement;
import io.prometheus.client.Collector;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The series about the plan that this replica wrote last, and how old it is. Thread-safe. */
final class PlanMetrics extends Collector {
  private static final double MILLI = 1000;

  private final InstantSource clock;
  private volatile Optional<Instant> made = Optional.empty();
  private volatile Optional<CapacityPlanStatus> newest = Optional.empty();

  PlanMetrics(InstantSource clock) {
    this.clock = clock;
  }

  /**
   * Another plan was written, or none is yet.
   *
   * @param madeAt when the newest plan was made, or this replica began to plan; empty when it does
   *     not plan
   */
  void planned(Optional<Instant> madeAt, Optional<CapacityPlanStatus> written) {
    made = madeAt;
    newest = written;
  }

  @Override
  public List<MetricFamilySamples> collect() {
    var families = new MetricFamilies();
    made.ifPresent(
        it -> families.of().add(SelfMetric.PLAN_MADE_SECONDS, (double) it.getEpochSecond()));
    newest.ifPresent(plan -> collect(plan, families.of()));
    newest
        .map(CapacityPlanStatus::calibration)
        .filter(it -> it.said() > 0)
        .ifPresent(it -> collect(it, families));
    return families.all();
  }

  private void collect(CapacityPlanStatus plan, MetricFamilies.Samples samples) {
    var shortages = plan.statements();
    samples.add(SelfMetric.PLAN_SHORTAGES, shortages.size());
    shortages.stream()
        .map(PlanStatement::from)
        .min(Comparator.naturalOrder())
        .ifPresent(first -> samples.add(SelfMetric.PLAN_SHORTAGE_SECONDS, until(first)));
    samples.add(
        SelfMetric.PLAN_MISSING_NODES,
        shortages.stream()
            .mapToInt(it -> it.nodes() == null ? 0 : it.nodes().count())
            .max()
            .orElse(0));
    samples.add(
        SelfMetric.PLAN_UNFORECAST,
        (double) plan.workloads().stream().filter(it -> it.demand().isEmpty()).count());
  }

  private double until(Instant time) {
    return Math.max(0, Duration.between(clock.instant(), time).toMillis() / MILLI);
  }

  private static void collect(PlanCalibration calibration, MetricFamilies families) {
    long came = calibration.bands().stream().mapToLong(PlanBand::came).sum();
    double expected = calibration.bands().stream().mapToLong(PlanBand::expectedMilli).sum() / MILLI;
    families.of("true").add(SelfMetric.PLAN_STATEMENTS, (double) came);
    families.of("false").add(SelfMetric.PLAN_STATEMENTS, (double) calibration.said() - came);
    families.of("expected").add(SelfMetric.PLAN_STATEMENTS, expected);
    families
        .of()
        .add(SelfMetric.PLAN_BRIER_SCORE, calibration.squaresMilli() / MILLI / calibration.said());
  }
}
