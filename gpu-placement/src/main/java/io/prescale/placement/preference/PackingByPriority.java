package io.prescale.placement.preference;

import io.prescale.placement.cluster.GpuDemand;
import io.prescale.placement.cluster.GpuRequest;
import io.prescale.placement.cluster.PackingPolicy;
import io.prescale.placement.cluster.PackingPolicy.Direction;

/**
 * Chooses binpack or spread for requests that leave it open, as operators of shared clusters
 * recommend: members of a gang on few nodes but each on its own card, requests of high priority on
 * many nodes, small shares on few cards.
 *
 * @param highPriority the lowest priority that counts as high
 * @param smallMilli the largest share that counts as small, in thousandths of a card's compute
 */
public record PackingByPriority(int highPriority, int smallMilli) {
  public PackingByPriority {
    if (smallMilli < 0 || smallMilli > 1000) {
      throw new IllegalArgumentException(
          "the largest small share is 0 to 1000 thousandths of a card, not " + smallMilli);
    }
  }

  /** The request with a direction on each level; its own choices are kept. */
  public GpuRequest applyTo(GpuRequest request) {
    var asked = request.shape().packing();
    var nodes = asked.nodes() == Direction.DEFAULT ? nodesFor(request) : asked.nodes();
    var cards = asked.cards() == Direction.DEFAULT ? cardsFor(request) : asked.cards();
    return new GpuRequest(
        request.name(),
        request.shape().withPacking(new PackingPolicy(nodes, cards)),
        request.standing());
  }

  private Direction nodesFor(GpuRequest request) {
    if (request.standing().gang().isPresent()) {
      return Direction.BINPACK;
    }
    return request.standing().priority() >= highPriority ? Direction.SPREAD : Direction.DEFAULT;
  }

  private Direction cardsFor(GpuRequest request) {
    if (request.standing().gang().isPresent()) {
      return Direction.SPREAD;
    }
    return isSmall(request.shape().demand()) ? Direction.BINPACK : Direction.DEFAULT;
  }

  private boolean isSmall(GpuDemand demand) {
    return switch (demand) {
      case GpuDemand.Fraction fraction -> fraction.milli() <= smallMilli;
      case GpuDemand.Share share -> share.computeMilli() <= smallMilli;
      case GpuDemand.NoGpu _, GpuDemand.WholeGpu _, GpuDemand.MigInstance _ -> false;
    };
  }
}
