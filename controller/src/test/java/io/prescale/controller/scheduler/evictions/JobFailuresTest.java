package io.prescale.controller.scheduler.evictions;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Optional;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Job j of namespace team, and its pods. */
@EnableKubernetesMockClient(crud = true)
@NullUnmarked // the extension sets the client
class JobFailuresTest {
  private static final int ANY = Integer.MAX_VALUE;

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

  /** Two of its pods end and are not counted yet, and one of them is about to be. */
  @Test
  void whatIsNotCountedYetCountsOnce() {
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
            "Its eviction might end Job j, which may have 3 more failures; a podFailurePolicy that"
                + " ignores DisruptionTarget would permit it.");
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
