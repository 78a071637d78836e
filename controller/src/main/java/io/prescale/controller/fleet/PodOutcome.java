package io.prescale.controller.fleet;

import io.prescale.placement.cluster.GpuRequest;
import io.prescale.placement.cluster.Placement;
import io.prescale.placement.decision.Choice;
import io.prescale.placement.decision.PlacementResult.NodeRefusal;
import java.util.List;

/** What became of a pod. */
public sealed interface PodOutcome {
  GpuRequest request();

  /** It has a place. */
  record Placed(Placement placement, Choice choice) implements PodOutcome {
    @Override
    public GpuRequest request() {
      return placement.request();
    }
  }

  /**
   * It has none.
   *
   * @param kind the refusal without this pod's particulars, to be counted
   * @param summary what is needed and what is lacking
   * @param nodes why each node refuses; empty when no node was asked
   */
  record Refused(GpuRequest request, String kind, String summary, List<NodeRefusal> nodes)
      implements PodOutcome {
    public Refused {
      nodes = List.copyOf(nodes);
    }
  }
}
