package io.prescale.controller.scheduler.reclaim;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.prescale.controller.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which workloads Prescale suspends and resumes. */
class SuspendableKindTest {
  private static final String RAY = "{shutdownAfterJobFinishes: true%s}";

  private static boolean may(SuspendableKind kind, String metadata, String spec) {
    var whole = ApiWithoutRepetition.workload(kind.kind(), metadata, spec);
    boolean may = kind.mayBeSuspended(whole);
    assertThat(kind.mayBeSuspended(SuspendedInBrief.of(whole))).as("in brief").isEqualTo(may);
    return may;
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "RAY_JOB")
  void oneThatNoOtherControllerRunsMayBeSuspended(SuspendableKind kind) {
    assertThat(may(kind, "", "{}")).isTrue();
    assertThat(may(kind, ", labels: {kueue.x-k8s.io/queue-name: q}", "{}")).isFalse();
    assertThat(may(kind, ", ownerReferences: [{kind: AppWrapper, controller: true}]", "{}"))
        .isFalse();
    assertThat(may(kind, ", ownerReferences: [{kind: AppWrapper, controller: false}]", "{}"))
        .isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "JOB, kubernetes.io/job-controller, true",
    "JOB, kueue.x-k8s.io/multikueue, false",
    "JOB_SET, jobset.sigs.k8s.io/jobset-controller, true",
    "JOB_SET, kueue.x-k8s.io/multikueue, false",
    "TRAIN_JOB, trainer.kubeflow.org/trainjob-controller, true",
    "TRAIN_JOB, kueue.x-k8s.io/multikueue, false",
  })
  void oneThatNamesAnotherControllerMayNot(SuspendableKind kind, String manager, boolean may) {
    assertThat(may(kind, "", "{managedBy: %s}".formatted(manager))).isEqualTo(may);
  }

  @Test
  void kubeflowsKindsNameTheirControllerInTheRunPolicy() {
    var policy = "{runPolicy: {managedBy: %s}}";
    assertThat(may(SuspendableKind.MPI_JOB, "", policy.formatted("kubeflow.org/mpi-operator")))
        .isTrue();
    assertThat(may(SuspendableKind.TF_JOB, "", policy.formatted("kueue.x-k8s.io/multikueue")))
        .isFalse();
  }

  @Test
  void onlyACronJobMayOwnAJobThatIsSuspended() {
    var byCronJob = ", ownerReferences: [{kind: CronJob, controller: true}]";

    assertThat(may(SuspendableKind.JOB, byCronJob, "{}")).isTrue();
    assertThat(may(SuspendableKind.JOB_SET, byCronJob, "{}")).isFalse();
    assertThat(may(SuspendableKind.JOB, byCronJob.replace("CronJob", "JobSet"), "{}")).isFalse();
  }

  @Test
  void aRayJobIsSuspendedOnlyWithAClusterOfItsOwnThatEndsWithIt() {
    assertThat(may(SuspendableKind.RAY_JOB, "", RAY.formatted(""))).isTrue();
    assertThat(may(SuspendableKind.RAY_JOB, "", RAY.formatted(", clusterSelector: {}"))).isTrue();
    assertThat(may(SuspendableKind.RAY_JOB, "", RAY.formatted(", clusterSelector: {a: b}")))
        .isFalse();
    assertThat(may(SuspendableKind.RAY_JOB, "", "{}")).isFalse();
    assertThat(may(SuspendableKind.RAY_JOB, "", "{shutdownAfterJobFinishes: false}")).isFalse();
  }

  private static boolean isOver(SuspendableKind kind, String status) {
    return kind.isOver(
        ApiWithoutRepetition.workload(kind.kind(), "", "{}\nstatus: %s".formatted(status)));
  }

  /** The MPI operator keeps the workers of one that has ended, and looks no more at suspend. */
  @ParameterizedTest
  @CsvSource({
    "MPI_JOB, Succeeded",
    "PYTORCH_JOB, Failed",
    "JOB_SET, Completed",
    "TRAIN_JOB, Complete"
  })
  void oneThatHasEndedHeedsNoSuspension(SuspendableKind kind, String condition) {
    var conditions = "{conditions: [{type: Created, status: 'True'}, {type: %s, status: '%s'}]}";

    assertThat(isOver(kind, conditions.formatted(condition, "True"))).isTrue();
    assertThat(isOver(kind, conditions.formatted(condition, "False"))).isFalse();
    assertThat(isOver(kind, conditions.formatted("Running", "True"))).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "Initializing, false",
    "Running, false",
    "Suspending, false",
    "Waiting, true",
    "Complete, true",
    "Failed, true"
  })
  void aRayJobHeedsASuspensionWhileItStartsAndRuns(String state, boolean isOver) {
    var status = "{jobDeploymentStatus: %s}".formatted(state);

    assertThat(isOver(SuspendableKind.RAY_JOB, status)).isEqualTo(isOver);
    assertThat(isOver(SuspendableKind.MPI_JOB, status)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "null", "[]", "{conditions: 1}", "{conditions: [1, {}, null]}"})
  void aStatusThatMakesNoSenseIsNoEnd(String status) {
    assertThat(isOver(SuspendableKind.RAY_JOB, status)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"{}", "{suspend: 'true'}", "{suspend: [true]}", "{runPolicy: 1}", "[]", "null"})
  void whatMakesNoSenseIsNotSuspended(String spec) {
    for (var kind : SuspendableKind.values()) {
      var object = ApiWithoutRepetition.workload(kind.kind(), "", spec);
      assertThat(kind.isSuspended(object)).as(kind.kind()).isFalse();
    }
  }

  @Test
  void theFieldIsWhereTheKindHasIt() {
    var mpi = ApiWithoutRepetition.workload("MPIJob", "", "{runPolicy: {suspend: true}}");
    var job = ApiWithoutRepetition.workload("Job", "", "{suspend: true}");

    assertThat(SuspendableKind.MPI_JOB.isSuspended(mpi)).isTrue();
    assertThat(SuspendableKind.MPI_JOB.isSuspended(SuspendedInBrief.of(mpi))).isTrue();
    assertThat(SuspendableKind.JOB.isSuspended(job)).isTrue();
    assertThat(SuspendableKind.MPI_JOB.isSuspended(job)).isFalse();
    assertThat(SuspendableKind.MPI_JOB.resumption(mpi))
        .isEqualTo(Map.of("spec", Map.of("runPolicy", Map.of("suspend", false))));
  }

  @Test
  void theMpiOperatorsVersionComesBeforeTheTrainingOperators() {
    assertThat(SuspendableKind.MPI_JOB.contexts())
        .extracting(ResourceDefinitionContext::getVersion)
        .containsExactly("v2beta1", "v1");
  }

  @Test
  void theChartPermitsToPatchTheseKindsAndNoOthers() throws IOException {
    var roles = Checkout.root().resolve("charts/prescale/templates/scheduler-rbac.yaml");
    var rules =
        Pattern.compile(
                "apiGroups: \\[([^],]*)]\\n +resources: \\[([^]]*)]\\n"
                    + " +verbs: \\[get, list, watch, patch]")
            .matcher(Files.readString(roles));
    var permitted =
        rules
            .results()
            .collect(
                Collectors.toMap(it -> it.group(1), it -> List.of(it.group(2).split(", ", -1))));

    permitted.remove("\"\""); // nodes
    assertThat(permitted)
        .isEqualTo(
            Arrays.stream(SuspendableKind.values())
                .map(kind -> kind.contexts().getFirst())
                .collect(
                    Collectors.groupingBy(
                        ResourceDefinitionContext::getGroup,
                        Collectors.mapping(
                            ResourceDefinitionContext::getPlural, Collectors.toList()))));
  }
}
