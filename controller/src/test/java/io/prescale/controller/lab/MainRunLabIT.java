package io.prescale.controller.lab;

import static io.prescale.controller.lab.Patience.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.prescale.controller.Checkout;
import io.prescale.controller.api.v1alpha1.BreakerState;
import io.prescale.controller.api.v1alpha1.LeadTimeSource;
import io.prescale.controller.api.v1alpha1.MetricStatus;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.demand.prometheus.RealPrometheus;
import io.prescale.controller.lab.DailyLoad.Rise;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The main job, end to end: a load that comes back every day, Prometheus, forecast, external
 * metric, the stock HPA, pods that take 40 s to start. Beside it a second Deployment under the same
 * load, with an HPA that is given the newest value. Draws both into {@code
 * target/lab/main-run.html}.
 */
class MainRunLabIT {
  private static final Duration START_DELAY = Duration.ofSeconds(40);
  private static final Duration DAY = Duration.ofMinutes(10);
  private static final int DAYS_BEFORE = 18;
  private static final double PEAK = 200;
  private static final double CAPACITY = 10;

  /** Headroom, as people give a reactive HPA. */
  private static final double REACTIVE_TARGET = 0.8 * CAPACITY;

  private static final String BEHAVIOR = "{scaleDown: {stabilizationWindowSeconds: 60}}";

  /** From the start of the test to dawn; most of it is the end of a night. */
  private static final Duration UNTIL_DAWN = Duration.ofSeconds(110);

  /** Before a rise, to see the value rise first; and after it, until the reactive HPA is there. */
  private static final Duration BEFORE = Duration.ofSeconds(90);

  private static final Duration AFTER =
      Duration.parse(System.getProperty("prescale.lab.recordAfterRise", "PT75S"));

  private static final InstantSource CLOCK = InstantSource.system();

  @TempDir private Path folder;

  /** What was recorded, and what the status said meanwhile. */
  private record Run(
      Rise rise, Recording predictive, Recording reactive, List<PredictiveHPA> seen) {}

  @Test
  void replicasAreReadyBeforeTheDemandAndAReactiveHpaIsLate() throws Exception {
    var began = CLOCK.instant();
    var load = new DailyLoad(1, began.plus(UNTIL_DAWN), DAY, PEAK);
    var from = began.minus(DAY.multipliedBy(DAYS_BEFORE));
    try (var exporter = LoadExporter.start(load, CLOCK);
        var prometheus =
            RealPrometheus.scraping(
                folder, LoadExporter.history(load, from, began), exporter.prometheusConfig());
        var demand = new ScrapedDemand(prometheus.url());
        var lab = Lab.start("--nodes=4", "--hpa-sync-period=5s");
        var _ = ReactiveMetrics.start(lab, folder, demand, CLOCK);
        var client = LabObjects.client(lab)) {
      var prescale = PrescaleInLab.install(lab, folder);
      lab.apply(LabObjects.deployment("predictive", START_DELAY));
      lab.apply(LabObjects.deployment("reactive", START_DELAY));
      lab.apply(ReactiveMetrics.hpa("reactive", 1, 40, REACTIVE_TARGET, BEHAVIOR));
      lab.apply(
          LabObjects.predictiveHpa(
              "predictive",
              CAPACITY,
              DAY.multipliedBy(DAYS_BEFORE),
              "  fallback: {ttl: 1m}\n  behavior: " + BEHAVIOR));
      try (var _ = prescale.start("main-run", "--prometheus=" + prometheus.url());
          var metric = MetricSampler.of(lab, LabObjects.METRIC, "predictive")) {
        var run = record(client, load, demand, metric);
        draw(run);
        judge(run, load);
      }
    }
  }

  private Run record(
      KubernetesClient client, DailyLoad load, ScrapedDemand demand, MetricSampler metric)
      throws Exception {
    patiently()
        .until(
            () ->
                LabObjects.predictiveHpa(client, "predictive")
                    .map(MainRunLabIT::isInSwing)
                    .orElse(false));
    var rise = load.nextMorning(CLOCK.instant().plus(BEFORE));
    var seen = new ArrayList<PredictiveHPA>();
    var recorder = new RunRecorder(client, load, CAPACITY, CLOCK);
    recorder.watch(
        "predictive",
        () -> {
          LabObjects.predictiveHpa(client, "predictive").ifPresent(seen::add);
          return metric.ask() instanceof MetricSampler.Answer.Value value
              ? OptionalDouble.of(value.value())
              : OptionalDouble.empty();
        });
    recorder.watch("reactive", () -> demand.newest(CLOCK.instant()));
    var recordings = recorder.recordUntil(rise.ends().plus(AFTER));
    return new Run(rise, recordings.get(0), recordings.get(1), seen);
  }

  /** Its lead time was measured, on the first replicas, and its forecasts are acted on. */
  private static boolean isInSwing(PredictiveHPA resource) {
    var status = resource.getStatus();
    return status != null
        && status.leadTime() != null
        && status.leadTime().source() == LeadTimeSource.Measured
        && status.metrics().size() == 1
        && status.metrics().getFirst().breaker() != null
        && status.metrics().getFirst().breaker().state() == BreakerState.Closed;
  }

  private static void judge(Run run, DailyLoad load) {
    var rise = run.rise();
    double level = (load.at(rise.begins()) + load.at(rise.ends())) / 2;
    var from = rise.begins().minus(BEFORE);
    var demanded = run.predictive().demandReached(level, from).orElseThrow();
    var served = run.predictive().servedReached(level, from).orElseThrow();
    var ready = run.predictive().capacityReached(level, from).orElseThrow();
    var reactiveReady = run.reactive().capacityReached(level, from);
    report(run, Duration.between(served, demanded), Duration.between(ready, demanded));

    assertThat(run.predictive().moments())
        .as("the API server had a value for the HPA all the time")
        .allMatch(moment -> moment.served().isPresent());
    assertThat(run.seen().stream().flatMap(it -> LabObjects.metrics(it).stream()).toList())
        .isNotEmpty()
        .allSatisfy(MainRunLabIT::neverBelowTheNewestObservation);
    assertThat(Duration.between(served, demanded))
        .as("the value rises ahead of the demand")
        .isGreaterThanOrEqualTo(START_DELAY);
    assertThat(ready).as("replicas are ready before the demand").isBeforeOrEqualTo(demanded);
    assertThat(reactiveReady.orElse(Instant.MAX)).as("the reactive HPA").isAfter(demanded);
    assertThat(run.predictive().overloadedShare())
        .as("overloaded share, of %s without a forecast", run.reactive().overloadedShare())
        .isLessThan(run.reactive().overloadedShare() / 3);
    assertThat(run.seen().getLast().getStatus().leadTime())
        .satisfies(
            lead ->
                assertThat(Duration.ofSeconds(lead.seconds()))
                    .isBetween(START_DELAY, START_DELAY.multipliedBy(3)));
  }

  private static void neverBelowTheNewestObservation(MetricStatus metric) {
    assertThat(LabObjects.number(metric.served()))
        .isGreaterThanOrEqualTo(LabObjects.number(metric.observed()));
  }

  private static void report(Run run, Duration lead, Duration early) {
    System.out.printf(
        "Main run: the value rose %d s before the demand, replicas were ready %d s before it."
            + " Overloaded %.1f %% of the time at %.2f replica-hours; without a forecast %.1f %%"
            + " at %.2f. Measured lead time: %s%n",
        lead.toSeconds(),
        early.toSeconds(),
        100 * run.predictive().overloadedShare(),
        run.predictive().replicaHours(),
        100 * run.reactive().overloadedShare(),
        run.reactive().replicaHours(),
        run.seen().getLast().getStatus().leadTime());
  }

  private static void draw(Run run) throws IOException {
    var page =
        RunChart.html(
            "The same load, pods that take %d s to start".formatted(START_DELAY.toSeconds()),
            List.of(run.predictive(), run.reactive()));
    var target = Files.createDirectories(Checkout.root().resolve("controller/target/lab"));
    Files.writeString(target.resolve("main-run.html"), page);
  }
}
