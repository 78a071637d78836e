package io.prescale.controller.lab;

import static io.prescale.controller.lab.Patience.patiently;
import static io.prescale.controller.lab.QueuesOnEightCards.JSON;
import static io.prescale.controller.lab.QueuesOnEightCards.UNTIL_TRIED_AGAIN;
import static io.prescale.controller.lab.QueuesOnEightCards.queue;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Cards that Jobs of the queue training have borrowed, and what becomes of them. */
record LentCards(QueuesOnEightCards queues) {
  private static final String AT = "gpu.prescale.io/reclaim-at";

  static String lender(String grace) {
    return queue("training", "{reclaim: {mode: Act, grace: %s}}".formatted(grace));
  }

  /** Jobs whose pods ask for a whole card each. */
  static String jobs(int number, int pods) {
    var card =
        "%s: \"1\", %s: \"32768\"".formatted(HamiVendor.HYGON.count, HamiVendor.HYGON.memory);
    return IntStream.range(0, number)
        .mapToObj(job -> job("train-" + job, pods, card, "", ""))
        .collect(Collectors.joining());
  }

  /**
   * A Job whose pods run until they are taken.
   *
   * @param limits of each pod, in YAML's flow style
   * @param annotations of each pod besides, with a comma before
   * @param affinity of each pod, in YAML's flow style
   */
  static String job(String name, int pods, String limits, String annotations, String affinity) {
    return """
    ---
    apiVersion: batch/v1
    kind: Job
    metadata: {name: %1$s, namespace: default}
    spec:
      parallelism: %2$d
      completions: %2$d
      template:
        metadata:
          labels: {gpu.prescale.io/queue: training}
          annotations: {lab/keeps-running: "true"%4$s}
        spec:
          restartPolicy: Never
          terminationGracePeriodSeconds: 1
          affinity: {%5$s}
          containers:
          - {name: main, image: model, resources: {limits: {%3$s}}}
    """
        .formatted(name, pods, limits, annotations, affinity);
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
