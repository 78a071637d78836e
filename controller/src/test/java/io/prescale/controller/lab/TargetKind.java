package io.prescale.controller.lab;

import java.io.IOException;
import java.util.Locale;

/** What is scaled besides Deployments, with a card for each pod of a replica. */
enum TargetKind {
  STATEFUL_SET("apps/v1", "StatefulSet", 1) {
    @Override
    String spec(String name, String template) {
      return """
      {replicas: 1, serviceName: %1$s, selector: {matchLabels: {app: %1$s}}, template: %2$s}
      """
          .formatted(name, template);
    }
  },
  REPLICA_SET("apps/v1", "ReplicaSet", 1) {
    @Override
    String spec(String name, String template) {
      return "{replicas: 1, selector: {matchLabels: {app: %s}}, template: %s}"
          .formatted(name, template);
    }
  },
  /** More pods than a node of {@link HamiVendor} has cards, and none of which is made. */
  LEADER_WORKER_SET("leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet", 5) {
    @Override
    String spec(String name, String template) {
      return "{replicas: 1, leaderWorkerTemplate: {size: %d, workerTemplate: %s}}"
          .formatted(size, template);
    }

    @Override
    void create(Lab lab, String name, String metadata, String limits)
        throws IOException, InterruptedException {
      super.create(lab, name, metadata, limits);
      lab.kubectl(
          "patch",
          "leaderworkerset",
          name,
          "--subresource=status",
          "--type=merge",
          "--patch={\"status\": {\"replicas\": 1, \"hpaPodSelector\": \"app=%s\"}}"
              .formatted(name));
    }
  };

  private static final String LEADER_WORKER_SETS =
      "lws-leaderworkerset.x-k8s.io_leaderworkersets.yaml";

  private final String version;
  private final String kind;

  /** How many pods a replica has. */
  final int size;

  TargetKind(String version, String kind, int size) {
    this.version = version;
    this.kind = kind;
    this.size = size;
  }

  abstract String spec(String name, String template);

  /** Installs the definition of the kind that Kubernetes does not have. */
  static void define(Lab lab) throws IOException, InterruptedException {
    var definition = Lab.platforms().resolve(LEADER_WORKER_SETS);
    lab.kubectl("apply", "--server-side", "-f", definition.toString());
    lab.awaitDefinitions();
  }

  /** What tests call one. */
  String example() {
    return name().toLowerCase(Locale.ROOT).replace("_", "-");
  }

  /**
   * Makes one, with one replica.
   *
   * @param metadata of its pods besides, in YAML's flow style with a comma before
   * @param limits of a pod, likewise without one
   */
  void create(Lab lab, String name, String metadata, String limits)
      throws IOException, InterruptedException {
    var template =
        "{metadata: {labels: {app: %s, gpu.prescale.io/queue: others}%s}, spec: {containers: [{name: main, image: model, resources: {limits: {%s}}}]}}"
            .formatted(name, metadata, limits);
    lab.apply(
        """
        apiVersion: %s
        kind: %s
        metadata: {name: %s, namespace: default}
        spec: %s
        """
            .formatted(version, kind, name, spec(name, template).strip()));
  }

  /** The manifest of a PredictiveHPA of a Deployment, with one of this kind as its target. */
  String scaledBy(String predictiveHpa) {
    return predictiveHpa.replace(
        "{apiVersion: apps/v1, kind: Deployment,",
        "{apiVersion: %s, kind: %s,".formatted(version, kind));
  }
}
