package io.prescale.controller.lab;

import static io.prescale.controller.lab.QueuesOnEightCards.JSON;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Workloads of other projects by their real definitions, two pods with a card each. Their
 * controllers do not run: what those would make, remove and make again, the test does.
 */
record PlayedControllers(QueuesOnEightCards queues) {
  private static final String TEMPLATE = "{spec: {containers: [{name: main, image: model}]}}";

  /** A kind of workload, with what stands between it and its pods. */
  enum Kind {
    TRAIN_JOB("trainjobs.trainer.kubeflow.org", ".spec"),
    JOB_SET("jobsets.jobset.x-k8s.io", ".spec"),
    RAY_JOB("rayjobs.ray.io", ".spec"),
    PYTORCH_JOB("pytorchjobs.kubeflow.org", ".spec.runPolicy");

    final String resource;
    private final String suspended;

    Kind(String resource, String field) {
      this.resource = resource;
      suspended = "-o=jsonpath={%s.suspend}".formatted(field);
    }

    /** How its pods' names begin, where kube-controller-manager does not make them. */
    private String pods() {
      return name().toLowerCase(Locale.ROOT).replace("_", "");
    }

    private boolean isMadeOfJobs() {
      return this == TRAIN_JOB || this == JOB_SET;
    }
  }

  void createAll() throws IOException, InterruptedException {
    apply("trainer.kubeflow.org/v1alpha1", "TrainJob", "train", "", "{runtimeRef: {name: torch}}");
    var byTrainJob = owner("trainer.kubeflow.org/v1alpha1", "TrainJob", Kind.TRAIN_JOB, "train");
    jobSet("train", byTrainJob);
    jobSet("alone", "");
    apply(
        "ray.io/v1",
        "RayJob",
        "ray",
        "",
        "{entrypoint: x, shutdownAfterJobFinishes: true, rayClusterSpec: %s}".formatted(cluster()));
    apply(
        "kubeflow.org/v1",
        "PyTorchJob",
        "torch",
        "",
        "{pytorchReplicaSpecs: {Worker: {replicas: 2, template: %s}}}".formatted(TEMPLATE));
    reconcile();
  }

  private void jobSet(String name, String owner) throws IOException, InterruptedException {
    apply(
        "jobset.x-k8s.io/v1alpha2",
        "JobSet",
        name,
        owner,
        "{replicatedJobs: [{name: node, template: {spec: {template: %s}}}]}".formatted(TEMPLATE));
    var job =
        LentCards.jobs(1, 2)
            .replace("name: train-0, namespace: default", jobMetadata(name))
            .replace(
                "{gpu.prescale.io/queue",
                "{jobset.sigs.k8s.io/jobset-name: x, gpu.prescale.io/queue");
    lab().apply(job);
  }

  private String jobMetadata(String set) throws IOException, InterruptedException {
    return "name: job-%s, namespace: default%s"
        .formatted(set, owner("jobset.x-k8s.io/v1alpha2", "JobSet", Kind.JOB_SET, set));
  }

  private static String cluster() {
    return "{headGroupSpec: {rayStartParams: {}, template: %s}}".formatted(TEMPLATE);
  }

  private void apply(String version, String kind, String name, String owner, String spec)
      throws IOException, InterruptedException {
    lab()
        .apply(
            """
            apiVersion: %s
            kind: %s
            metadata: {name: %s, namespace: default%s}
            spec: %s
            """
                .formatted(version, kind, name, owner, spec));
  }

  private String owner(String version, String kind, Kind resource, String name)
      throws IOException, InterruptedException {
    return owner(version, kind, resource.resource, name);
  }

  private String owner(String version, String kind, String resource, String name)
      throws IOException, InterruptedException {
    var uid = lab().kubectl("get", resource, name, "-o=jsonpath={.metadata.uid}");
    return ", ownerReferences: [{apiVersion: %s, kind: %s, name: %s, uid: %s, controller: true}]"
        .formatted(version, kind, name, uid);
  }

  /** Makes and removes pods as the workloads say; one that has no definition any more is gone. */
  void reconcile() throws IOException, InterruptedException {
    for (var kind : Kind.values()) {
      if (lab().kubectl("get", "crd", kind.resource, "--ignore-not-found").isBlank()) {
        continue;
      }
      var objects = lab().kubectl("get", kind.resource, "-o=json");
      for (var object : JSON.readTree(objects).path("items")) {
        if (object.at("/metadata/ownerReferences").isMissingNode()) {
          reconcile(kind, object.at("/metadata/name").asText());
        }
      }
    }
  }

  private void reconcile(Kind kind, String name) throws IOException, InterruptedException {
    boolean isSuspended = isSuspended(kind, name);
    if (kind.isMadeOfJobs()) {
      lab()
          .kubectl(
              "patch",
              "job",
              "job-" + name,
              "--type=merge",
              "--patch={\"spec\":{\"suspend\":%s}}".formatted(isSuspended));
    } else if (isSuspended) {
      queues.end("hygon-" + kind.pods());
    } else if (queues.cluster().podsNamed("hygon-" + kind.pods()).isEmpty()) {
      var metadata = ", labels: {gpu.prescale.io/queue: training}" + ownerOfPods(kind, name);
      lab().apply(HamiVendor.HYGON.pods(kind.pods(), 2, 32_768, metadata));
    }
  }

  /** KubeRay makes another cluster each time. */
  private String ownerOfPods(Kind kind, String name) throws IOException, InterruptedException {
    if (kind != Kind.RAY_JOB) {
      return owner("kubeflow.org/v1", "PyTorchJob", kind, name);
    }
    apply(
        "ray.io/v1",
        "RayCluster",
        name + "-x",
        owner("ray.io/v1", "RayJob", kind, name),
        cluster());
    return owner("ray.io/v1", "RayCluster", "rayclusters.ray.io", name + "-x");
  }

  boolean isSuspended(Kind kind, String name) throws IOException, InterruptedException {
    return Boolean.parseBoolean(lab().kubectl("get", kind.resource, name, kind.suspended));
  }

  /** The workloads that Prescale says to have suspended. */
  List<String> marked() throws IOException, InterruptedException {
    var all = lab().kubectl("get", resources(), "-l", "gpu.prescale.io/suspended", "-o=json");
    var names = new ArrayList<String>();
    JSON.readTree(all).path("items").forEach(object -> names.add(name(object)));
    return names.stream().sorted().toList();
  }

  private static String name(JsonNode object) {
    return object.path("kind").asText() + " " + object.at("/metadata/name").asText();
  }

  private static String resources() {
    return "jobs.batch,%s,%s,%s"
        .formatted(Kind.TRAIN_JOB.resource, Kind.JOB_SET.resource, Kind.PYTORCH_JOB.resource);
  }

  private Lab lab() {
    return queues.lab();
  }
}
