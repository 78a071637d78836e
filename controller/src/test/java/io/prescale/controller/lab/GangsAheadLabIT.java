package io.prescale.controller.lab;

import static io.prescale.controller.lab.Patience.patiently;
import static io.prescale.controller.lab.QueuesOnEightCards.JSON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * On a real control plane with four cards, groups of a LeaderWorkerSet are booked whole, and those
 * for which the scheduler's extender misses cards become ProvisioningRequests by the Cluster
 * Autoscaler's definition. The autoscaler is played by the test.
 */
class GangsAheadLabIT {
  private static final String REQUESTS = "provisioningrequests.autoscaling.x-k8s.io";
  private static final LabPrometheus PROMETHEUS = BookedMorning.prometheusIn("gangs-");

  @RegisterExtension
  static final ExtenderOnCluster EXTENDER =
      new ExtenderOnCluster(1, "--prometheus-config=" + PROMETHEUS.config());

  @TempDir private static Path folder;

  @Test
  void eachGangThatLacksCardsAsksForItsNodesUntilItsPodsAreThere() throws Exception {
    var definition = Lab.platforms().resolve("apis-autoscaling.x-k8s.io_provisioningrequests.yaml");
    lab().kubectl("apply", "--server-side", "-f", definition.toString());
    lab().awaitDefinitions();
    var morning = new BookedMorning(EXTENDER, PROMETHEUS, folder, BookedWorkload.GROUPS);
    morning.run(
        "GangsAheadLabIT",
        (client, prescale) -> {
          int replicas = morning.awaitBuffer(client);
          System.out.println(prescale.run("explain", "default/chat"));
          assertAskedFor(client, replicas);
          assertMadeAnewOnceItsTimeIsOver(replicas);
          theNodesCome(replicas);
          morning.awaitLearned(client);
          assertThat(requests()).as("the nodes are empty still").hasSize(replicas);
          assertMadeAnewOnceItsTimeIsOver(replicas);

          morning.replicasCome("first", 1);
          morning.awaitBuffer(client, replicas - 1);
          patiently().untilAsserted(() -> assertThat(requests()).hasSize(replicas - 1));
          morning.replicasCome("others", replicas - 1);
          morning.awaitNone(client, REQUESTS);
          assertThat(EXTENDER.cluster().bound("hygon-first")).isEqualTo(2);
          assertThat(EXTENDER.cluster().bound("hygon-others")).isEqualTo(2L * (replicas - 1));
          EXTENDER.cluster().assertNothingIsDoubleBooked();
        });
    assertThatOthersRequestsAreForbidden();
  }

  private static void assertAskedFor(KubernetesClient client, int replicas) throws Exception {
    assertThat(BookedMorning.status(client).orElseThrow().message())
        .contains("ProvisioningRequests ask for nodes for %d replicas.".formatted(replicas));
    assertThat(requests()).hasSize(replicas);
    var request = requests().getFirst();
    assertThat(request.at("/spec/podSets/0/count").asInt()).isEqualTo(2);
    assertThat(request.at("/spec/podSets")).hasSize(1);
    assertThat(request.at("/metadata/ownerReferences/0/kind").asText()).isEqualTo("GpuBooking");
    assertThat(lab().kubectl("get", "podtemplates", "-o", "yaml"))
        .contains("name: " + request.at("/spec/podSets/0/podTemplateRef/name").asText())
        .containsPattern("requests:\\s+hygon.com/dcumem: .32768.");
    assertThat(lab().kubectl("get", "gpubooking", "chat", "-o", "jsonpath={.spec.size}"))
        .isEqualTo("2");
  }

  /** The Cluster Autoscaler keeps nodes for ten minutes. */
  private static void assertMadeAnewOnceItsTimeIsOver(int replicas) throws Exception {
    var old = requests().getFirst();
    lab()
        .kubectl(
            "patch",
            REQUESTS,
            old.at("/metadata/name").asText(),
            "--subresource=status",
            "--type=merge",
            """
            --patch={"status": {"conditions": [{"type": "BookingExpired", "status": "True",
            "reason": "Expired", "message": "", "lastTransitionTime": "2026-11-24T08:00:00Z"}]}}
            """
                .strip());
    patiently()
        .untilAsserted(
            () ->
                assertThat(requests())
                    .hasSize(replicas)
                    .noneMatch(it -> it.at("/metadata/uid").equals(old.at("/metadata/uid"))));
  }

  private static void theNodesCome(int replicas) throws Exception {
    var nodes = new StringBuilder();
    int number = Math.ceilDiv(replicas * 2, HamiVendor.CARDS);
    for (int node = 1; node <= number; node++) {
      nodes.append(HamiVendor.HYGON.node(node, true));
    }
    var file = Files.writeString(folder.resolve("nodes.yaml"), nodes);
    lab().kubectl("create", "--validate=false", "-f", file.toString());
  }

  private static List<JsonNode> requests() throws Exception {
    var items = new ArrayList<JsonNode>();
    JSON.readTree(lab().kubectl("get", REQUESTS, "-o", "json")).get("items").forEach(items::add);
    return items;
  }

  private static void assertThatOthersRequestsAreForbidden() throws Exception {
    lab()
        .apply(
            """
            apiVersion: autoscaling.x-k8s.io/v1
            kind: ProvisioningRequest
            metadata: {name: others, namespace: default}
            spec:
              provisioningClassName: check-capacity.autoscaling.x-k8s.io
              podSets: [{count: 1, podTemplateRef: {name: others}}]
            """);
    var controller = "--as=system:serviceaccount:prescale:prescale";
    assertThatThrownBy(() -> lab().kubectl("delete", REQUESTS, "others", controller))
        .hasMessageContaining(
            "Prescale changes no CapacityBuffer, ProvisioningRequest or PodTemplate");
  }

  private static Lab lab() {
    return EXTENDER.cluster().lab();
  }
}
