package io.prescale.controller.scheduler.moves;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.prescale.controller.MockApi;
import io.prescale.controller.scheduler.evictions.PodWriter;
import io.prescale.placement.cluster.GpuDemand;
import io.prescale.placement.cluster.GpuRequest;
import io.prescale.placement.cluster.GpuShare;
import io.prescale.placement.cluster.Placement;
import io.prescale.placement.cluster.RequestShape;
import io.prescale.placement.cluster.Standing;
import io.prescale.placement.consolidation.Move;
import io.prescale.placement.moves.MoveStep;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** What is said of pod p, which would move from node a. */
@MockApi(crud = true)
@NullUnmarked // the extension sets the client and the server
class MoveReportsTest {
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
  static final MovablePod POD =
      MovablePod.of(
          Serialization.unmarshal(
              """
              metadata: {uid: u, namespace: team, name: p, labels: {app: llm}}
              spec: {containers: []}
              """,
              Pod.class));

  private KubernetesMockServer server;
  private KubernetesClient client;

  private static MoveStep.Advise to(String node) {
    var request =
        new GpuRequest(
            "u", RequestShape.of(1, new GpuDemand.Share(1000, 40_960)), Standing.preemptible(0));
    var move =
        new Move(place(request, "a"), place(request, node), Move.Reason.DEFRAGMENTS, 1000, 10);
    return new MoveStep.Advise(List.of(move), Optional.empty());
  }

  private static Placement place(GpuRequest request, String node) {
    return new Placement(
        request, node, List.of(new GpuShare(0, "GPU-0", 1000, 40_960, Optional.empty())));
  }

  @Test
  void whyAPodStaysOnASickCardIsSaidOnceAndAgainWhenItIsAnotherReason() {
    var reports = new MoveReports(new PodWriter(client), _ -> Optional.of(POD));

    for (var why : List.of("its work may be lost", "its work may be lost", "it is critical")) {
      reports.staying(Map.of("u", why), NOW);
    }

    assertThat(server.getRequestCount()).isEqualTo(2);
    assertThat(client.v1().events().inNamespace("team").list().getItems())
        .extracting(Event::getReason, Event::getMessage)
        .containsExactlyInAnyOrder(
            tuple("MoveStays", "Stays on a sick card, since its work may be lost."),
            tuple("MoveStays", "Stays on a sick card, since it is critical."));
  }

  @Test
  void adviceIsSaidOnceAndAgainWhenItIsAnother() {
    var reports =
        new MoveReports(
            new PodWriter(client), uid -> Optional.of(POD).filter(it -> it.uid().equals(uid)));

    var now = NOW;
    for (var node : List.of("b", "b", "c", "b")) {
      reports.advise(List.of(to(node)), now);
      now = now.plusSeconds(60);
    }

    assertThat(server.getRequestCount()).isEqualTo(3);
    assertThat(client.v1().events().inNamespace("team").list().getItems())
        .extracting(Event::getLastTimestamp, Event::getMessage)
        .containsExactlyInAnyOrder(
            tuple(
                "2026-11-21T12:00:00Z",
                "Act would move it from node a to node b, since free cards are gathered."),
            tuple(
                "2026-11-21T12:02:00Z",
                "Act would move it from node a to node c, since free cards are gathered."),
            tuple(
                "2026-11-21T12:03:00Z",
                "Act would move it from node a to node b, since free cards are gathered."));
  }
}
