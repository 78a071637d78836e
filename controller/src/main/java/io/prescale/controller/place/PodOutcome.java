package io.prescale.controller.place;

import io.prescale.placement.cluster.GpuRequest;
import io.prescale.placement.cluster.Placement;
import io.prescale.placement.decision.Choice;
import io.prescale.placement.decision.PlacementResult.NodeRefusal;
import java.util.List;
import java.util.Optional;

/** What became of a pod. */
public sealed interface PodOutcome {
  GpuRequest request();

  /** Where it is at the end; empty when it is nowhere. */
  default Optional<Placement> place() {
    return Optional.empty();
  }

  /** It has a place and kept it. */
  sealed interface HasPlace extends PodOutcome {
    Placement placement();

    @Override
    default GpuRequest request() {
      return placement().request();
    }

    @Override
    default Optional<Placement> place() {
      return Optional.of(placement());
    }
  }

  /** It runs where it ran before. */
  record Running(Placement placement) implements HasPlace {}

  /** It has found a free place. */
  record Placed(Placement placement, Choice choice) implements HasPlace {}

  /**
   * It has a place because others left.
   *
   * @param victims those that left for it, and for its gang
   * @param isProvenLeast whether it is certain that fewer would not do
   */
  record Reclaimed(Placement placement, List<GpuRequest> victims, boolean isProvenLeast)
      implements HasPlace {
    public Reclaimed {
      victims = List.copyOf(victims);
    }
  }

  /**
   * It had a place and had to leave it.
   *
   * @param claimant the pod that it left for
   * @param place the free one that it found when all others were decided; empty when there was none
   */
  record Evicted(Placement from, GpuRequest claimant, Optional<Placement> place)
      implements PodOutcome {
    @Override
    public GpuRequest request() {
      return from.request();
    }
  }

  /**
   * It has found no place.
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
