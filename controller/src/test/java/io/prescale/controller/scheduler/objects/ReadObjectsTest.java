package io.prescale.controller.scheduler.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.APIResourceListBuilder;
import io.fabric8.kubernetes.api.model.NamespaceListBuilder;
import io.fabric8.kubernetes.api.model.NodeListBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodListBuilder;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClassListBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.prescale.controller.MockApi;
import io.prescale.placement.ledger.Booking;
import java.util.Set;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is read of an API server that serves GpuBookings. */
@MockApi
@NullUnmarked // the extension sets the fields
class ReadObjectsTest {
  private static final String OURS = "/apis/placement.prescale.io/v1alpha1";

  private KubernetesMockServer server;
  private KubernetesClient client;

  private void serve(String path, Object answer) {
    server.expect().get().withPath(path).andReturn(200, answer).always();
  }

  @BeforeEach
  void serveCluster() {
    serve("/api/v1/nodes?limit=500", new NodeListBuilder().build());
    serve("/api/v1/namespaces?limit=500", new NamespaceListBuilder().build());
    serve(
        "/apis/scheduling.k8s.io/v1/priorityclasses?limit=500",
        new PriorityClassListBuilder().build());
    serve(
        "/api/v1/pods?limit=50",
        new PodListBuilder()
            .addNewItem()
            .withNewMetadata()
            .withName("p")
            .withNamespace("team")
            .withUid("u")
            .endMetadata()
            .withNewSpec()
            .withPreemptionPolicy("Never")
            .endSpec()
            .withNewStatus()
            .withPhase("Pending")
            .withNominatedNodeName("a")
            .endStatus()
            .endItem()
            .build());
    serve(
        OURS,
        new APIResourceListBuilder()
            .addNewResource()
            .withName("gpubookings")
            .endResource()
            .build());
    serve(
        OURS + "/gpubookings?limit=50",
        """
        {"apiVersion": "placement.prescale.io/v1alpha1", "kind": "GpuBookingList", "metadata": {},
         "items": [{"apiVersion": "placement.prescale.io/v1alpha1", "kind": "GpuBooking",
           "metadata": {"name": "llm", "namespace": "team", "uid": "b"},
           "spec": {"selector": {"app": "llm"}, "shortagePrice": 20, "needs": [],
             "template": {"spec": {"containers": [
               {"name": "m", "resources": {"limits": {"nvidia.com/gpu": "1"}}}]}}}}]}
        """);
  }

  @Test
  void bookingsAreRead() {
    assertThat(ClusterObjects.readAll(client, Set.of()).bookings())
        .extracting(Booking::key)
        .containsExactly("team/llm");
  }

  @Test
  void plansDoNotReadThem() {
    assertThat(ClusterObjects.read(client).bookings()).isEmpty();
  }

  @Test
  void ofPodsItIsKeptForWhomOthersArePreempted() {
    var pod = ClusterObjects.readAll(client, Set.of()).of(Pod.class).findFirst().orElseThrow();

    assertThat(pod.getSpec().getPreemptionPolicy()).isEqualTo("Never");
    assertThat(pod.getStatus().getNominatedNodeName()).isEqualTo("a");
  }
}
