package io.prescale.controller.lab;

import static io.prescale.controller.lab.QueuesOnEightCards.JSON;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Workloads of other projects by their definitions, whose pods have a card each. Their controllers
 * do not run: what those would make, remove and make again, the test does.
 */
record PlayedControllers(QueuesOnEightCards queues) {
  private static final String TEMPLATE = "{spec: {containers: [{name: main, image: model}]}}";

  /** A kind of workload, with what stands between it and its pods. */
  enum Kind {
    TRAIN_JOB("trainer.kubeflow.org/v1alpha1", "TrainJob", ".spec", 2),
    JOB_SET("jobset.x-k8s.io/v1alpha2", "JobSet", ".spec", 2),
    RAY_JOB("ray.io/v1", "RayJob", ".spec", 2),
    PYTORCH_JOB("PyTorchJob", 2),
    MPI_JOB("MPIJob", 1),
    TF_JOB("TFJob", 1),
    XGBOOST_JOB("XGBoostJob", 1),
    PADDLE_JOB("PaddleJob", 1),
    JAX_JOB("JAXJob", 1);

    private final String version;
    private final String kind;
    final String resource;
    private final String suspended;
    private final int size;

    /**
     * A kind.
     *
     * @param version of its API, with its group
     * @param field that holds {@code suspend}
     * @param size how many pods one has
     */
    Kind(String version, String kind, String field, int size) {
      this.version = version;
      this.kind = kind;
      this.size = size;
      resource =
          "%ss.%s".formatted(kind.toLowerCase(Locale.ROOT), version.substring(0, slash(version)));
      suspended = "-o=jsonpath={%s.suspend}".formatted(field);
    }

    /** A kind of Kubeflow's training operator. */
    Kind(String kind, int size) {
      this("kubeflow.org/v1", kind, ".spec.runPolicy", size);
    }

    private static int slash(String version) {
      return version.indexOf('/');
    }

    /** How its pods' names begin, where kube-controller-manager does not make them. */
    private String pods() {
      return name().toLowerCase(Locale.ROOT).replace("_", "");
    }

    private boolean isMadeOfJobs() {
      return this == TRAIN_JOB || this == JOB_SET;
    }

    /** Of Kubeflow's kinds. */
    private String replicas() {
      var framework = this == XGBOOST_JOB ? "xgb" : pods().replace("job", "");
      return "{%sReplicaSpecs: {Worker: {replicas: %d, template: %s}}}"
          .formatted(framework, size, TEMPLATE);
    }
  }

  void createAll() throws IOException, InterruptedException {
    apply(Kind.TRAIN_JOB, "train", "", "{runtimeRef: {name: torch}}");
    jobSet("train", owner(Kind.TRAIN_JOB, "train"));
    jobSet("alone", "");
    apply(
        Kind.RAY_JOB,
        "ray",
        "",
        "{entrypoint: x, shutdownAfterJobFinishes: true, rayClusterSpec: %s}".formatted(cluster()));
    create(Kind.PYTORCH_JOB, "torch");
    reconcile();
  }

  /** One of Kubeflow's kinds. */
  void create(Kind kind, String name) throws IOException, InterruptedException {
    apply(kind, name, "", kind.replicas());
  }

  private void jobSet(String name, String owner) throws IOException, InterruptedException {
    apply(
        Kind.JOB_SET,
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
    return "name: job-%s, namespace: default%s".formatted(set, owner(Kind.JOB_SET, set));
  }

  private static String cluster() {
    return "{headGroupSpec: {rayStartParams: {}, template: %s}}".formatted(TEMPLATE);
  }

  private void apply(Kind kind, String name, String owner, String spec)
      throws IOException, InterruptedException {
    apply(kind.version, kind.kind, name, owner, spec);
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

  private String owner(Kind kind, String name) throws IOException, InterruptedException {
    return owner(kind.version, kind.kind, kind.resource, name);
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
      lab().apply(HamiVendor.HYGON.pods(kind.pods(), kind.size, 32_768, metadata));
    }
  }

  /** KubeRay makes another cluster each time. */
  private String ownerOfPods(Kind kind, String name) throws IOException, InterruptedException {
    if (kind != Kind.RAY_JOB) {
      return owner(kind, name);
    }
    apply("ray.io/v1", "RayCluster", name + "-x", owner(kind, name), cluster());
    return owner("ray.io/v1", "RayCluster", "rayclusters.ray.io", name + "-x");
  }

  boolean isSuspended(Kind kind, String name) throws IOException, InterruptedException {
    return Boolean.parseBoolean(lab().kubectl("get", kind.resource, name, kind.suspended));
  }

  /** The workloads of some resources that Prescale says to have suspended. */
  List<String> marked(List<String> resources) throws IOException, InterruptedException {
    var all =
        lab()
            .kubectl(
                "get", String.join(",", resources), "-l", "gpu.prescale.io/suspended", "-o=json");
    var names = new ArrayList<String>();
    JSON.readTree(all).path("items").forEach(object -> names.add(name(object)));
    return names.stream().sorted().toList();
  }

  private static String name(JsonNode object) {
    return object.path("kind").asText() + " " + object.at("/metadata/name").asText();
  }

  private Lab lab() {
    return queues.lab();
  }
}
