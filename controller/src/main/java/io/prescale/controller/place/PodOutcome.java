package io.prescale.controller.place;

import io.prescale.placement.cluster.GpuRequest;
import io.prescale.placement.cluster.Placement;
import io.prescale.placement.decision.Choice;
import io.prescale.placement.decision.PlacementResult.NodeRefusal;
import java.util.List;
import java.util.Optional;

/** The outcome of a pod. */
public sealed interface PodOutcome {
  GpuRequest request();

  /** Its place at the end, if it has one. */
  default Optional<Placement> place() {
    return Optional.empty();
  }

  /** The pod has a place and kept it. */
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

  /** The pod runs where it ran before. */
  record Running(Placement placement) implements HasPlace {}

  /** The pod has found a free place. */
  record Placed(Placement placement, Choice choice) implements HasPlace {}

  /**
   * The pod has a place because others left.
   *
   * @param victims the pods that left for it and its gang
   * @param isProvenLeast whether no smaller number of victims would do, for certain
   */
  record Reclaimed(Placement placement, List<GpuRequest> victims, boolean isProvenLeast)
      implements HasPlace {
    public Reclaimed {
      victims = List.copyOf(victims);
    }
  }

  /**
   * The pod had a place and had to leave it.
   *
   * @param claimant the pod that it left for
   * @param place the free place that it found at the end, if any
   */
  record Evicted(Placement from, GpuRequest claimant, Optional<Placement> place)
      implements PodOutcome {
    @Override
    public GpuRequest request() {
      return from.request();
    }
  }

  /**
   * The pod has found no place.
   *
   * @param kind the refusal without details of the pod, for counting
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
