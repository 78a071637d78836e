package io.prescale.controller.lab;

import static io.prescale.controller.lab.Patience.patiently;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * On a real control plane with four cards, what the scheduler's extender misses for a booking
 * becomes a CapacityBuffer by Karpenter's definition, and a node that comes is learned from. The
 * autoscaler is played by the test.
 */
class BufferLabIT {
  private static final LabPrometheus PROMETHEUS = BookedMorning.prometheusIn("buffer-");

  @RegisterExtension
  static final ExtenderOnCluster EXTENDER =
      new ExtenderOnCluster(1, "--prometheus-config=" + PROMETHEUS.config());

  @TempDir private static Path folder;

  @Test
  void nodesAreAskedForWhereABookingLacksCardsAndNoLonger() throws Exception {
    var definition = Lab.platforms().resolve("karpenter-autoscaling.x-k8s.io_capacitybuffers.yaml");
    lab().kubectl("apply", "--server-side", "-f", definition.toString());
    var morning = new BookedMorning(EXTENDER, PROMETHEUS, folder, BookedWorkload.DEPLOYMENT);
    morning.run(
        "BufferLabIT",
        (client, prescale) -> {
          int replicas = assertAskedFor(morning, client);
          System.out.println(prescale.run("explain", "default/chat"));
          assertWithdrawnWithTheForecast(morning, client);
          assertLearnedFromTheNodesThatCame(morning, client, replicas);
          assertGoneOnceThePodsAreThere(morning, client, replicas);
          assertThatAnothersIsLeftAlone(morning, client);
        });
    assertThatOthersBuffersAreForbidden();
  }

  /** Two run, two more fit, and for the others cards are missing. */
  private static int assertAskedFor(BookedMorning morning, KubernetesClient client)
      throws Exception {
    int replicas = morning.awaitBuffer(client);
    var buffer = morning.buffer();
    System.out.println("Buffer: " + buffer);
    assertThat(buffer.at("/spec/replicas").asInt()).isEqualTo(replicas);
    assertThat(lab().kubectl("get", "podtemplates", "-o", "yaml"))
        .as("requests, too")
        .contains("name: " + buffer.at("/spec/podTemplateRef/name").asText())
        .containsPattern("requests:\\s+hygon.com/dcumem: .32768.");
    assertThat(buffer.at("/metadata/ownerReferences/0/kind").asText()).isEqualTo("GpuBooking");
    assertThat(BookedMorning.status(client).orElseThrow().message())
        .contains("A CapacityBuffer asks for nodes for %d replicas.".formatted(replicas));
    return replicas;
  }

  /** Without its buffer an autoscaler would remove the nodes, which are empty still. */
  private static void assertLearnedFromTheNodesThatCame(
      BookedMorning morning, KubernetesClient client, int replicas) throws Exception {
    var nodes = HamiVendor.HYGON.node(1, true) + HamiVendor.HYGON.node(2, true);
    var file = Files.writeString(folder.resolve("nodes.yaml"), nodes);
    lab().kubectl("create", "--validate=false", "-f", file.toString());
    morning.awaitLearned(client);
    assertThat(BookedMorning.status(client).orElseThrow().buffer()).isEqualTo(replicas);
    assertThat(morning.buffer().at("/metadata/annotations").toString())
        .doesNotContain("asked-since");
  }

  private static void assertGoneOnceThePodsAreThere(
      BookedMorning morning, KubernetesClient client, int replicas) throws Exception {
    morning.replicasCome("first", 1);
    morning.awaitBuffer(client, replicas - 1);
    morning.replicasCome("others", replicas - 1);
    morning.awaitNoBuffer(client);
    assertThat(EXTENDER.cluster().bound("hygon")).isEqualTo(replicas);
  }

  private static void assertWithdrawnWithTheForecast(BookedMorning morning, KubernetesClient client)
      throws Exception {
    morning.mode("Shadow");
    morning.awaitNoBuffer(client);
    patiently()
        .untilAsserted(
            () -> assertThat(lab().kubectl("get", "podtemplates", "-o", "name")).isEmpty());
    morning.mode("Active");
    morning.awaitBuffer(client);
  }

  private static void assertThatAnothersIsLeftAlone(BookedMorning morning, KubernetesClient client)
      throws Exception {
    lab().apply(anothers());
    morning.replicasGo();
    lab().kubectl("delete", "node", HamiVendor.HYGON.node(1), HamiVendor.HYGON.node(2));
    patiently()
        .atMost(BookedMorning.UNTIL_TRUSTED)
        .untilAsserted(
            () ->
                assertThat(BookedMorning.status(client).orElseThrow().message())
                    .contains("A CapacityBuffer of this name exists"));
    lab().kubectl("delete", "predictivehpa", "chat");
    patiently()
        .untilAsserted(
            () -> assertThat(lab().kubectl("get", "gpubookings", "-o", "name")).isEmpty());
    assertThat(morning.buffer().at("/spec/replicas").asInt()).isEqualTo(7);
  }

  private static void assertThatOthersBuffersAreForbidden() {
    var controller = "--as=system:serviceaccount:prescale:prescale";
    assertThatThrownBy(() -> lab().kubectl("delete", BookedMorning.BUFFER, "chat", controller))
        .hasMessageContaining(
            "Prescale changes no CapacityBuffer, ProvisioningRequest or PodTemplate");
  }

  private static String anothers() {
    return """
    apiVersion: autoscaling.x-k8s.io/v1beta1
    kind: CapacityBuffer
    metadata: {name: chat, namespace: default}
    spec:
      replicas: 7
      scalableRef: {apiGroup: apps, kind: Deployment, name: chat}
    """;
  }

  private static Lab lab() {
    return EXTENDER.cluster().lab();
  }
}
