package io.prescale.controller.lab;

import static io.prescale.controller.lab.Patience.patiently;
import static io.prescale.controller.lab.QueuesOnEightCards.JSON;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.prescale.controller.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Images ahead of the replicas, with the rights and policies of the chart. The nodes are fake and
 * pull nothing: what the kubelet would report of images and of the pod that pulls them is played by
 * the test.
 */
class WarmLabIT {
  private static final HamiVendor VENDOR = HamiVendor.HYGON;
  private static final String WARM = "prescale-warm";

  @RegisterExtension static final ExtenderOnCluster EXTENDER = new ExtenderOnCluster(2);
  private static final QueuesOnEightCards CARDS = new QueuesOnEightCards(EXTENDER);

  @TempDir private Path folder;

  @BeforeAll
  static void onlyEightCards() throws IOException, InterruptedException {
    var file = "charts/prescale/crds/gpubookings.placement.prescale.io.yaml";
    CARDS.lab().apply(Files.readString(Checkout.root().resolve(file)));
    CARDS.prepare();
  }

  @Test
  void imagesArePulledToABookedNodeThatLacksThemAndToNoOther() throws Exception {
    reports(VENDOR.node(0), "docker.io/library/model:1", "example.com/weights:1");
    reports(VENDOR.node(1), "docker.io/library/model:1");
    EXTENDER.startAgain("WarmLabIT", "--warm=On", "--warm-image=" + ExtenderInLab.PULLING_IMAGE);
    lab().apply(booking(Instant.now()));

    patiently().untilAsserted(() -> assertThat(warmPods()).hasSize(1));
    var pod = warmPods().getFirst();
    assertThat(pod.getSpec().getNodeName()).isEqualTo(VENDOR.node(1));
    assertThat(pod.getSpec().getVolumes())
        .extracting(it -> it.getImage().getReference())
        .containsExactly("model:1", "example.com/weights:1");
    assertThatItMayBeInARestrictedNamespace(pod);
    awaitReason("Pulling", 1);

    ends(pod);

    awaitReason("ImagesReady", 2);
    lab().apply(VENDOR.pods("llm", 2 * HamiVendor.CARDS, 32_768, ", labels: {app: llm}"));
    patiently()
        .untilAsserted(
            () -> {
              assertThat(status().at("/images/warmSeconds")).hasSize(HamiVendor.CARDS);
              assertThat(status().at("/images/coldSeconds")).isEmpty();
              assertThat(CARDS.cluster().extender().get("/metrics"))
                  .contains("prescale_booking_start_seconds_count{images=\"pulled_ahead\",} 4.0")
                  .contains("prescale_booking_start_seconds_count{images=\"present\",} 4.0")
                  .contains("prescale_warm_pods{state=\"pulled\",} 1.0");
            });
    assertThat(warmPods()).as("as long as the need lasts").hasSize(1);
    CARDS.cluster().assertNothingIsDoubleBooked();

    lab().kubectl("delete", "gpubooking", "llm");
    patiently().untilAsserted(() -> assertThat(warmPods()).isEmpty());
  }

  /** What a kubelet reports; KWOK reports no images. */
  private static void reports(String node, String... images) throws Exception {
    var names = JSON.writeValueAsString(List.of(images));
    lab()
        .kubectl(
            "patch",
            "node",
            node,
            "--subresource=status",
            "--type=merge",
            "--patch={\"status\": {\"images\": [{\"names\": %s}]}}".formatted(names));
  }

  /** What a kubelet reports when the images are there and the command has ended. */
  private static void ends(Pod pod) throws Exception {
    lab()
        .kubectl(
            "patch",
            "pod",
            pod.getMetadata().getName(),
            "--subresource=status",
            "--type=merge",
            "--patch={\"status\": {\"phase\": \"Succeeded\"}}");
  }

  private void assertThatItMayBeInARestrictedNamespace(Pod pod) throws Exception {
    var copy =
        new PodBuilder()
            .withNewMetadata()
            .withNamespace("prescale")
            .withName("copy")
            .endMetadata()
            .withSpec(pod.getSpec())
            .build();
    var file = Files.writeString(folder.resolve("pod.json"), Serialization.asJson(copy));
    lab().kubectl("create", "--dry-run=server", "--namespace=prescale", "-f", file.toString());
  }

  private static List<Pod> warmPods() {
    return CARDS.cluster().podsNamed(WARM);
  }

  private static void awaitReason(String reason, int ready) {
    patiently()
        .alias(reason)
        .untilAsserted(
            () -> {
              assertThat(status().at("/conditions/1/reason").asText()).isEqualTo(reason);
              assertThat(status().at("/images/nodes").asInt()).isEqualTo(2);
              assertThat(status().at("/images/ready").asInt()).isEqualTo(ready);
            });
  }

  private static JsonNode status() throws IOException, InterruptedException {
    return JSON.readTree(lab().kubectl("get", "gpubooking", "llm", "-o", "json")).path("status");
  }

  private static String booking(Instant from) {
    return """
    apiVersion: placement.prescale.io/v1alpha1
    kind: GpuBooking
    metadata: {name: llm, namespace: default}
    spec:
      selector: {app: llm}
      template:
        metadata: {labels: {app: llm}}
        spec:
          volumes: [{name: weights, image: {reference: "example.com/weights:1"}}]
          containers:
          - {name: main, image: "model:1", resources: {limits: {%s: "1", %s: "32768"}}}
      needs: [{from: "%s", until: "%s", replicas: %d, percent: 95}]
      shortagePrice: 20
    """
        .formatted(
            VENDOR.count,
            VENDOR.memory,
            from.truncatedTo(ChronoUnit.SECONDS),
            from.plus(Duration.ofHours(1)).truncatedTo(ChronoUnit.SECONDS),
            2 * HamiVendor.CARDS);
  }

  private static Lab lab() {
    return CARDS.lab();
  }
}
