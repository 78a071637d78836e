package io.prescale.controller.scheduler.whatif;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.prescale.controller.scheduler.facts.GroupFacts;
import io.prescale.controller.scheduler.objects.ClusterObjects;
import io.prescale.placement.inventory.PodFacts.Group;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The pods of workloads of other projects, as their controllers would make them. */
class ManifestTest {
  private static final String JOB_SET = "jobset.x-k8s.io/v1alpha2|JobSet";
  private static final String POD =
      "{containers: [{name: m, resources: {limits: {nvidia.com/gpu: 1}}}]}";

  private static Manifest read(String kind, String more, String spec) {
    var parts = kind.split("\\|", -1);
    var object =
        new KubernetesSerialization()
            .unmarshal(
                """
                apiVersion: %s
                kind: %s
                metadata: {name: train, namespace: team%s}
                spec: %s
                """
                    .formatted(parts[0], parts[1], more, spec.replace("POD", POD)),
                GenericKubernetesResource.class);
    return Manifest.of(List.of(object), "default", new ClusterObjects(List.of()), Instant.EPOCH);
  }

  private static List<String> names(Manifest manifest) {
    return manifest.pods().stream().map(pod -> pod.getMetadata().getName()).toList();
  }

  private static List<Group> gangs(Manifest manifest) {
    return manifest.pods().stream().flatMap(pod -> GroupFacts.of(pod).stream()).distinct().toList();
  }

  private static List<String> labels(Manifest manifest, String name) {
    return manifest.pods().stream()
        .map(pod -> pod.getMetadata().getLabels().get("jobset.sigs.k8s.io/" + name))
        .toList();
  }

  @Test
  void eachJobOfAJobSetIsAMemberOfItsGang() {
    var manifest =
        read(
            JOB_SET,
            "",
            """
            {replicatedJobs: [
              {name: driver, template: {spec: {template: {spec: POD}}}},
              {name: workers, replicas: 3, template: {spec: {parallelism: 2, completions: 1,
                template: {metadata: {labels: {app: x}}, spec: POD}}}}]}
            """);

    assertThat(names(manifest))
        .containsExactly(
            "train-driver-0-0", "train-workers-0-0", "train-workers-1-0", "train-workers-2-0");
    assertThat(gangs(manifest)).containsExactly(new Group("train.0", 4));
    assertThat(labels(manifest, "replicatedjob-name"))
        .containsExactly("driver", "workers", "workers", "workers");
    assertThat(labels(manifest, "replicatedjob-replicas")).containsExactly("1", "3", "3", "3");
    assertThat(labels(manifest, "job-index")).containsExactly("0", "0", "1", "2");
    assertThat(labels(manifest, "job-global-index")).containsExactly("0", "1", "2", "3");
    var last = manifest.pods().getLast().getMetadata();
    assertThat(last.getNamespace()).isEqualTo("team");
    assertThat(last.getLabels()).hasSize(8).containsEntry("app", "x");
    assertThat(last.getAnnotations())
        .hasSize(7)
        .containsEntry("jobset.sigs.k8s.io/global-replicas", "4");
  }

  /** As in a cluster: the labels state the number of Jobs, and not that of pods. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"''|2", "'metadata: {annotations: {gpu.prescale.io/group-size: \"8\"}}, '|8"})
  void jobsOfSeveralPodsStateTheSizeOfTheGangThemselves(String metadata, int size) {
    var manifest =
        read(
            JOB_SET,
            "",
            """
            {suspend: true, replicatedJobs: [{name: w, replicas: 2, template: {spec: {
              parallelism: 4, template: {%sspec: POD}}}}]}
            """
                .formatted(metadata));

    assertThat(manifest.pods()).as("as if it went on").hasSize(8);
    assertThat(names(manifest)).startsWith("train-w-0-0").endsWith("train-w-1-3");
    assertThat(gangs(manifest)).containsExactly(new Group("train.0", size));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          , annotations: {alpha.jobset.sigs.k8s.io/exclusive-topology: zone} | {replicatedJobs: [{name: w, template: {spec: {template: {spec: POD}}}}]} | with exclusive-topology its pods are created one after another
          '' | {replicatedJobs: [{name: w, template: {metadata: {annotations: {alpha.jobset.sigs.k8s.io/exclusive-topology: zone}}, spec: {template: {spec: POD}}}}]} | with exclusive-topology its pods are created one after another
          '' | {replicatedJobs: [{name: w, template: {spec: {template: {spec: POD}}}}, {name: x, dependsOn: [{name: w, status: Ready}]}]} | its Jobs begin one after another
          '' | {startupPolicy: {startupPolicyOrder: InOrder}, replicatedJobs: []} | its Jobs begin one after another
          """)
  void aJobSetWhosePodsWaitForEachOtherIsPassedOverWithTheReason(
      String metadata, String spec, String why) {
    var manifest = read(JOB_SET, metadata, spec);

    assertThat(manifest.pods()).isEmpty();
    assertThat(manifest.passedOver()).containsExactly("JobSet/train (%s)".formatted(why));
  }

  @Test
  void trainingJobsOfKubeflowHavePodsByType() {
    var torch =
        read(
            "kubeflow.org/v1|PyTorchJob",
            "",
            """
            {runPolicy: {suspend: true}, pytorchReplicaSpecs: {
              Master: {template: {spec: POD}}, Worker: {replicas: 2, template: {metadata: {
                annotations: {gpu.prescale.io/group: t, gpu.prescale.io/group-size: "2"}},
                spec: POD}}}}
            """);
    var mpi =
        read(
            "kubeflow.org/v2beta1|MPIJob",
            "",
            """
            {slotsPerWorker: 1, mpiReplicaSpecs: {Launcher: {template: {spec: POD}},
              Worker: {replicas: 1, template: {spec: POD}}}}
            """);

    assertThat(names(torch)).containsExactly("train-master-0", "train-worker-0", "train-worker-1");
    assertThat(gangs(torch)).containsExactly(new Group("t", 2));
    assertThat(names(mpi)).containsExactly("train-launcher-0", "train-worker-0");
    assertThat(gangs(mpi)).isEmpty();
    assertThat(mpi.pods())
        .extracting(Pod::getSpec)
        .allMatch(
            spec ->
                spec.getContainers()
                    .getFirst()
                    .getResources()
                    .getLimits()
                    .containsKey("nvidia.com/gpu"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          trainer.kubeflow.org/v1alpha1 | TrainJob   | TrainJob/train (its pods are made from a runtime)
          ray.io/v1                     | RayJob     | RayJob/train (clusters of Ray are not read)
          kubeflow.org/v1               | Notebook   | Notebook/train
          example.com/v1                | Database   | Database/train
          """)
  void othersArePassedOver(String version, String kind, String line) {
    var manifest = read(version + "|" + kind, "", "{}");

    assertThat(manifest.pods()).isEmpty();
    assertThat(manifest.passedOver()).containsExactly(line);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {replicatedJobs: [{name: w, replicas: 20000, template: {spec: {parallelism: 0, template: {spec: POD}}}}]} | JobSet/train has more pods than the 10000 that are placed at once; lower its replicas
          {replicatedJobs: [{name: w, replicas: -1, template: {spec: {template: {spec: POD}}}}]} | JobSet/train asks for -1 pods; write a number from 0 on
          {replicatedJobs: [{name: w, template: [x]}]} | JobSet/train has no template of w that is a pod's template
          {replicatedJobs: [{template: {spec: {template: {spec: POD}}}}]} | JobSet/train lacks a name, a spec or a pod's template
          {replicatedJobs: [{name: w, template: {spec: {}}}]} | JobSet/train lacks a name, a spec or a pod's template
          """)
  void whatMakesNoSenseIsRefused(String spec, String sentence) {
    assertThatThrownBy(() -> read(JOB_SET, "", spec))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(sentence);
  }
}
