package io.prescale.controller.lab;

import static io.prescale.controller.lab.Patience.patiently;
import static io.prescale.controller.lab.QueuesOnEightCards.UNTIL_TRIED_AGAIN;
import static io.prescale.controller.lab.QueuesOnEightCards.pods;
import static io.prescale.controller.lab.QueuesOnEightCards.queue;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.prescale.controller.lab.PlayedControllers.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Workloads of other projects, by their definitions, are paused whole and go on. */
class ReclaimKindsLabIT {
  @RegisterExtension static final ExtenderOnCluster EXTENDER = new ExtenderOnCluster(2);
  private static final QueuesOnEightCards QUEUES = new QueuesOnEightCards(EXTENDER);
  private static final LentCards LENT = new LentCards(QUEUES);
  private static final PlayedControllers WORKLOADS = new PlayedControllers(QUEUES);
  private static final List<String> SUSPENDED =
      List.of(
          "jobs.batch", Kind.TRAIN_JOB.resource, Kind.JOB_SET.resource, Kind.PYTORCH_JOB.resource);
  private static final PlayedGroups GROUPS = new PlayedGroups(QUEUES);

  /** Those of Kubeflow's kinds but PyTorchJob, by the names of their workloads. */
  private static final Map<String, Kind> OF_KUBEFLOW =
      Map.of(
          "mpi", Kind.MPI_JOB,
          "tf", Kind.TF_JOB,
          "xgboost", Kind.XGBOOST_JOB,
          "paddle", Kind.PADDLE_JOB,
          "jax", Kind.JAX_JOB);

  @BeforeAll
  static void definitions() throws IOException, InterruptedException {
    MinimalDefinition.JAX_JOB.install(lab());
    for (var file :
        new String[] {
          "jobset-", "v2-", "training-operator-", "*_rayjobs", "*_rayclusters", "lws-"
        }) {
      try (var found = Files.newDirectoryStream(Lab.platforms(), file + "*.yaml")) {
        for (var path : found) {
          lab().kubectl("apply", "--server-side", "-f", path.toString());
        }
      }
    }
    QUEUES.prepare();
  }

  @AfterEach
  void removeAll() throws Exception {
    var kinds = new StringBuilder("jobsets,trainjobs,pytorchjobs,leaderworkersets,gpuqueues");
    OF_KUBEFLOW.values().forEach(kind -> kinds.append(',').append(kind.resource));
    lab().kubectl("delete", kinds.toString(), "--all");
    lab().kubectl("delete", "jobs,statefulsets", "--all", "--cascade=foreground");
  }

  /** Each of Kubeflow's has a card; of three groups, all but the one that is declared leave. */
  @Test
  void kubeflowsAreSuspendedAndALeaderWorkerSetIsScaledToItsMinimumAndBack() throws Exception {
    lab().apply(queue("serving", "{guarantee: 8}") + LentCards.lender("5s"));
    QUEUES.awaitReason("training", "InForce");
    for (var workload : OF_KUBEFLOW.entrySet()) {
      WORKLOADS.create(workload.getValue(), workload.getKey());
    }
    GROUPS.create(3, 1);
    patiently()
        .untilAsserted(
            () -> {
              reconcile();
              assertThat(bound()).isEqualTo(8);
            });
    reconcile(); // so that each pod that is bound has the label of its group

    lab().apply(pods("serving", 7));
    patiently()
        .atMost(UNTIL_TRIED_AGAIN)
        .untilAsserted(
            () -> {
              reconcile();
              assertThat(cluster().bound("hygon-serving")).isEqualTo(7);
            });
    assertThat(marked())
        .containsExactly(
            "JAXJob jax",
            "LeaderWorkerSet groups",
            "MPIJob mpi",
            "PaddleJob paddle",
            "TFJob tf",
            "XGBoostJob xgboost");
    for (var workload : OF_KUBEFLOW.entrySet()) {
      assertThat(WORKLOADS.isSuspended(workload.getValue(), workload.getKey()))
          .as(workload.getKey())
          .isTrue();
    }
    assertThat(GROUPS.replicas()).isEqualTo(1);
    assertThat(GROUPS.annotation("replicas-before")).isEqualTo("3");
    assertThat(LENT.bound("groups-0")).as("the group that stays").isEqualTo(1);
    cluster().assertNothingIsDoubleBooked();
    assertRefused(
        "gives no workload more replicas",
        "leaderworkerset/groups",
        "{\"spec\": {\"replicas\": 4}}");
    assertRefused(
        "nothing of a workload but",
        "jaxjob/jax",
        "{\"spec\": {\"runPolicy\": {\"cleanPodPolicy\": \"All\"}}}");

    QUEUES.end("hygon-serving");
    patiently()
        .atMost(UNTIL_TRIED_AGAIN)
        .untilAsserted(
            () -> {
              reconcile();
              assertThat(marked()).isEmpty();
              assertThat(bound()).isEqualTo(8);
            });
    assertThat(GROUPS.replicas()).isEqualTo(3);
    cluster().assertNothingIsDoubleBooked();
  }

  private static void reconcile() throws Exception {
    WORKLOADS.reconcile();
    GROUPS.reconcile();
  }

  private static List<String> marked() throws Exception {
    var resources = new ArrayList<>(List.of("leaderworkersets"));
    OF_KUBEFLOW.values().forEach(kind -> resources.add(kind.resource));
    return WORKLOADS.marked(resources);
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
    assertThat(WORKLOADS.marked(SUSPENDED))
        .containsExactly("JobSet alone", "PyTorchJob torch", "TrainJob train");
    assertThat(WORKLOADS.isSuspended(Kind.RAY_JOB, "ray")).isTrue();
    assertThat(WORKLOADS.isSuspended(Kind.JOB_SET, "train"))
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
              assertThat(WORKLOADS.marked(SUSPENDED)).isEmpty();
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

  /** Those of the workloads, which all that is bound is, but for serving. */
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
