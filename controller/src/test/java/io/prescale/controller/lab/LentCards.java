package io.prescale.controller.lab;

import static io.prescale.controller.lab.Patience.patiently;
import static io.prescale.controller.lab.QueuesOnEightCards.JSON;
import static io.prescale.controller.lab.QueuesOnEightCards.UNTIL_TRIED_AGAIN;
import static io.prescale.controller.lab.QueuesOnEightCards.queue;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.util.List;

/** Cards that Jobs of the queue training have borrowed, and what becomes of them. */
record LentCards(QueuesOnEightCards queues) {
  private static final String AT = "gpu.prescale.io/reclaim-at";

  static String lender(String grace) {
    return queue("training", "{reclaim: {mode: Act, grace: %s}}".formatted(grace));
  }

  /** Jobs whose pods ask for a whole card each. */
  static String jobs(int number, int pods) {
    var text = new StringBuilder();
    for (int job = 0; job < number; job++) {
      text.append(
          """
          ---
          apiVersion: batch/v1
          kind: Job
          metadata: {name: train-%1$d, namespace: default}
          spec:
            parallelism: %2$d
            completions: %2$d
            template:
              metadata:
                labels: {gpu.prescale.io/queue: training}
                annotations: {lab/keeps-running: "true"}
              spec:
                restartPolicy: Never
                terminationGracePeriodSeconds: 1
                containers:
                - {name: main, image: model, resources: {limits: {%3$s: "1", %4$s: "32768"}}}
          """
              .formatted(job, pods, HamiVendor.HYGON.count, HamiVendor.HYGON.memory));
    }
    return text.toString();
  }

  void awaitBound(String prefix, int pods) {
    patiently()
        .atMost(UNTIL_TRIED_AGAIN)
        .alias(prefix)
        .untilAsserted(() -> assertThat(bound(prefix)).isEqualTo(pods));
  }

  long bound(String prefix) {
    return queues.cluster().pods().stream()
        .filter(pod -> pod.getMetadata().getName().startsWith(prefix))
        .filter(pod -> pod.getSpec().getNodeName() != null)
        .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
        .count();
  }

  void awaitNotices(int pods) {
    patiently().alias("notices").untilAsserted(() -> assertThat(noticed()).hasSize(pods));
  }

  List<Pod> noticed() {
    return queues.cluster().pods().stream()
        .filter(pod -> !ExtenderCluster.annotation(pod, AT).isEmpty())
        .toList();
  }

  List<String> suspended() throws IOException, InterruptedException {
    var jobs =
        JSON.readTree(
            queues.lab().kubectl("get", "jobs", "-l", "gpu.prescale.io/suspended", "-o", "json"));
    return jobs.path("items").findValuesAsText("suspend").stream()
        .filter(Boolean::parseBoolean)
        .toList();
  }
}
