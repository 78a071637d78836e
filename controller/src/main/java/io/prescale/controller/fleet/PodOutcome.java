package io.prescale.controller.fleet;

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

  /** It runs where it ran before. */
  record Running(Placement placement) implements PodOutcome {
    @Override
    public GpuRequest request() {
      return placement.request();
    }

    @Override
    public Optional<Placement> place() {
      return Optional.of(placement);
    }
  }

  /** It has found a free place. */
  record Placed(Placement placement, Choice choice) implements PodOutcome {
    @Override
    public GpuRequest request() {
      return placement.request();
    }

    @Override
    public Optional<Placement> place() {
      return Optional.of(placement);
    }
  }

  /**
   * It has a place because others left.
   *
   * @param victims those that left for it, and for its gang
   * @param isProvenLeast whether it is certain that fewer would not do
   */
  record Reclaimed(Placement placement, List<GpuRequest> victims, boolean isProvenLeast)
      implements PodOutcome {
    public Reclaimed {
      victims = List.copyOf(victims);
    }

    @Override
    public GpuRequest request() {
      return placement.request();
    }

    @Override
    public Optional<Placement> place() {
      return Optional.of(placement);
    }
  }

  /**
   * It had a place and had to leave it; it is not placed again.
   *
   * @param claimant the pod that it left for
   */
  record Evicted(Placement from, GpuRequest claimant) implements PodOutcome {
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
