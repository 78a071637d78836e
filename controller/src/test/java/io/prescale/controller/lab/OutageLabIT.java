package io.prescale.controller.lab;

import static io.prescale.controller.lab.Patience.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.prescale.controller.lab.Lab.Verb;
import io.prescale.controller.lab.MetricSampler.Answer;
import io.prescale.controller.lab.MetricWatch.Seen;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Everything that the metric depends on is taken away, one after the other, while demand grows. All
 * the time somebody asks for the metric every second: the value must be fresh, the last known one,
 * or an explicit error; never 0, never below what was last observed; and no replica may go.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OutageLabIT {
  /**
   * Demand grows all the time that this test takes, so that no replica may go for other reasons.
   */
  private static final Duration DAY = Duration.ofHours(2);

  private static final Duration HISTORY = Duration.ofHours(6);

  /** Of a day whose burst, the end of which is a reason to scale down, comes in the afternoon. */
  private static final long SEED = 5;

  /** From the last value of the history to the first live one: a restart of Prometheus. */
  private static final Duration JOIN = Duration.ofMinutes(2);

  private static final double CAPACITY = 10;
  private static final Duration TIME_TO_LIVE = Duration.ofSeconds(75);

  /** Two steps: longer without a new value, and what is served is the last known one. */
  private static final Duration FRESH = DailyLoad.STEP.multipliedBy(2);

  /** Times of values have whole seconds, and an answer may take one. */
  private static final Duration ROUNDING = Duration.ofSeconds(5);

  private static final Duration TAKEOVER = Duration.ofSeconds(20);
  private static final InstantSource CLOCK = InstantSource.system();

  /** Serves what the API server asks for. */
  private static final String SERVING = "outage-serving";

  /** Is asked by nobody. */
  private static final String BESIDE = "outage-beside";

  private final List<AutoCloseable> toClose = new ArrayList<>();
  private @Nullable Surroundings surroundings;

  private Instant began = Instant.EPOCH;

  /** What all tests share; replicas come and go. */
  private static final class Surroundings {
    final Lab lab;
    final PrescaleInLab prescale;
    final KubernetesClient client;
    final MetricWatch watch;
    Replica serving;
    Replica beside;

    Surroundings(Lab lab, PrescaleInLab prescale, KubernetesClient client, MetricWatch watch)
        throws Exception {
      this.lab = lab;
      this.prescale = prescale;
      this.client = client;
      this.watch = watch;
      this.serving = prescale.start(SERVING);
      this.beside = prescale.startBeside(BESIDE);
    }
  }

  @BeforeAll
  void startAll(@TempDir Path folder) throws Exception {
    var now = CLOCK.instant();
    var load = new DailyLoad(SEED, now.minus(DAY.dividedBy(4)), DAY, 200);
    var exporter = closeLater(LoadExporter.start(load, CLOCK));
    var prometheus = LabPrometheus.in(folder);
    var lab =
        closeLater(
            Lab.start(
                "--nodes=4",
                "--hpa-sync-period=5s",
                "--pod-start-delay=5s",
                "--prometheus-config=" + prometheus.config()));
    var url = prometheus.fill(lab, exporter, load, now.minus(HISTORY), now);
    try (var scraped = new ScrapedDemand(url)) {
      patiently().until(() -> scraped.liveSince(now, CLOCK.instant()), values -> values > 1);
      assertThat(scraped.longestGap(now.minus(HISTORY), CLOCK.instant())).isLessThan(JOIN);
    }
    var prescale = PrescaleInLab.install(lab, folder);
    lab.apply(LabObjects.deployment("chat", Duration.ofSeconds(5)));
    lab.apply(
        LabObjects.predictiveHpa(
            "chat",
            CAPACITY,
            HISTORY,
            "  leadTime: 30s\n  fallback: {ttl: %ds}".formatted(TIME_TO_LIVE.toSeconds())));
    var client = closeLater(LabObjects.client(lab));
    var sampler = closeLater(MetricSampler.of(lab, LabObjects.METRIC, "chat"));
    var watch = closeLater(MetricWatch.start(sampler, client, "chat", CLOCK));
    var all = new Surroundings(lab, prescale, client, watch);
    surroundings = all;
    AutoCloseable serving = () -> all.serving.close();
    AutoCloseable beside = () -> all.beside.close();
    closeLater(serving);
    closeLater(beside);
  }

  @AfterAll
  void stopAll() throws Exception {
    for (var each : toClose.reversed()) {
      each.close();
    }
    toClose.clear();
  }

  @BeforeEach
  void everythingIsWell() {
    patiently().until(() -> newest(Instant.EPOCH), it -> it.age().compareTo(FRESH) <= 0);
    patiently().until(this::replicas, replicas -> replicas > 1);
    began = CLOCK.instant();
  }

  @AfterEach
  void prometheusIsBack() throws Exception {
    var prometheus = Objects.requireNonNull(all().lab.components().get("prometheus"));
    if (prometheus.pid() == 0) { // its test failed half-way
      all().lab.command("prometheus", Verb.START);
    }
  }

  @AfterEach
  void theValueWasTrueAndNoReplicaWent() throws Exception {
    var seen = all().watch.since(began);
    assertThat(seen).isNotEmpty();
    assertThat(seen).allSatisfy(this::isFreshLastKnownOrAnError);
    var sizes = AuditedScale.of(all().lab, "chat");
    assertThat(sizes).isNotEmpty();
    for (int i = 1; i < sizes.size(); i++) {
      assertThat(sizes.get(i).replicas())
          .as("%s after %s", sizes.get(i), sizes.get(i - 1))
          .isGreaterThanOrEqualTo(sizes.get(i - 1).replicas());
    }
  }

  private void isFreshLastKnownOrAnError(Seen seen) {
    switch (seen.answer()) {
      case Answer.Value value -> {
        double observed = all().watch.observedBy(value.timestamp().plusSeconds(1)).orElse(0);
        assertThat(value.value()).as("%s, observed %s", seen, observed).isPositive();
        assertThat(value.value()).as(seen.toString()).isGreaterThanOrEqualTo(observed);
        assertThat(seen.age()).as(seen.toString()).isLessThan(TIME_TO_LIVE.plus(ROUNDING));
      }
      case Answer.Refused refused -> {
        assertThat(refused.code()).as(seen.toString()).isGreaterThanOrEqualTo(400);
        assertThat(refused.message()).as(seen.toString()).isNotBlank();
      }
      case Answer.Unreachable _ -> {
        // Only while the API server is away, which its test knows.
      }
      case Answer.Nonsense nonsense -> throw new AssertionError(seen + " is " + nonsense);
    }
  }

  @Test
  void whilePrometheusIsAwayForLessThanTheTtlTheLastKnownValueIsServed() throws Exception {
    all().lab.command("prometheus", Verb.STOP);
    patiently()
        .until(
            () -> newest(began), it -> isValue(it) && it.age().compareTo(FRESH.plus(ROUNDING)) > 0);
    all().lab.command("prometheus", Verb.START);
    var back = CLOCK.instant();
    patiently().until(() -> newest(back), it -> it.age().compareTo(FRESH) <= 0);

    assertThat(all().watch.since(began)).as("a value all the time").allMatch(OutageLabIT::isValue);
  }

  @Test
  void whenPrometheusIsAwayForLongerThanTheTtlTheMetricSaysAnError() throws Exception {
    all().lab.command("prometheus", Verb.STOP);
    patiently().until(() -> newest(began), OutageLabIT::isRefusal);
    var refused = CLOCK.instant();
    int size = replicas();
    patiently().until(this::hpaIsInactive, inactive -> inactive);
    assertThat(replicas()).isGreaterThanOrEqualTo(size);
    all().lab.command("prometheus", Verb.START);
    patiently().until(() -> newest(refused), it -> it.age().compareTo(FRESH) <= 0);

    var lastValue =
        all().watch.since(began).stream()
            .filter(it -> isValue(it) && it.at().isBefore(refused))
            .toList()
            .getLast();
    assertThat(lastValue.age())
        .as("the last known value was served to the end of its time")
        .isGreaterThan(TIME_TO_LIVE.minus(ROUNDING.multipliedBy(2)));
  }

  @Test
  void whenTheLeaderDiesTheOtherReplicaLeadsWithin20Seconds() throws Exception {
    patiently().until(this::leader, List.of(SERVING, BESIDE)::contains);
    boolean servingLeads = leader().equals(SERVING);
    var other = servingLeads ? BESIDE : SERVING;
    (servingLeads ? all().serving : all().beside).kill();
    var died = CLOCK.instant();
    patiently().until(this::leader, other::equals);
    var takeover = Duration.between(died, CLOCK.instant());
    restart(servingLeads);
    patiently().until(() -> newest(died), it -> isOfAfter(it, died));
    var newValue = Duration.between(died, CLOCK.instant());

    System.out.printf(
        "Leader killed: another led after %d ms, a new value was served after %d ms%n",
        takeover.toMillis(), newValue.toMillis());
    assertThat(takeover).isLessThanOrEqualTo(TAKEOVER);
    assertThat(servingLeads || all().watch.since(began).stream().allMatch(OutageLabIT::isValue))
        .as("the follower served all the time")
        .isTrue();
  }

  @Test
  void whenTheAdapterDiesThereIsAnErrorUntilItIsBack() throws Exception {
    all().serving.kill();
    patiently().until(() -> newest(began), OutageLabIT::isRefusal);
    restart(true);
    var back = CLOCK.instant();
    patiently().until(() -> newest(back), it -> it.age().compareTo(FRESH) <= 0);
  }

  @Test
  void whenTheApiServerDiesTheMetricIsBackSoonAfterIt() throws Exception {
    all().lab.command("kube-apiserver", Verb.KILL);
    patiently().until(() -> newest(began), it -> it.answer() instanceof Answer.Unreachable);
    all().lab.command("kube-apiserver", Verb.START);
    var back = CLOCK.instant();
    all().watch.requireFreshSoon("API server killed", back, Duration.ofSeconds(21));
    patiently().until(this::hpaIsInactive, inactive -> !inactive);
  }

  private void restart(boolean serving) throws IOException {
    var all = all();
    if (serving) {
      all.serving = all.prescale.start(SERVING);
    } else {
      all.beside = all.prescale.startBeside(BESIDE);
    }
  }

  /** The newest answer after a time; before there is one, that there is none. */
  private Seen newest(Instant after) {
    var seen = all().watch.since(after);
    return seen.isEmpty() ? Seen.none(after) : seen.getLast();
  }

  private static boolean isValue(Seen seen) {
    return seen.answer() instanceof Answer.Value;
  }

  /** Of somebody who was asked. */
  private static boolean isRefusal(Seen seen) {
    return seen.answer() instanceof Answer.Refused refused && refused.code() > 0;
  }

  private static boolean isOfAfter(Seen seen, Instant time) {
    return seen.answer() instanceof Answer.Value value && value.timestamp().isAfter(time);
  }

  private int replicas() {
    return all()
        .client
        .apps()
        .deployments()
        .inNamespace("default")
        .withName("chat")
        .require()
        .getSpec()
        .getReplicas();
  }

  /** Whether the HPA says that it cannot decide. */
  private boolean hpaIsInactive() {
    return all()
        .client
        .autoscaling()
        .v2()
        .horizontalPodAutoscalers()
        .inNamespace("default")
        .withName("prescale-chat")
        .require()
        .getStatus()
        .getConditions()
        .stream()
        .anyMatch(it -> it.getType().equals("ScalingActive") && it.getStatus().equals("False"));
  }

  private String leader() {
    var lease = all().client.leases().inNamespace("prescale").withName("prescale").get();
    return lease == null || lease.getSpec().getHolderIdentity() == null
        ? ""
        : lease.getSpec().getHolderIdentity();
  }

  private <T extends AutoCloseable> T closeLater(T resource) {
    toClose.add(resource);
    return resource;
  }

  private Surroundings all() {
    return Objects.requireNonNull(surroundings, "the laboratory was not started");
  }
}
