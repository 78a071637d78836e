package io.prescale.controller.lab;

import static io.prescale.controller.lab.Patience.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A Deployment that says two replicas, its PredictiveHPA in Active mode and, if it scales through
 * one, its HPA, all in a folder of a Git repository and in a namespace, both of its name.
 *
 * @param scaleThrough of the PredictiveHPA
 */
record WorkloadInGit(GaugedLab lab, String name, String scaleThrough) {
  /** Those that Git has, and that HPAs change. */
  private static final List<String> WATCHED =
      List.of("deployments", "horizontalpodautoscalers", "predictivehpas");

  private static final int DRIFTS = 5;
  private static final Duration BETWEEN_DRIFTS = Duration.ofSeconds(10);

  /** Creates its namespace and commits its manifests. */
  void commit(GitServer git) throws Exception {
    lab.kubectl("create", "namespace", name);
    git.commit(name + "/all.yaml", manifests());
  }

  private String manifests() {
    var deployment =
        """
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: %1$s, namespace: %1$s, labels: {tier: serving}}
        spec:
          replicas: 2
          selector: {matchLabels: {app: %1$s}}
          template:
            metadata: {labels: {app: %1$s}}
            spec: {containers: [{name: model, image: model}]}
        """
            .formatted(name);
    var predictiveHpa =
        GaugedLab.manifest(name, "Active", "load_" + name, "scaleThrough: " + scaleThrough);
    var own = scaleThrough.equals("ExistingHPA") ? "---\n" + ExistingHpaLabIT.inGit(name) : "";
    return deployment + "---\n" + predictiveHpa + own;
  }

  /**
   * Five times its tool corrects a label of the Deployment that is changed, and nothing else
   * happens: the replicas stay five, and only that label is written, by that tool.
   *
   * @param tool the beginning of its user agent
   */
  void restsWhile(String tool) throws Exception {
    var start = Instant.now().truncatedTo(ChronoUnit.SECONDS).plusSeconds(1);
    patiently().until(() -> Instant.now().isAfter(start));
    var before = lab.get(name, "deployment", name);
    var said = lab.condition(name, "ScalingActive").get("message").asText();
    for (int drift = 0; drift < DRIFTS; drift++) {
      lab.kubectl(
          "label", "deployment", name, "--namespace=" + name, "--overwrite", "tier=drifted");
      var next = Instant.now().plus(BETWEEN_DRIFTS);
      patiently().until(this::tier, "serving"::equals);
      while (Instant.now().isBefore(next)) {
        assertThat(lab.replicas(name)).isEqualTo(5);
        Thread.sleep(500);
      }
    }

    var writes = writes(start);
    System.out.printf("%s: %d drifts; writes: %s%n", name, DRIFTS, writes);
    assertThat(writes).containsOnlyKeys("kubectl deployments", tool + " deployments");
    assertThat(writes).containsEntry("kubectl deployments", (long) DRIFTS);
    assertThat(writes.get(tool + " deployments")).isGreaterThanOrEqualTo(DRIFTS);
    var after = lab.get(name, "deployment", name);
    // Not by its generation: a Deployment's annotations count for that, such as kubectl's.
    assertThat(after.at("/spec")).isEqualTo(before.at("/spec"));
    assertThat(lab.condition(name, "ScalingActive").get("message").asText())
        .as("of a contest that is less than an hour old, no further round")
        .isEqualTo(said);
  }

  private String tier() throws Exception {
    return lab.get(name, "deployment", name).at("/metadata/labels/tier").asText();
  }

  /** How often who has written which kind of object, without their status, since a moment. */
  Map<String, Long> writes(Instant since) throws Exception {
    var writers = new ArrayList<String>();
    for (var event : AuditLog.events(lab.lab(), "\"namespace\":\"" + name + "\"")) {
      var object = event.at("/objectRef");
      boolean written =
          List.of("create", "update", "patch", "delete").contains(event.at("/verb").asText())
              && event.at("/responseStatus/code").asInt() < 300
              && !event.at("/requestURI").asText().contains("dryRun=All")
              && !object.at("/subresource").asText().equals("status")
              && WATCHED.contains(object.at("/resource").asText())
              && Instant.parse(event.at("/requestReceivedTimestamp").asText()).isAfter(since);
      if (written) {
        var user = event.at("/user/username").asText();
        var writer =
            user.startsWith("system:serviceaccount:")
                ? user.substring(user.lastIndexOf(':') + 1)
                : event.at("/userAgent").asText().split("/", 2)[0];
        writers.add(writer + " " + object.at("/resource").asText());
      }
    }
    return writers.stream()
        .collect(Collectors.groupingBy(it -> it, TreeMap::new, Collectors.counting()));
  }

  /** That it is said that another tool sets the replicas, whose manifests say two. */
  void isContested() {
    patiently()
        .untilAsserted(
            () ->
                assertThat(lab.condition(name, "ScalingActive").toString())
                    .contains("ReplicasContested")
                    .contains("Another tool sets the replicas: ")
                    .contains("Deployment/" + name + " than it had asked for, at last 2"));
  }
}
