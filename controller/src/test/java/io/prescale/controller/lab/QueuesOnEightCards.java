package io.prescale.controller.lab;

import static io.prescale.controller.lab.Patience.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.prescale.controller.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;

/** GpuQueues on a real control plane, with eight cards of one vendor. */
record QueuesOnEightCards(ExtenderOnCluster extender) {
  /** As in {@link ExtenderLabIT}: a woken pod waits for the scheduler's back-off. */
  static final Duration UNTIL_TRIED_AGAIN = Duration.ofMinutes(2);

  static final ObjectMapper JSON = new ObjectMapper();

  /** Installs the definition. */
  void define() throws IOException, InterruptedException {
    define(lab());
  }

  /** The same in a laboratory of its own. */
  static void define(Lab lab) throws IOException, InterruptedException {
    var file = "charts/prescale/crds/gpuqueues.placement.prescale.io.yaml";
    lab.apply(Files.readString(Checkout.root().resolve(file)));
    lab.awaitDefinitions();
  }

  /** The same, and removes the nodes of the other vendors. */
  void prepare() throws IOException, InterruptedException {
    define();
    for (var vendor : HamiVendor.values()) {
      if (vendor != HamiVendor.HYGON) {
        lab().kubectl("delete", "node", vendor.node(0), vendor.node(1));
      }
    }
  }

  static String queue(String name, String spec) {
    return """
    ---
    apiVersion: placement.prescale.io/v1alpha1
    kind: GpuQueue
    metadata: {name: %s}
    spec: %s
    """
        .formatted(name, spec);
  }

  /** Pods that ask for a whole card each. */
  static String pods(String queue, int number) {
    return HamiVendor.HYGON.pods(
        queue, number, 32_768, ", labels: {gpu.prescale.io/queue: %s}".formatted(queue));
  }

  /** The Ready condition's reason is awaited. */
  void awaitReason(String queue, String reason) {
    patiently()
        .alias(queue)
        .untilAsserted(
            () -> assertThat(status(queue).at("/conditions/0/reason").asText()).isEqualTo(reason));
  }

  JsonNode status(String queue) throws IOException, InterruptedException {
    return JSON.readTree(lab().kubectl("get", "gpuqueue", queue, "-o", "json")).path("status");
  }

  /** Removes pods at once, as if they had ended. */
  void end(String prefix) throws IOException, InterruptedException {
    for (var pod : cluster().podsNamed(prefix)) {
      lab().kubectl("delete", "pod", pod.getMetadata().getName(), "--grace-period=0", "--force");
    }
  }

  Lab lab() {
    return cluster().lab();
  }

  ExtenderCluster cluster() {
    return extender.cluster();
  }
}
