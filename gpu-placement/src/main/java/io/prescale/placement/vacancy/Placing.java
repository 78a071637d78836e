package io.prescale.placement.vacancy;

import io.prescale.placement.cluster.GpuDemand;
import io.prescale.placement.cluster.GpuNode;
import io.prescale.placement.cluster.GpuRequest;
import io.prescale.placement.cluster.Placement;
import io.prescale.placement.cluster.RequestShape;
import io.prescale.placement.filter.Filter;
import io.prescale.placement.filter.LinkedCards;
import io.prescale.placement.filter.Verdict;
import io.prescale.placement.topology.CardSet;
import java.util.Optional;

/**
 * Places a request on a node that was freed for it. Not thread-safe, because linked cards are not.
 *
 * @param linkedCards may be shared with the filter
 */
public record Placing(Filter filter, LinkedCards linkedCards) {

  /**
   * Places a request for whole cards on the best-linked idle ones, any other on the freed cards.
   *
   * @return empty when the request does not fit after all
   */
  public Optional<Placement> place(GpuNode node, GpuRequest request, CardSet freed) {
    RequestShape shape = request.shape();
    if (!(filter.judge(node, shape) instanceof Verdict.Fits fits)) {
      return Optional.empty();
    }
    CardSet cards = freed;
    if (shape.demand() instanceof GpuDemand.WholeGpu) {
      cards = linkedCards.best(node, fits.cards(), shape).orElse(freed);
    }
    return Placement.on(node, request, cards);
  }
}
