package io.prescale.controller.scheduler.evictions;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.prescale.controller.MockApi;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Job j of namespace team, and its pods. */
@MockApi(crud = true)
@NullUnmarked // the extension sets the client and the server
class JobFailuresTest {
  private static final int ANY = Integer.MAX_VALUE;

  private KubernetesMockServer server;
  private KubernetesClient client;

  private static GenericKubernetesResource job(String spec, String status) {
    return Serialization.unmarshal(
        """
        apiVersion: batch/v1
        kind: Job
        metadata: {name: j, namespace: team, uid: uid-j}
        spec: {%s}
        status: {%s}
        """
            .formatted(spec, status),
        GenericKubernetesResource.class);
  }

  /** Returns its UID. */
  private String pod(String name, String metadata, String phase) {
    return client
        .resource(
            Serialization.unmarshal(
                """
                apiVersion: v1
                kind: Pod
                metadata:
                  name: %1$s
                  namespace: team
                  labels: {batch.kubernetes.io/job-name: j}
                  %2$s
                status: {phase: %3$s}
                """
                    .formatted(name, metadata, phase),
                Pod.class))
        .create()
        .getMetadata()
        .getUid();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''                                       | ''                                          |"
            + " 6",
        "backoffLimit: 0                          | ''                                          |"
            + " 0",
        "backoffLimit: 10                         | failed: 3                                   |"
            + " 7",
        "backoffLimit: 2                          | failed: 3                                   |"
            + " 0",
        "backoffLimit: 10                         | uncountedTerminatedPods: {failed: [a, b]}    |"
            + " 8",
        "'backoffLimit: 9, backoffLimitPerIndex: 1' | ''                                        |"
            + " 0",
      })
  void eachFailureIsOneEvictionLess(String spec, String status, int left) {
    assertThat(JobFailures.left(job(spec, status))).isEqualTo(left);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{action: Ignore, onPodConditions: [{type: DisruptionTarget, status: 'True'}]}  | true",
        "{action: Ignore, onPodConditions: [{type: DisruptionTarget}]}                  | true",
        "{action: Ignore, onPodConditions: [{type: DisruptionTarget, status: 'False'}]} | false",
        "{action: Count, onPodConditions: [{type: DisruptionTarget}]}                   | false",
        "{action: Ignore, onPodConditions: [{type: ConfigIssue}]}                       | false",
        "{action: FailJob, onExitCodes: {operator: In, values: [42]}}                   | false",
      })
  void evictionsDoNotCountWhereThePolicySaysSo(String rule, boolean areIgnored) {
    var spec = "backoffLimit: 0, podFailurePolicy: {rules: [%s]}".formatted(rule);

    assertThat(JobFailures.left(job(spec, "failed: 1"))).isEqualTo(areIgnored ? ANY : 0);
  }

  /** Rules by exit code are such as an evicted pod may match; -1 stands for any number. */
  @ParameterizedTest
  @CsvSource({
    "FailJob DisruptionTarget, '', 0",
    "FailJob exit, '', 0",
    "FailJob DisruptionTarget, Ignore DisruptionTarget, 0",
    "Ignore DisruptionTarget, FailJob DisruptionTarget, -1",
    "FailJob exit, Ignore DisruptionTarget, 0",
    "Ignore DisruptionTarget, FailJob exit, -1",
    "FailJob 42, Ignore DisruptionTarget, -1",
    "FailJob 143, Ignore DisruptionTarget, 0",
    "FailJob unless-signalled, Ignore DisruptionTarget, -1",
    "FailIndex exit, Ignore DisruptionTarget, 0",
    "Ignore exit, FailJob DisruptionTarget, 0",
    "Ignore exit, Ignore DisruptionTarget, -1",
    "Count exit, Ignore DisruptionTarget, 3",
    "Count exit, FailJob DisruptionTarget, 0",
    "Count DisruptionTarget, Ignore DisruptionTarget, 3",
    "Count DisruptionTarget, FailJob exit, 3",
    "FailJob ConfigIssue, Ignore DisruptionTarget, -1",
    "FailJob ConfigIssue, '', 3",
  })
  void theFirstRuleThatMatchesDecides(String first, String second, int left) {
    var rules = Stream.of(first, second).filter(it -> !it.isEmpty()).map(JobFailuresTest::rule);
    var spec =
        "backoffLimit: 5, podFailurePolicy: {rules: [%s]}"
            .formatted(rules.collect(Collectors.joining(", ")));

    assertThat(JobFailures.left(job(spec, "failed: 2"))).isEqualTo(left < 0 ? ANY : left);
  }

  private static String rule(String actionAndCondition) {
    var words = actionAndCondition.split(" ", -1);
    var when =
        switch (words[1]) {
          case "exit" -> "onExitCodes: {operator: NotIn, values: [0]}";
          case "unless-signalled" -> "onExitCodes: {operator: NotIn, values: [137, 143]}";
          case "42" -> "onExitCodes: {operator: In, values: [42]}";
          case "143" -> "onExitCodes: {operator: In, values: [42, 143]}";
          default -> "onPodConditions: [{type: %s}]".formatted(words[1]);
        };
    return "{action: %s, %s}".formatted(words[0], when);
  }

  @Test
  void itsPodsAreNotListedWhereEvictionsDoNotCount() {
    var policy = "podFailurePolicy: {rules: [%s]}".formatted(rule("Ignore DisruptionTarget"));
    client.resource(job(policy, "failed: 9")).create();
    int before = server.getRequestCount();

    assertThat(JobFailures.objection(client, "team", "j", 8)).isEmpty();

    assertThat(server.getRequestCount() - before).isEqualTo(1);
  }

  /** Two of its pods end and are not counted yet, and one of them is about to be. */
  @Test
  void whatIsNotCountedYetCountsOnce() throws InterruptedException {
    var uncounted = "finalizers: [batch.kubernetes.io/job-tracking]";
    var a = pod("a", uncounted, "Failed");
    pod("b", uncounted, "Failed");
    pod("counted", "annotations: {}", "Failed");
    pod("running", uncounted, "Running");
    var status = "failed: 1, uncountedTerminatedPods: {failed: [%s]}".formatted(a);
    client.resource(job("backoffLimit: 6", status)).create();

    assertThat(JobFailures.objection(client, "team", "j", 3)).isEmpty();
    assertThat(JobFailures.objection(client, "team", "j", 4))
        .contains(
            "Its eviction might end Job j, which may have 3 more failures; a podFailurePolicy"
                + " whose first rule ignores DisruptionTarget would permit it.");
    assertThat(server.getLastRequest().getPath()).as("read after its pods").endsWith("/jobs/j");
    assertThat(JobFailures.objection(client, "team", "gone", 4)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"batch/v1, Job, true, j", "batch/v1, Job, false,", "others.io/v1, Job, true,"})
  void aPodIsOfTheJobThatControlsIt(String version, String kind, boolean controls, String job) {
    var pod =
        Serialization.unmarshal(
            "ownerReferences: [{apiVersion: %s, kind: %s, name: j, uid: u, controller: %b}]"
                .formatted(version, kind, controls),
            ObjectMeta.class);

    assertThat(JobFailures.jobOf(pod)).isEqualTo(Optional.ofNullable(job));
  }
}
