package io.prescale.controller.lab;

import static io.prescale.controller.lab.Patience.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.prescale.controller.Checkout;
import io.prescale.controller.api.v1alpha1.CapacityPlan;
import io.prescale.controller.api.v1alpha1.CapacityPlanStatus;
import io.prescale.controller.api.v1alpha1.PlanAsk;
import io.prescale.controller.demand.prometheus.RealPrometheus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * The plan on a real control plane: a service with a morning in its history, training on borrowed
 * cards, and eight cards in all.
 */
class PlanLabIT {
  private static final InstantSource CLOCK = InstantSource.system();
  private static final Duration HISTORY = Duration.ofDays(5);

  /** The declared lead time, and the window of five steps. */
  private static final Duration AHEAD = Duration.ofMinutes(2 + 5);

  private static final Duration UNTIL_PLANNED = Duration.ofMinutes(8);
  private static final Duration GRACE = Duration.ofMinutes(10);

  private static final LabPrometheus PROMETHEUS = prometheus();

  @RegisterExtension
  static final ExtenderOnCluster EXTENDER =
      new ExtenderOnCluster(
          2,
          "--prometheus-config=" + PROMETHEUS.config(),
          "--feature-gates=GenericWorkload=true,GangScheduling=true",
          "--runtime-config=scheduling.k8s.io/v1alpha2=true");

  @TempDir private static Path folder;

  /** Three to four hours ahead, and so it was on each day before. */
  private final Instant morning =
      CLOCK.instant().truncatedTo(ChronoUnit.HOURS).plus(Duration.ofHours(4));

  /** Two replicas' demand, and six replicas' for six hours of each day. */
  private record OfficeDays(Instant morning) implements Load {
    @Override
    public Duration step() {
      return Duration.ofMinutes(1);
    }

    @Override
    public double at(Instant time) {
      long since = Math.floorMod(Duration.between(morning, time).toSeconds(), 86_400L);
      double wobble = time.getEpochSecond() / 60 % 3 * 0.5;
      return wobble + (since < Duration.ofHours(6).toSeconds() ? 54 : 15);
    }
  }

  private static LabPrometheus prometheus() {
    try {
      return LabPrometheus.in(Files.createTempDirectory(Replica.logs(), "plan-"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @BeforeAll
  static void onlyEightCards() throws IOException, InterruptedException {
    lab().kubectl("apply", "--server-side", "-f", Checkout.root() + "/charts/prescale/crds");
    lab().awaitDefinitions();
    for (var vendor : HamiVendor.values()) {
      if (vendor != HamiVendor.HYGON) {
        lab().kubectl("delete", "node", vendor.node(0), vendor.node(1));
      }
    }
  }

  @Test
  void theMorningsNeedIsPlannedAndTrainingNamedThatCouldLeave() throws Exception {
    lab().apply(queue("serving", "{guarantee: 8}"));
    lab().apply(queue("training", "{reclaim: {mode: Act, grace: 10m}}"));
    lab().apply(training());
    lab().apply(service());
    patiently().untilAsserted(() -> assertThat(cluster().bound("hygon-training")).isEqualTo(5));
    patiently().untilAsserted(() -> assertThat(cluster().bound("chat")).isEqualTo(2));
    var load = new OfficeDays(morning);
    var prescale = PrescaleInLab.install(lab(), folder);
    lab()
        .apply(
            new Helm("helm4", lab(), folder)
                .template("--set=plan.enabled=true", "--show-only=templates/plan-rbac.yaml"));
    try (var exporter = LoadExporter.start(load, CLOCK);
        var client = LabObjects.client(lab())) {
      PROMETHEUS.fill(lab(), exporter, load, CLOCK.instant().minus(HISTORY), CLOCK.instant());
      lab().apply(predictiveHpa("chat") + "---\n" + predictiveHpa("nowhere"));
      int page = PrescaleInLab.freePort();
      try (var _ =
          prescale.start("PlanLabIT", "--plan", "--plan-every=10s", "--page-port=" + page)) {
        assertPlanned(awaitPlan(client));
        assertOnThePage(page);
        assertPrinted(prescale);
        assertWeeks(prescale, load);
        new OtherKindsInPlan(cluster(), folder).assertPlanned(client);
        assertCardsOfKoordinatorAreCounted();
      }
    }
  }

  private static CapacityPlanStatus awaitPlan(KubernetesClient client) {
    return patiently()
        .alias("a plan with a shortage")
        .atMost(UNTIL_PLANNED)
        .until(
            () ->
                Optional.ofNullable(
                        client.resources(CapacityPlan.class).withName(CapacityPlan.NAME).get())
                    .map(CapacityPlan::getStatus),
            plan -> plan.filter(it -> !it.statements().isEmpty()).isPresent())
        .orElseThrow();
  }

  private void assertPlanned(CapacityPlanStatus plan) {
    System.out.println("Plan: " + plan.summary());
    var statement = plan.statements().getFirst();
    assertThat(statement.workloads()).containsExactly("default/chat");
    assertThat(statement.from())
        .isBetween(morning.minus(Duration.ofMinutes(15)), morning.plus(Duration.ofMinutes(15)));
    assertThat(statement.needed()).isBetween(6, 7);
    assertThat(statement.fits()).as("two run, one card is free").isEqualTo(3);
    assertThat(statement.askedFit()).isEqualTo(statement.needed() - 3);
    assertThat(statement.percent()).isGreaterThan(50);
    assertThat(statement.asks())
        .hasSize(statement.needed() - 3)
        .allSatisfy(it -> assertThat(it.pod()).startsWith("default/hygon-training-"))
        .extracting(PlanAsk::notice)
        .as("the lead time, the window and the grace before the need")
        .containsOnly(statement.from().minus(AHEAD).minus(GRACE));
    assertThat(plan.workloads())
        .filteredOn(it -> it.name().equals("default/nowhere"))
        .singleElement()
        .satisfies(it -> assertThat(it.problem()).isNotBlank());
  }

  private static void assertOnThePage(int page) throws Exception {
    lab().kubectl("create", "serviceaccount", "reader");
    lab().kubectl("create", "clusterrole", "reader", "--verb=list", "--resource=predictivehpas");
    lab()
        .kubectl(
            "create",
            "clusterrolebinding",
            "reader",
            "--clusterrole=reader",
            "--serviceaccount=default:reader");
    var token = lab().kubectl("create", "token", "reader").strip();
    var request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d/api/v1/plan".formatted(page)))
            .header("Authorization", "Bearer " + token)
            .build();
    try (var http = HttpClient.newHttpClient()) {
      patiently()
          .untilAsserted(
              () ->
                  assertThat(http.send(request, BodyHandlers.ofString()).body())
                      .contains("\"workloads\":[\"default/chat\"]", "\"fits\":3,")
                      .contains("\"asks\":[{\"pod\":\"default/hygon-training-"));
    }
  }

  private static void assertPrinted(PrescaleInLab prescale) throws Exception {
    var plan = prescale.run("plan");
    System.out.println(plan);
    assertThat(plan)
        .contains("1 shortage")
        .contains("default/chat")
        .contains("3 fit; for ")
        .contains("ask default/hygon-training-")
        .contains("default/nowhere is not in the plan: ");
    var grown = prescale.run("plan", "--growth=30%");
    System.out.println(grown);
    assertThat(grown).containsPattern("default/chat: [89] x ").contains("3 fit");
    var without = prescale.run("plan", "--without=" + HamiVendor.HYGON.node(0));
    System.out.println(without);
    assertThat(without).containsPattern("; for [2-7]: 1 node 4 x DCU-Z100, ordered by ");
    assertThat(prescale.run("plan", "--json")).contains("\"statements\"");
  }

  /**
   * Four weeks in another Prometheus, as the laboratory's keeps 15 days; a controller is not asked.
   */
  private static void assertWeeks(PrescaleInLab prescale, Load load) throws Exception {
    var now = CLOCK.instant();
    var history = LoadExporter.history(load, now.minus(Duration.ofDays(28)), now);
    var data = Files.createDirectory(folder.resolve("weeks"));
    try (var kept = RealPrometheus.start(data, history)) {
      var weeks = prescale.run("plan", "--weeks=2", "--prometheus=" + kept.url());
      System.out.println(weeks);
      assertThat(weeks)
          .contains("default/nowhere is left out: its target is not there")
          .containsPattern("DCU-Z100: default/chat +8 +5 .* +6 +6 +6 +6 +0 %")
          .contains(
              "For a risk of 5 % in the next 2 weeks: 6 cards of DCU-Z100; 8 are there, of which"
                  + " others hold 5 and could give back 5.");
      var grown =
          prescale.run(
              "plan",
              "--weeks=1",
              "--growth=60%",
              "--without=" + HamiVendor.HYGON.node(1),
              "--prometheus=" + kept.url());
      System.out.println(grown);
      assertThat(grown).containsPattern(": 9 cards of DCU-Z100; 4 are there.*: [5-9] more are ");
    }
  }

  private static void assertCardsOfKoordinatorAreCounted() throws Exception {
    EXTENDER.startAgain("PlanLabIT-koordinator");
    patiently()
        .untilAsserted(
            () ->
                assertThat(cluster().extender().get("/metrics"))
                    .containsPattern("allocated_ratio\\{node=\"nvidia-0\",uuid=\"GPU-k0\",?\\} 0"));
  }

  private static String queue(String name, String spec) {
    return """
    apiVersion: placement.prescale.io/v1alpha1
    kind: GpuQueue
    metadata: {name: %s}
    spec: %s
    """
        .formatted(name, spec);
  }

  private static String training() {
    return HamiVendor.HYGON.pods(
        "training", 5, 32_768, ", labels: {gpu.prescale.io/queue: training}");
  }

  private static String service() {
    return """
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: chat, namespace: default}
    spec:
      replicas: 2
      selector: {matchLabels: {app: chat}}
      template:
        metadata: {labels: {app: chat, gpu.prescale.io/queue: serving}}
        spec:
          containers:
          - {name: main, image: model, resources: {limits: {%s: "1", %s: "32768"}}}
    """
        .formatted(HamiVendor.HYGON.count, HamiVendor.HYGON.memory);
  }

  /** Only observed, so that the replicas stay as they are. */
  private static String predictiveHpa(String name) {
    return LabObjects.predictiveHpa(name, 10, "step: 60s, history: 6h", "  leadTime: 2m")
        .replace("mode: Active", "mode: Shadow");
  }

  private static Lab lab() {
    return cluster().lab();
  }

  private static ExtenderCluster cluster() {
    return EXTENDER.cluster();
  }
}
