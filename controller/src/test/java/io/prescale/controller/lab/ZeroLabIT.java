package io.prescale.controller.lab;

import static io.prescale.controller.lab.Patience.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.prescale.controller.api.v1alpha1.ConditionReason;
import io.prescale.controller.api.v1alpha1.ConditionStatus;
import io.prescale.controller.api.v1alpha1.ConditionType;
import io.prescale.controller.api.v1alpha1.DecisionStatus;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.api.v1alpha1.StatusCondition;
import io.prescale.controller.lab.Lab.Verb;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A target without replicas on a real control plane, with and without HPAScaleToZero. */
class ZeroLabIT {
  private static final Duration HISTORY = Duration.ofHours(6);
  private static final Duration PATIENCE = Duration.ofMinutes(10);
  private static final InstantSource CLOCK = InstantSource.system();
  private static final String NAME = "batch";

  private final BatchJob load = new BatchJob();
  private final List<AutoCloseable> toClose = new ArrayList<>();

  @AfterEach
  void stopAll() throws Exception {
    for (var each : toClose.reversed()) {
      each.close();
    }
  }

  @Test
  void theHpaGoesToZeroAndIsWokenByTheForecastAndByDemand(@TempDir Path folder) throws Exception {
    var lab = start(folder, "--feature-gates=HPAScaleToZero=true");
    var client = closeLater(LabObjects.client(lab));
    create(lab);
    awaitUntil(client, it -> isTrue(it, ConditionType.ForecastTrusted));

    // To zero between two visits of the job, by the HPA.
    awaitUntil(client, it -> replicas(client) == 0 && "Idle".equals(activity(it)));
    var hpa = lab.kubectl("get", "hpa", "prescale-" + NAME, "-o", "json");
    System.out.println("The HPA at zero: " + hpa);
    assertThat(hpa).contains("ScaledToZero");
    assertThat(condition(resource(client)).status()).isEqualTo(ConditionStatus.True);

    // Awake before the next visit, by the forecast: no demand has been seen since.
    var woken = awaitUntil(client, it -> replicas(client) > 0 && "Forecast".equals(activity(it)));
    assertThat(LabObjects.number(decision(woken).observed())).isZero();
    assertThat(BatchJob.phase(decision(woken).at())).isGreaterThan(BatchJob.LENGTH_SECONDS);
    System.out.printf(
        "Woken by the forecast %d s before demand%n",
        BatchJob.EVERY_SECONDS - BatchJob.phase(decision(woken).at()));
    awaitUntil(client, it -> LabObjects.number(decision(it).observed()) > 0);
    assertThat(ready(client)).isPositive(); // no first request waited

    // Awake at the first observation of a visit that was not forecast.
    awaitUntil(
        client,
        it ->
            replicas(client) == 0
                && BatchJob.phase(CLOCK.instant()) < BatchJob.EVERY_SECONDS / 2
                && "Idle".equals(activity(it)));
    load.surprise(CLOCK.instant());
    var surprised = awaitUntil(client, it -> replicas(client) > 0);
    System.out.println("After the surprise: " + decision(surprised));
    awaitUntil(client, it -> "ObservedDemand".equals(activity(it)));
    assertThat(BatchJob.phase(CLOCK.instant())).isLessThan(BatchJob.EVERY_SECONDS - 20);

    // Prescale has written no replicas: the HPA's controller alone has.
    var writers =
        AuditLog.events(lab, NAME).stream()
            .filter(it -> it.at("/objectRef/subresource").asText().equals("scale"))
            .filter(it -> !it.at("/verb").asText().equals("get"))
            .map(it -> it.at("/user/username").asText())
            .distinct()
            .toList();
    assertThat(writers)
        .containsExactly("system:serviceaccount:kube-system:horizontal-pod-autoscaler");
  }

  @Test
  @Tag("long")
  void unknownDemandAndADeclaredEventWakeATargetBetweenTwoVisits(@TempDir Path folder)
      throws Exception {
    var lab = start(folder, "--feature-gates=HPAScaleToZero=true");
    var client = closeLater(LabObjects.client(lab));
    create(lab, "step: 5s, history: 6h, models: [Boosting], events: [%s]".formatted(events()));

    awaitUntil(client, it -> replicas(client) == 0 && "Idle".equals(activity(it)));
    lab.command("prometheus", Verb.STOP);
    awaitUntil(client, it -> replicas(client) > 0); // for it is unknown whether there is demand
    lab.command("prometheus", Verb.START);
    var woken =
        awaitUntil(client, it -> replicas(client) > 0 && "DeclaredEvent".equals(activity(it)));

    assertThat(LabObjects.number(decision(woken).observed())).isZero();
    assertThat(BatchJob.phase(decision(woken).at()))
        .as("a lead time and a window before the event")
        .isBetween(BatchJob.LENGTH_SECONDS, BatchJob.EVENT_SECONDS);
    System.out.println("Woken by a declared event: " + decision(woken));
  }

  /** One after each of the next eight visits. */
  private static String events() {
    var now = CLOCK.instant().truncatedTo(ChronoUnit.SECONDS);
    var first = now.minusSeconds(BatchJob.phase(now)).plusSeconds(BatchJob.EVENT_SECONDS);
    return IntStream.rangeClosed(1, 8)
        .mapToObj(visit -> first.plusSeconds(visit * BatchJob.EVERY_SECONDS))
        .map(
            start ->
                "{name: launch-%d, start: \"%s\", end: \"%s\"}"
                    .formatted(start.getEpochSecond(), start, start.plusSeconds(5)))
        .collect(Collectors.joining(", "));
  }

  @Test
  @Tag("long")
  void withoutTheGateTheConditionSaysWhatToDo(@TempDir Path folder) throws Exception {
    var lab = start(folder, "--feature-gates=HPAScaleToZero=false");
    var client = closeLater(LabObjects.client(lab));
    create(lab);

    var refused =
        awaitUntil(client, it -> condition(it).reason() == ConditionReason.ZeroNotAllowed);
    assertThat(condition(refused).status()).isEqualTo(ConditionStatus.False);
    assertThat(condition(refused).message())
        .contains("Turn on the feature gate HPAScaleToZero", "spec.minReplicas: 1", "KEDA");
    assertThat(replicas(client)).isOne();
    lab.kubectl("patch", "phpa", NAME, "--type=merge", "-p", "{\"spec\": {\"minReplicas\": 1}}");
    awaitUntil(client, it -> condition(it).reason() == ConditionReason.Scaling);
  }

  private Lab start(Path folder, String gates) throws Exception {
    var exporter = closeLater(LoadExporter.start(load, CLOCK));
    var prometheus = LabPrometheus.in(folder);
    var lab =
        closeLater(
            Lab.start(
                "--nodes=2",
                gates,
                "--hpa-sync-period=2s",
                "--pod-start-delay=5s",
                "--prometheus-config=" + prometheus.config()));
    var now = CLOCK.instant();
    prometheus.fill(lab, exporter, load, now.minus(HISTORY), now);
    closeLater(PrescaleInLab.install(lab, folder).start("zero"));
    return lab;
  }

  private static void create(Lab lab) throws Exception {
    create(lab, "step: 5s, history: 6h, models: [Boosting]");
  }

  private static void create(Lab lab, String forecast) throws Exception {
    lab.apply(LabObjects.deployment(NAME, Duration.ofSeconds(5)));
    lab.apply(
        LabObjects.predictiveHpa(
                NAME,
                10,
                forecast,
                "  leadTime: 20s\n  behavior: {scaleDown: {stabilizationWindowSeconds: 0}}")
            .replace("minReplicas: 1", "minReplicas: 0"));
  }

  private static PredictiveHPA resource(KubernetesClient client) {
    return LabObjects.predictiveHpa(client, NAME).orElseThrow();
  }

  private static PredictiveHPA awaitUntil(KubernetesClient client, Predicate<PredictiveHPA> holds) {
    return patiently()
        .atMost(PATIENCE)
        .until(
            () -> resource(client),
            it ->
                it.getStatus() != null && it.getStatus().lastDecision() != null && holds.test(it));
  }

  private static int replicas(KubernetesClient client) {
    return Objects.requireNonNull(deployment(client).at("/spec/replicas")).asInt(-1);
  }

  private static int ready(KubernetesClient client) {
    return deployment(client).at("/status/readyReplicas").asInt(0);
  }

  private static JsonNode deployment(KubernetesClient client) {
    var found = client.apps().deployments().inNamespace("default").withName(NAME).require();
    return client.getKubernetesSerialization().convertValue(found, JsonNode.class);
  }

  private static @Nullable String activity(PredictiveHPA resource) {
    return decision(resource).activity();
  }

  private static DecisionStatus decision(PredictiveHPA resource) {
    return Objects.requireNonNull(resource.getStatus().lastDecision());
  }

  private static boolean isTrue(PredictiveHPA resource, ConditionType type) {
    return resource.getStatus().conditions().stream()
        .anyMatch(it -> it.type() == type && it.status() == ConditionStatus.True);
  }

  private static StatusCondition condition(PredictiveHPA resource) {
    return resource.getStatus().conditions().stream()
        .filter(it -> it.type() == ConditionType.ScalingActive)
        .findFirst()
        .orElseThrow();
  }

  private <T extends AutoCloseable> T closeLater(T each) {
    toClose.add(each);
    return each;
  }
}
