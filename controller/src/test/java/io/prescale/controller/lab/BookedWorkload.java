package io.prescale.controller.lab;

import java.io.IOException;

/** What {@code default/chat} is, of which a replica takes a card for each of its pods. */
enum BookedWorkload {
  /** Its pods are made by kube-controller-manager. */
  DEPLOYMENT {
    @Override
    int podsOfReplica() {
      return 1;
    }

    @Override
    String firstPods() {
      return "chat";
    }

    @Override
    void start(Lab lab) throws IOException, InterruptedException {
      lab.apply(
          """
          apiVersion: apps/v1
          kind: Deployment
          metadata: {name: chat, namespace: default}
          spec:
            replicas: 2
            selector: {matchLabels: {app: chat}}
            template:
              metadata: {labels: {app: chat}}
              spec: {%s}
          """
              .formatted(CONTAINERS));
    }

    @Override
    String scaledBy(String predictiveHpa) {
      return predictiveHpa;
    }

    @Override
    String replicas(String name, int number) {
      return HamiVendor.HYGON.pods(name, number, CARD_MIB, ", labels: {app: chat}");
    }
  },

  /** Groups of two pods, which are made by the test, as is what their controller reports. */
  GROUPS {
    @Override
    int podsOfReplica() {
      return 2;
    }

    @Override
    String firstPods() {
      return "hygon-chat";
    }

    @Override
    void start(Lab lab) throws IOException, InterruptedException {
      var definition =
          Lab.platforms().resolve("lws-leaderworkerset.x-k8s.io_leaderworkersets.yaml");
      lab.kubectl("apply", "--server-side", "-f", definition.toString());
      lab.awaitDefinitions();
      lab.apply(
          """
          apiVersion: leaderworkerset.x-k8s.io/v1
          kind: LeaderWorkerSet
          metadata: {name: chat, namespace: default}
          spec:
            replicas: 2
            leaderWorkerTemplate:
              size: 2
              workerTemplate: {spec: {%s}}
          """
              .formatted(CONTAINERS));
      lab.kubectl(
          "patch",
          "leaderworkerset",
          "chat",
          "--subresource=status",
          "--type=merge",
          "--patch={\"status\": {\"replicas\": 2, \"hpaPodSelector\": \"%s=chat\"}}"
              .formatted(NAME));
      lab.apply(replicas("chat", 2));
    }

    @Override
    String scaledBy(String predictiveHpa) {
      return predictiveHpa.replace(
          "{apiVersion: apps/v1, kind: Deployment,",
          "{apiVersion: leaderworkerset.x-k8s.io/v1, kind: LeaderWorkerSet,");
    }

    @Override
    String replicas(String name, int number) {
      var groups = new StringBuilder();
      for (int group = 0; group < number; group++) {
        var key = name + "-" + group;
        groups.append(
            HamiVendor.HYGON.pods(
                key,
                2,
                CARD_MIB,
                ", labels: {%s: chat, %s/group-key: %s}, annotations: {%s/size: \"2\"}"
                    .formatted(NAME, LWS, key, LWS)));
      }
      return groups.toString();
    }
  };

  private static final int CARD_MIB = 32_768;
  private static final String LWS = "leaderworkerset.sigs.k8s.io";
  private static final String NAME = LWS + "/name";
  private static final String CONTAINERS =
      "containers: [{name: main, image: model, resources: {limits: {%s: \"1\", %s: \"%d\"}}}]"
          .formatted(HamiVendor.HYGON.count, HamiVendor.HYGON.memory, CARD_MIB);

  abstract int podsOfReplica();

  /** With what the names of its first pods begin. */
  abstract String firstPods();

  /** Makes it, with two replicas. */
  abstract void start(Lab lab) throws IOException, InterruptedException;

  /** The manifest of a PredictiveHPA of a Deployment, with this as its target. */
  abstract String scaledBy(String predictiveHpa);

  /** The manifest of further replicas. */
  abstract String replicas(String name, int number);
}
