package io.prescale.placement.moves;

import io.prescale.placement.cluster.ClusterSnapshot;
import io.prescale.placement.cluster.Gpu;
import io.prescale.placement.cluster.GpuHealth.State;
import io.prescale.placement.cluster.GpuNode;
import io.prescale.placement.cluster.GpuRequest;
import io.prescale.placement.cluster.NodeSpec.Readiness;
import io.prescale.placement.cluster.Placement;
import io.prescale.placement.cluster.RequestShape;
import io.prescale.placement.cluster.Standing;
import io.prescale.placement.filter.Filter;
import io.prescale.placement.filter.LinkedCards;
import io.prescale.placement.filter.Verdict;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The cluster as moves see it: pods that leave have left, only pods that may move are preemptible,
 * and a card is sick only once it has been so for long enough.
 */
final class Ground {
  private final MoveView view;
  private final Filter filter = new Filter(new LinkedCards());
  private final Map<String, Placement> places = new HashMap<>();
  private final ClusterSnapshot cluster;

  Ground(MoveView view) {
    this.view = view;
    cluster = ClusterSnapshot.ofNodes(view.cluster().nodes().map(this::restated).toList());
  }

  ClusterSnapshot cluster() {
    return cluster;
  }

  /** Where a pod is that does not leave. */
  Optional<Placement> placeOf(String uid) {
    return Optional.ofNullable(places.get(uid));
  }

  private GpuNode restated(GpuNode node) {
    var spec = node.spec().withGpus(node.spec().gpus().stream().map(this::restated).toList());
    var restated = GpuNode.of(spec);
    for (var placement : node.placements()) {
      var resident = Optional.ofNullable(view.residents().get(placement.request().name()));
      if (!resident.map(Resident::isLeaving).orElse(false)) {
        var now = restated(placement, resident);
        places.put(now.request().name(), now);
        restated = restated.with(now);
      }
    }
    return restated;
  }

  private Gpu restated(Gpu card) {
    boolean isUnused =
        view.closed().contains(card.uuid())
            || (card.health().state() == State.UNHEALTHY && !view.sick().contains(card.uuid()));
    return isUnused ? card.withState(State.CORDONED) : card;
  }

  private Placement restated(Placement placement, Optional<Resident> resident) {
    var request = placement.request();
    var standing =
        new Standing(
            "",
            request.standing().priority(),
            resident.map(this::mayMove).orElse(false),
            resident.flatMap(Resident::gang));
    var shape =
        resident
            .map(Resident::shape)
            .filter(it -> it.gpus() == placement.shares().size())
            .orElse(request.shape());
    return new Placement(
        new GpuRequest(request.name(), shape, standing), placement.node(), placement.shares());
  }

  boolean mayMove(Resident resident) {
    return resident.mayMove() && !resident.isLeaving() && !view.refused().contains(resident.uid());
  }

  /** Whether a pod is on a card that has been sick for long enough. */
  boolean isOnSickCard(Placement place) {
    var node = cluster.find(place.node());
    return node.isPresent()
        && place.shares().stream()
            .anyMatch(share -> node.get().gpu(share.card()).health().state() == State.UNHEALTHY);
  }

  /** Whether a pod could be placed on some cards of a node, and on no others of it. */
  boolean fits(Resident pod, String node, Set<String> uuids) {
    boolean mayBeThere =
        Optional.ofNullable(view.nodes().get(pod.uid()))
            .map(open -> open.contains(node))
            .orElse(true);
    return mayBeThere
        && cluster
            .find(node)
            .filter(it -> it.spec().readiness() == Readiness.READY)
            .filter(it -> filter.judge(it, only(it, pod.shape(), uuids)) instanceof Verdict.Fits)
            .isPresent();
  }

  private static RequestShape only(GpuNode node, RequestShape shape, Set<String> uuids) {
    var others =
        node.spec().gpus().stream()
            .map(Gpu::uuid)
            .filter(uuid -> !uuids.contains(uuid))
            .collect(Collectors.toSet());
    return shape.withCards(shape.cards().without(others));
  }
}
