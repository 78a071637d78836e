package io.prescale.controller.lab;

import static io.prescale.controller.lab.Patience.patiently;
import static io.prescale.controller.lab.QueuesOnEightCards.UNTIL_TRIED_AGAIN;
import static io.prescale.controller.lab.QueuesOnEightCards.pods;
import static io.prescale.controller.lab.QueuesOnEightCards.queue;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Workloads of other projects, by their real definitions, are paused whole and go on. */
class ReclaimKindsLabIT {
  @RegisterExtension static final ExtenderOnCluster EXTENDER = new ExtenderOnCluster(2);
  private static final QueuesOnEightCards QUEUES = new QueuesOnEightCards(EXTENDER);
  private static final LentCards LENT = new LentCards(QUEUES);
  private static final PlayedControllers WORKLOADS = new PlayedControllers(QUEUES);

  @BeforeAll
  static void definitions() throws IOException, InterruptedException {
    for (var file :
        new String[] {"jobset-", "v2-", "training-operator-", "*_rayjobs", "*_rayclusters"}) {
      try (var found = Files.newDirectoryStream(Lab.platforms(), file + "*.yaml")) {
        for (var path : found) {
          lab().kubectl("apply", "--server-side", "-f", path.toString());
        }
      }
    }
    QUEUES.prepare();
  }

  /** The definition of one is removed in its pause, and the extender ends in the pause of all. */
  @Test
  void eachIsSuspendedAfterItsNoticeAndGoesOnWhenThereIsRoomAgain() throws Exception {
    lab().apply(queue("serving", "{guarantee: 8}") + LentCards.lender("5s"));
    QUEUES.awaitReason("training", "InForce");
    WORKLOADS.createAll();
    patiently().untilAsserted(() -> assertThat(bound()).isEqualTo(8));
    assertNothingElseIsPermitted();

    lab().apply(pods("serving", 8));
    patiently()
        .atMost(UNTIL_TRIED_AGAIN)
        .untilAsserted(
            () -> {
              WORKLOADS.reconcile();
              assertThat(cluster().bound("hygon-serving")).isEqualTo(8);
            });
    assertThat(WORKLOADS.marked())
        .containsExactly("JobSet alone", "PyTorchJob torch", "TrainJob train");
    assertThat(WORKLOADS.isSuspended(PlayedControllers.Kind.RAY_JOB, "ray")).isTrue();
    assertThat(WORKLOADS.isSuspended(PlayedControllers.Kind.JOB_SET, "train"))
        .as("a TrainJob's JobSet is left to its controller")
        .isFalse();
    cluster().assertNothingIsDoubleBooked();

    lab().kubectl("delete", "crd", "rayjobs.ray.io");
    EXTENDER.startAgain("ReclaimKindsLabIT-restarted");
    QUEUES.end("hygon-serving");

    patiently()
        .atMost(UNTIL_TRIED_AGAIN)
        .untilAsserted(
            () -> {
              WORKLOADS.reconcile();
              assertThat(WORKLOADS.marked()).isEmpty();
              assertThat(bound()).isEqualTo(6);
            });
    cluster().assertNothingIsDoubleBooked();
  }

  /** With the account of the chart's scheduler, under its policies. */
  private static void assertNothingElseIsPermitted() throws Exception {
    var another = "nothing of a workload but";
    var torch = "pytorchjob/torch";
    assertRefused(another, torch, "{\"spec\": {\"runPolicy\": {\"cleanPodPolicy\": \"All\"}}}");
    assertRefused(another, torch, "{\"spec\": {\"nprocPerNode\": \"2\"}}");
    lab()
        .apply(
            """
            apiVersion: batch/v1
            kind: Job
            metadata: {name: paused, namespace: default}
            spec:
              suspend: true
              template: {spec: {restartPolicy: Never, containers: [{name: main, image: model}]}}
            """);
    var paused = "job/paused";
    assertRefused(another, paused, "{\"spec\": {\"podReplacementPolicy\": \"Failed\"}}");
    assertRefused(another, paused, "{\"spec\": {\"parallelism\": 2}}");
    assertRefused("resumes no workload", paused, "{\"spec\": {\"suspend\": false}}");
    for (var workload : new String[] {torch, paused}) {
      assertRefused(another, workload, "{\"metadata\": {\"labels\": {\"team\": \"mine\"}}}");
      assertRefused(
          "marks no workload",
          workload,
          "{\"metadata\": {\"labels\": {\"gpu.prescale.io/suspended\": \"true\"}}}");
    }
  }

  private static void assertRefused(String message, String workload, String patch) {
    assertThatThrownBy(
            () ->
                lab()
                    .kubectl(
                        "patch",
                        workload,
                        "--as=system:serviceaccount:prescale:prescale-scheduler",
                        "--type=merge",
                        "--patch=" + patch))
        .hasMessageContaining(message);
  }

  /** Those of all four workloads, which all that is bound is, but for serving. */
  private static long bound() {
    return LENT.bound("") - LENT.bound("hygon-serving");
  }

  private static Lab lab() {
    return QUEUES.lab();
  }

  private static ExtenderCluster cluster() {
    return QUEUES.cluster();
  }
}
