package io.prescale.placement.consolidation;

import io.prescale.placement.cluster.GpuDemand;
import io.prescale.placement.cluster.GpuNode;
import io.prescale.placement.cluster.GpuRequest;
import io.prescale.placement.cluster.Placement;
import io.prescale.placement.cluster.RequestShape;
import io.prescale.placement.filter.Filter;
import io.prescale.placement.filter.Verdict;
import io.prescale.placement.topology.CardSet;
import io.prescale.placement.vacancy.Placing;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/** The places to which a pod could move without any other move. Not thread-safe. */
record Destinations(Filter filter, Placing placing) {

  /** The place on the one of these nodes with the least free GPU, the first of equals. */
  Optional<Placement> tightest(Stream<GpuNode> nodes, GpuRequest request) {
    return inTightest(nodes, request).findFirst();
  }

  /** The places on all nodes that fit, in order of free GPU, the least first. */
  Stream<Placement> inTightest(Stream<GpuNode> nodes, GpuRequest request) {
    return nodes
        .map(node -> new Room(node, node.freeMilli()))
        .sorted(Comparator.comparingLong(Room::milli))
        .flatMap(room -> on(room.node(), request).stream());
  }

  private record Room(GpuNode node, long milli) {}

  /** The place on one node: the fullest cards that fit, or the best-linked if whole or linked. */
  Optional<Placement> on(GpuNode node, GpuRequest request) {
    return filter.judge(node, request.shape()) instanceof Verdict.Fits fits
        ? placing.place(node, request, fullest(node, fits.cards(), request.shape()))
        : Optional.empty();
  }

  private CardSet fullest(GpuNode node, CardSet cards, RequestShape shape) {
    if (shape.demand() instanceof GpuDemand.WholeGpu) {
      return cards;
    }
    if (shape.needsLinks()) {
      return placing.linkedCards().best(node, cards, shape).orElseThrow();
    }
    int[] chosen =
        cards
            .cards()
            .boxed()
            .sorted(Comparator.comparingInt(node::freeMilli))
            .limit(shape.gpus())
            .mapToInt(Integer::intValue)
            .toArray();
    return CardSet.of(chosen);
  }
}
