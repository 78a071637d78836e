package io.prescale.controller.lab;

import static io.prescale.controller.lab.Patience.patiently;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.prescale.controller.api.v1alpha1.ConditionReason;
import io.prescale.controller.api.v1alpha1.ConditionStatus;
import io.prescale.controller.api.v1alpha1.ConditionType;
import io.prescale.controller.api.v1alpha1.LeadingStatus;
import io.prescale.controller.api.v1alpha1.MetricStatus;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.api.v1alpha1.StatusCondition;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * A load that a batch job visits every three minutes, on a real control plane: what each model
 * makes of it, and what becomes of the value when the job suddenly stays away.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Tag("long")
class ForecastLabIT {
  private static final Duration HISTORY = Duration.ofHours(50);
  private static final double CAPACITY = 10;
  private static final double QUIET = 20;
  private static final double BUSY = 100;
  private static final Duration PATIENCE = Duration.ofMinutes(8);
  private static final InstantSource CLOCK = InstantSource.system();
  private static final String SOON =
      "  leadTime: 10s\n  behavior: {scaleDown: {stabilizationWindowSeconds: 0}}";

  private final BatchJob load = new BatchJob();
  private final List<AutoCloseable> toClose = new ArrayList<>();
  private @Nullable Lab lab;
  private @Nullable PrescaleInLab prescale;
  private @Nullable KubernetesClient client;

  /** A minute of work every three minutes, while it is not stopped. */
  private static final class BatchJob implements Load {
    private static final long EVERY_SECONDS = 180;
    private static final long LENGTH_SECONDS = 60;
    private volatile Instant stopped = Instant.MAX;

    @Override
    public Duration step() {
      return Duration.ofSeconds(1);
    }

    @Override
    public double at(Instant time) {
      boolean runs = time.getEpochSecond() % EVERY_SECONDS < LENGTH_SECONDS;
      return runs && time.isBefore(stopped) ? BUSY : QUIET;
    }
  }

  @BeforeAll
  void startAll(@TempDir Path folder) throws Exception {
    var exporter = closeLater(LoadExporter.start(load, CLOCK));
    var prometheus = LabPrometheus.in(folder);
    lab =
        closeLater(
            Lab.start(
                "--nodes=4",
                "--hpa-sync-period=2s",
                "--pod-start-delay=2s",
                "--prometheus-config=" + prometheus.config()));
    var now = CLOCK.instant();
    prometheus.fill(lab, exporter, load, now.minus(HISTORY), now);
    client = closeLater(LabObjects.client(lab));
    prescale = PrescaleInLab.install(lab, folder);
    closeLater(prescale.start("forecast"));
  }

  @AfterAll
  void stopAll() throws Exception {
    for (var each : toClose.reversed()) {
      each.close();
    }
  }

  @Test
  @Order(1)
  void eachModelServesWhatItCanKnow() throws Exception {
    var models =
        Map.of(
            "boosting", "history: 6h, models: [Boosting]",
            "seasonal", "history: 49h, models: [SeasonalNaive]",
            "seasonal-young", "history: 6h, models: [SeasonalNaive]",
            "recent-peak", "history: 6h, models: [RecentPeak]");
    for (var model : models.entrySet()) {
      create(model.getKey(), "step: 10s, " + model.getValue());
    }
    for (var name : models.keySet()) {
      awaitUntil(name, it -> isTrue(it, ConditionType.ForecastTrusted));
      awaitUntil(name, it -> isTrue(it, ConditionType.ScalingActive));
    }
    var served = servedWhileQuiet(models.keySet());
    System.out.println("Served between two visits of the batch job: " + served);

    assertThat(served.values()).allMatch(values -> values.getCount() > 60);
    // The season foresees the whole visit; what six hours teach the boosting may be a part of it.
    for (var foreseen : Map.of("boosting", 2 * QUIET, "seasonal", 0.9 * BUSY).entrySet()) {
      var name = foreseen.getKey();
      var values = Objects.requireNonNull(served.get(name), name);
      assertThat(values.getMin()).as(name).isBetween(QUIET, BUSY / 2);
      assertThat(values.getMax()).as(name).isGreaterThanOrEqualTo(foreseen.getValue());
    }
    for (var name : List.of("seasonal-young", "recent-peak")) {
      var values = Objects.requireNonNull(served.get(name), name);
      assertThat(values.getMin()).as(name).isGreaterThanOrEqualTo(0.9 * BUSY);
    }
    for (var name : models.keySet()) {
      lab().kubectl("delete", "phpa,deployment", name, "--timeout=5m");
    }
  }

  /**
   * Lowest and highest value of each, over two visits, at times when there was no visit and its
   * forecast was trusted: otherwise it is not the model that is served.
   */
  private Map<String, DoubleSummaryStatistics> servedWhileQuiet(Iterable<String> names)
      throws InterruptedException {
    var served = new HashMap<String, DoubleSummaryStatistics>();
    var until = CLOCK.instant().plusSeconds(2 * BatchJob.EVERY_SECONDS);
    while (CLOCK.instant().isBefore(until)) {
      for (var name : names) {
        var now = resource(name);
        var metric = metric(now);
        if (metric.observed() != null
            && LabObjects.number(metric.observed()) <= QUIET
            && isTrue(now, ConditionType.ForecastTrusted)) {
          served
              .computeIfAbsent(name, _ -> new DoubleSummaryStatistics())
              .accept(LabObjects.number(metric.served()));
        }
      }
      Thread.sleep(1000);
    }
    return served;
  }

  @Test
  @Order(2)
  void whenTheForecastGoesBadTheNewestValueIsServed() throws Exception {
    create("batch", "step: 1s, history: 3h");
    awaitUntil("batch", it -> isTrue(it, ConditionType.ForecastTrusted));
    awaitUntil("batch", ForecastLabIT::foreseesAVisit);

    var away = CLOCK.instant();
    load.stopped = away;
    var open = awaitUntil("batch", ForecastLabIT::hasNoSkill);
    var condition = condition(open, ConditionType.ForecastTrusted);
    assertThat(condition.status()).isEqualTo(ConditionStatus.False);
    assertThat(condition.message())
        .isEqualTo(
            LabObjects.METRIC
                + ": The newest value is followed: it has lately done as well as the forecasts.");
    awaitUntil("batch", it -> LabObjects.number(metric(it).served()) == QUIET);
    awaitUntil(
        "batch",
        it -> "NotTrusted".equals(Objects.requireNonNull(it.getStatus().lastDecision()).reason()));
    try (var sampler = MetricSampler.of(lab(), LabObjects.METRIC, "batch")) {
      patiently()
          .untilAsserted(
              () ->
                  assertThat(sampler.ask())
                      .isInstanceOfSatisfying(
                          MetricSampler.Answer.Value.class,
                          value -> assertThat(value.value()).isCloseTo(QUIET, within(0.001))));
    }
    awaitUntil("batch", it -> replicas(it) == 2);

    load.stopped = Instant.MAX;
    awaitUntil("batch", it -> LabObjects.number(metric(it).served()) >= 0.99 * BUSY);
    awaitUntil("batch", it -> replicas(it) >= BUSY / CAPACITY);
    System.out.printf(
        "Breaker: the job stayed away from %s, open at %s%n", away, condition.lastTransitionTime());
  }

  /** Demand is what a gateway sees, forty seconds later. */
  @Test
  @Order(3)
  void aSeriesThatLeadsIsFollowedAtItsLag() throws Exception {
    var later = "query: '%s offset 40s'".formatted(LoadExporter.SERIES);
    var gateway = "leading: [{name: gateway, query: '%s'}]".formatted(LoadExporter.SERIES);
    lab().apply(LabObjects.deployment("led", Duration.ofSeconds(2)));
    lab()
        .apply(
            LabObjects.predictiveHpa("led", CAPACITY, "step: 10s, history: 6h", SOON)
                .replace("query: '%s'".formatted(LoadExporter.SERIES), later)
                .replace("    target:", "    " + gateway + "\n    target:"));

    var led = awaitUntil("led", it -> !followed(it).isEmpty());

    var gatewaysLag = followed(led).getFirst().lagSeconds();
    assertThat(gatewaysLag % BatchJob.EVERY_SECONDS).as("of any visit before").isEqualTo(40);
    var then = CLOCK.instant().plusSeconds(90);
    patiently().until(() -> CLOCK.instant().isAfter(then));
    assertThat(followed(resource("led"))).as("by what was observed since").hasSize(1);
    assertThat(Objects.requireNonNull(prescale).run("explain", "default/led"))
        .contains("follows gateway %d s later".formatted(gatewaysLag));
    lab().kubectl("delete", "phpa,deployment", "led", "--timeout=5m");
  }

  private static List<LeadingStatus> followed(PredictiveHPA resource) {
    var parts = metric(resource).parts();
    return parts == null ? List.of() : parts.leading();
  }

  private static boolean hasNoSkill(PredictiveHPA resource) {
    return condition(resource, ConditionType.ForecastTrusted).reason() == ConditionReason.NoSkill;
  }

  private static int replicas(PredictiveHPA resource) {
    return Objects.requireNonNullElse(resource.getStatus().currentReplicas(), 0);
  }

  /** More is served than there is, because a visit is due. */
  private static boolean foreseesAVisit(PredictiveHPA resource) {
    var metric = metric(resource);
    return LabObjects.number(metric.observed()) <= QUIET
        && LabObjects.number(metric.served()) >= 0.9 * BUSY;
  }

  private void create(String name, String forecast) throws Exception {
    lab().apply(LabObjects.deployment(name, Duration.ofSeconds(2)));
    lab().apply(LabObjects.predictiveHpa(name, CAPACITY, forecast, SOON));
  }

  private PredictiveHPA resource(String name) {
    var known = Objects.requireNonNull(client, "there is no client");
    return LabObjects.predictiveHpa(known, name).orElseThrow();
  }

  private PredictiveHPA awaitUntil(String name, Predicate<PredictiveHPA> holds) {
    return patiently()
        .alias(name)
        .atMost(PATIENCE)
        .until(() -> resource(name), it -> !LabObjects.metrics(it).isEmpty() && holds.test(it));
  }

  private static MetricStatus metric(PredictiveHPA resource) {
    return LabObjects.metrics(resource).getFirst();
  }

  private static boolean isTrue(PredictiveHPA resource, ConditionType type) {
    return condition(resource, type).status() == ConditionStatus.True;
  }

  private static StatusCondition condition(PredictiveHPA resource, ConditionType type) {
    return resource.getStatus().conditions().stream()
        .filter(it -> it.type() == type)
        .findFirst()
        .orElseThrow();
  }

  private Lab lab() {
    return Objects.requireNonNull(lab, "the laboratory was not started");
  }

  private <T extends AutoCloseable> T closeLater(T resource) {
    toClose.add(resource);
    return resource;
  }
}
