package io.prescale.controller.lab;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A service and training that share 64 cards, on sixteen nodes. */
final class MorningWorkloads {
  static final int NODES = 16;

  /** Cards that training has borrowed before the morning. */
  static final int BORROWED = 56;

  /** A whole card, by the extender. */
  static final String SHARED =
      "%s: \"1\", %s: \"32768\"".formatted(HamiVendor.HYGON.count, HamiVendor.HYGON.memory);

  private static final int JOBS = 28;

  private MorningWorkloads() {}

  static void onlyHygon(Lab lab) throws IOException, InterruptedException {
    var others = new ArrayList<>(List.of("delete", "node"));
    for (var vendor : HamiVendor.values()) {
      for (int node = 0; node < NODES && vendor != HamiVendor.HYGON; node++) {
        others.add(vendor.node(node));
      }
    }
    lab.kubectl(others.toArray(String[]::new));
  }

  /** The service's cards are guaranteed; training borrows them, and gives them back with notice. */
  static String queues(int guarantee, Duration grace) {
    return QueuesOnEightCards.queue("serving", "{guarantee: %d}".formatted(guarantee))
        + LentCards.lender(grace.toSeconds() + "s");
  }

  static String service(String limits, String more) {
    return """
    ---
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: chat, namespace: default}
    spec:
      replicas: %d
      selector: {matchLabels: {app: chat}}
      template:
        metadata:
          labels: {app: chat, gpu.prescale.io/queue: serving}
          annotations: {lab.prescale.io/pod-start-delay: %ds}
        spec:
          terminationGracePeriodSeconds: 1
          %s
          containers: [{name: main, image: model, resources: {limits: {%s}}}]
    """
        .formatted(PeakMorning.TROUGH, PeakMorning.COLD_START.toSeconds(), more, limits);
  }

  /** Jobs of two pods each, which do not end, and write their state before they go. */
  static String training(String limits, String more) {
    var text = new StringBuilder();
    for (int job = 0; job < JOBS; job++) {
      text.append(
          """
          ---
          apiVersion: batch/v1
          kind: Job
          metadata: {name: train-%d, namespace: default}
          spec:
            parallelism: 2
            completions: 2
            backoffLimit: 1000
            template:
              metadata:
                labels: {app: train, gpu.prescale.io/queue: training}
                annotations: {lab/keeps-running: "true"}
                finalizers: [%s]
              spec:
                restartPolicy: Never
                terminationGracePeriodSeconds: 30
                %s
                containers: [{name: main, image: model, resources: {limits: {%s}}}]
          """
              .formatted(job, MorningWatch.STATE, more, limits));
    }
    return text.toString();
  }
}
