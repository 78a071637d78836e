package io.prescale.controller.telemetry;

import io.prescale.adapter.MetricReadModel;
import io.prescale.adapter.server.SharedPage;
import io.prescale.controller.api.v1alpha1.CapacityPlanStatus;
import io.prescale.controller.autoscaling.CycleResult;
import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.Counter;
import io.prometheus.client.Gauge;
import io.prometheus.client.Histogram;
import io.prometheus.client.exporter.common.TextFormat;
import io.prometheus.client.hotspot.DefaultExports;
import java.io.IOException;
import java.io.Writer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/** The metrics that the controller exports about itself. Thread-safe. */
public final class Telemetry {
  /** Of what {@link #write} writes. */
  public static final String CONTENT_TYPE = TextFormat.CONTENT_TYPE_004;

  private final InstantSource clock;
  private final CollectorRegistry registry = new CollectorRegistry();
  private final SharedPage page;
  private final TargetMetrics targets;
  private final Gauge leader;
  private final Gauge shards;
  private final Histogram tickSeconds;
  private final Counter writes;
  private final PlanMetrics plan;
  private final Gauge booked;
  private final Gauge buffers;

  /** What is written to the API server. */
  public enum Write {
    STATUS,
    VALUES,
    STATES,
    HPA,
    DELETION_COST,
    EVENT
  }

  /** How a write ended. */
  public enum Outcome {
    OK,
    /** Another writer came first, or owns the field. */
    CONFLICT,
    FAILED
  }

  /** Telemetry of its own registry, with the JVM's metrics in it. */
  public Telemetry(InstantSource clock) {
    this.clock = clock;
    this.page = new SharedPage(this::write, clock);
    this.targets = new TargetMetrics(clock).register(registry);
    this.leader =
        Gauge.build(SelfMetric.LEADER.metricName(), SelfMetric.LEADER.help()).register(registry);
    this.shards =
        Gauge.build(SelfMetric.SHARDS.metricName(), SelfMetric.SHARDS.help()).register(registry);
    this.tickSeconds =
        Histogram.build(SelfMetric.TICK_SECONDS.metricName(), SelfMetric.TICK_SECONDS.help())
            .buckets(0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3)
            .register(registry);
    this.writes =
        Counter.build(SelfMetric.WRITES.metricName(), SelfMetric.WRITES.help())
            .labelNames(SelfMetric.WRITES.labels().toArray(String[]::new))
            .register(registry);
    this.plan = new PlanMetrics(clock).register(registry);
    this.booked =
        Gauge.build(SelfMetric.BOOKED_REPLICAS.metricName(), SelfMetric.BOOKED_REPLICAS.help())
            .labelNames(SelfMetric.BOOKED_REPLICAS.labels().toArray(String[]::new))
            .register(registry);
    this.buffers =
        Gauge.build(SelfMetric.BUFFER_REPLICAS.metricName(), SelfMetric.BUFFER_REPLICAS.help())
            .labelNames(SelfMetric.BUFFER_REPLICAS.labels().toArray(String[]::new))
            .register(registry);
    DefaultExports.register(registry);
  }

  /**
   * An object was ticked.
   *
   * @param gpus that a replica asks for; empty while there is none
   */
  public void ticked(Target target, CycleResult result, OptionalDouble gpus, Duration took) {
    targets.ticked(target, result, gpus);
    tickSeconds.observe(took.toNanos() / 1e9);
  }

  /** An object that was ticked has room for so many replicas; empty when no quota limits it. */
  public void quotaLeaves(Target target, OptionalInt replicas) {
    targets.quotaLeaves(target, replicas);
  }

  /** An object cannot be ticked: what its last tick observed is no longer known. */
  public void blocked(Target target) {
    targets.blocked(target);
  }

  /** An object that was blocked can be ticked again, and what its last tick observed stands. */
  public void goesOn(Target target) {
    targets.goesOn(target);
  }

  /** An object is gone, and its series with it. */
  public void removed(Target target) {
    targets.removed(target);
  }

  public void wrote(Write kind, Outcome outcome) {
    writes.labels(lowerCase(kind), lowerCase(outcome)).inc();
  }

  public void leads(boolean leads) {
    leader.set(leads ? 1 : 0);
  }

  /** The number of shards of the PredictiveHPAs that this replica works on. */
  public void worksOn(int number) {
    shards.set(number);
  }

  /** Adds the metrics of a replica that serves external metrics; to be called once. */
  public void serves(MetricReadModel model, ServingState state) {
    new ServingMetrics(clock, model, state).register(registry);
  }

  /** This replica ticks no objects any more; the series of all are gone. */
  public void removedAll() {
    targets.removedAll();
  }

  /**
   * The plan.
   *
   * @param madeAt when the newest one was made or, as long as none is known, when this replica
   *     began to plan; empty when it does not plan
   * @param written the one that this replica wrote last; empty before the first
   */
  public void planned(Optional<Instant> madeAt, Optional<CapacityPlanStatus> written) {
    plan.planned(madeAt, written);
  }

  /** The replicas for which this replica booked cards, of all that ask for it. */
  public void booked(Map<Target, Integer> replicas) {
    booked.clear();
    replicas.forEach((target, most) -> booked.labels(target.namespace(), target.name()).set(most));
  }

  /** The replicas for which this replica asked for nodes, of all that ask for bookings. */
  public void buffered(Map<Target, Integer> replicas) {
    buffers.clear();
    replicas.forEach((target, all) -> buffers.labels(target.namespace(), target.name()).set(all));
  }

  /** Everything as a page for those who scrape. */
  SharedPage page() {
    return page;
  }

  /** Everything, in the text format 0.0.4. */
  public void write(Writer writer) throws IOException {
    TextFormat.write004(writer, registry.metricFamilySamples());
  }

  private static String lowerCase(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
