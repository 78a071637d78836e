package io.prescale.controller.lab;

import static io.prescale.controller.lab.Patience.patiently;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.prescale.controller.api.v1alpha1.ConditionReason;
import io.prescale.controller.api.v1alpha1.ConditionStatus;
import io.prescale.controller.api.v1alpha1.ConditionType;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.api.v1alpha1.StatusCondition;
import io.prescale.controller.lab.MetricSampler.Answer;
import io.prescale.controller.operator.status.Conditions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What one tenant can do to a replica with the chart's heap, from which another tenant's value is
 * asked for every second. What sends too much runs in another process than the replica: here.
 */
class SmallHeapLabIT {
  private static final InstantSource CLOCK = InstantSource.system();

  /** As in the image: 60 % of the chart's 1 GiB. */
  private static final Map<String, String> HEAP =
      Map.of("JAVA_TOOL_OPTIONS", "-Xmx614m -XX:+ExitOnOutOfMemoryError");

  /** 49,680 steps, of at most 50,000. */
  private static final String LONG = "step: 60s, history: 828h";

  private static final int METRICS = 8;
  private static final int LONG_HISTORIES = 6;

  /**
   * Of 4.3 MiB each, so that 65 % of the heap are less than all: (160 KiB + 49,680 steps of 8
   * bytes) for each of 8 metrics.
   */
  private static final int LARGE = 95;

  @Test
  void oneTenantNeitherStopsAReplicaNorAnotherTenant(@TempDir Path folder) throws Exception {
    try (var prometheus = new GreedyPrometheus();
        var lab = Lab.start("--nodes=2", "--hpa-sync-period=2s");
        var client = LabObjects.client(lab)) {
      var prescale = PrescaleInLab.install(lab, folder);
      lab.apply(LabObjects.deployment("chat", Duration.ofSeconds(2)));
      lab.apply(
          LabObjects.predictiveHpa("chat", 10, "step: 10s, history: 6h", "  leadTime: 10s")
              .replace(LoadExporter.SERIES, GreedyPrometheus.THIRTY));
      lab.kubectl("create", "namespace", "greedy");
      lab.apply(withLongOwner("listed"));
      try (var replica = prescale.start("small-heap", HEAP, "--prometheus=" + prometheus.url());
          var sampler = MetricSampler.of(lab, LabObjects.METRIC, "chat");
          var watch = MetricWatch.start(sampler, client, "chat", CLOCK)) {
        patiently().until(() -> valueTime(sampler), Objects::nonNull);
        var began = CLOCK.instant();

        lab.apply(withLongOwner("watched"));
        lab.apply(objects("endless", 1, GreedyPrometheus.ENDLESS));
        lab.apply(objects("long", LONG_HISTORIES, GreedyPrometheus.THIRTY));
        patiently().until(() -> conditions(client, "endless-0"), it -> areMetricsRead(it, false));
        for (int i = 0; i < LONG_HISTORIES; i++) {
          var name = "long-" + i;
          patiently().until(() -> conditions(client, name), it -> areMetricsRead(it, true));
        }
        lab.apply(objects("large", LARGE, GreedyPrometheus.NOTHING));
        aDeletedOneMakesRoomForOneThatWaits(lab, client);

        assertThat(replica.process().isAlive()).isTrue();
        assertThat(Files.readString(replica.log())).doesNotContain("java.lang.OutOfMemoryError");
        var seen = patiently().until(() -> watch.since(began), it -> it.size() > 30);
        System.out.printf(
            "Small heap: %d answers in %s, the oldest value of %s%n",
            seen.size(),
            Duration.between(began, CLOCK.instant()),
            seen.stream().map(MetricWatch.Seen::age).max(Duration::compareTo));
        assertThat(seen)
            .allMatch(it -> it.answer() instanceof Answer.Value value && value.value() >= 30);
        var after = CLOCK.instant();
        patiently().until(() -> valueTime(sampler), it -> it.isAfter(after));
      }
    }
  }

  /** The oldest began first, and what waits is looked at every 15 s. */
  private static void aDeletedOneMakesRoomForOneThatWaits(Lab lab, KubernetesClient client)
      throws Exception {
    patiently().until(() -> ready(client), it -> it.size() == LARGE);
    var waiting = patiently().until(() -> waiting(client), it -> !it.isEmpty());
    var others = IntStream.range(0, LARGE).mapToObj(i -> "large-" + i).toList();
    var begun = others.stream().filter(it -> !waiting.contains(it)).findFirst().orElseThrow();
    var deleted = CLOCK.instant();
    lab.kubectl("delete", "phpa", begun, "--namespace=greedy", "--timeout=2m");

    patiently().until(() -> waiting(client), it -> !it.containsAll(waiting));
    System.out.printf(
        "Waiting for memory: %d of %d; one began %d ms after another was deleted%n",
        waiting.size(), LARGE, Duration.between(deleted, CLOCK.instant()).toMillis());
  }

  private static List<String> waiting(KubernetesClient client) {
    return ready(client).stream()
        .filter(it -> ready(it).orElseThrow().reason() == ConditionReason.WaitingForMemory)
        .map(it -> it.getMetadata().getName())
        .toList();
  }

  /** Those of which is known whether they are. */
  private static List<PredictiveHPA> ready(KubernetesClient client) {
    return client.resources(PredictiveHPA.class).inNamespace("greedy").list().getItems().stream()
        .filter(it -> it.getMetadata().getName().startsWith("large"))
        .filter(it -> ready(it).isPresent())
        .toList();
  }

  private static Optional<StatusCondition> ready(PredictiveHPA resource) {
    return Conditions.of(conditions(resource), ConditionType.Ready);
  }

  /** All of them, so that a test that waits in vain says why. */
  private static List<StatusCondition> conditions(KubernetesClient client, String name) {
    return conditions(
        client.resources(PredictiveHPA.class).inNamespace("greedy").withName(name).require());
  }

  private static List<StatusCondition> conditions(PredictiveHPA resource) {
    return resource.getStatus() == null ? List.of() : resource.getStatus().conditions();
  }

  private static boolean areMetricsRead(List<StatusCondition> conditions, boolean expected) {
    var status = expected ? ConditionStatus.True : ConditionStatus.False;
    return Conditions.of(conditions, ConditionType.MetricsAvailable)
        .filter(it -> it.status() == status)
        .isPresent();
  }

  private static Instant valueTime(MetricSampler sampler) throws InterruptedException {
    return ((Answer.Value) sampler.ask()).timestamp();
  }

  /** PredictiveHPAs of as many metrics and steps as there may be, and their targets. */
  private static String objects(String name, int count, String query) {
    return IntStream.range(0, count)
        .mapToObj(i -> name + "-" + i)
        .map(
            it ->
                inGreedy(LabObjects.deployment(it, Duration.ofSeconds(2)))
                    + """
                    ---
                    apiVersion: autoscaling.prescale.io/v1alpha1
                    kind: PredictiveHPA
                    metadata: {name: %1$s, namespace: greedy}
                    spec:
                      scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: %1$s}
                      maxReplicas: 40
                      metrics:
                    %2$s
                      forecast: {%3$s}
                    """
                        .formatted(it, metrics(query), LONG))
        .collect(joining("---\n"));
  }

  private static String metrics(String query) {
    return IntStream.range(0, METRICS)
        .mapToObj(
            i ->
                "  - {name: load_%1$d, prometheus: {query: '%2$s + 0 * %1$d'}, target: {averageValue: 10}}"
                    .formatted(i, query))
        .collect(joining("\n"));
  }

  /**
   * An HPA and a pod of which the API server makes a name of 100,000 characters in {@code
   * managedFields}. It takes none that Java's model of an HPA could read only in part: whatever is
   * stored was read by the types of which that model is made.
   */
  private static String withLongOwner(String name) {
    return """
    apiVersion: autoscaling/v2
    kind: HorizontalPodAutoscaler
    metadata: {name: %1$s, namespace: greedy, ownerReferences: [
        {apiVersion: example.com/v1, kind: Nothing, name: nothing, uid: %2$s}]}
    spec: {maxReplicas: 2, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: other}}
    ---
    apiVersion: v1
    kind: Pod
    metadata: {name: %1$s, namespace: greedy, ownerReferences: [
        {apiVersion: example.com/v1, kind: Nothing, name: nothing, uid: %2$s}]}
    spec: {containers: [{name: model, image: model}]}
    """
        .formatted(name, "u".repeat(100_000));
  }

  private static String inGreedy(String manifest) {
    return manifest.replace("namespace: default", "namespace: greedy");
  }
}
