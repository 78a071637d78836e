package io.prescale.placement.filter;

import io.prescale.placement.cluster.GpuDemand;
import io.prescale.placement.cluster.GpuHealth;
import io.prescale.placement.cluster.GpuNode;
import io.prescale.placement.cluster.RequestShape;

/** The conditions that a card must meet, in the order in which they are checked. */
enum CardFilter {
  KIND(Reason.GPU_KIND) {
    @Override
    boolean admits(GpuNode node, int card, RequestShape shape) {
      return shape.cards().accepts(node.gpu(card));
    }
  },
  PARTITIONING(Reason.GPU_PARTITIONING) {
    @Override
    boolean admits(GpuNode node, int card, RequestShape shape) {
      return node.gpu(card).canServe(shape.demand());
    }
  },
  HEALTH(Reason.GPU_HEALTH) {
    @Override
    boolean admits(GpuNode node, int card, RequestShape shape) {
      return node.gpu(card).health().state() == GpuHealth.State.USABLE;
    }
  },
  MEMORY(Reason.GPU_MEMORY) {
    // A whole card is checked by its total memory, because being in use is a reason of its own; MIG
    // by places, because a profile's nominal memory is more than it has.
    @Override
    boolean admits(GpuNode node, int card, RequestShape shape) {
      var gpu = node.gpu(card);
      if (shape.demand() instanceof GpuDemand.WholeGpu whole) {
        return gpu.memoryMib() >= whole.leastMemoryMib();
      }
      return gpu.partitioning().isMig()
          || node.freeGpuMemoryMib(card) >= gpu.memoryMibFor(shape.demand());
    }
  },
  IDLE(Reason.GPU_IDLE) {
    @Override
    boolean admits(GpuNode node, int card, RequestShape shape) {
      return !(shape.demand() instanceof GpuDemand.WholeGpu) || node.isIdle(card);
    }
  },
  COMPUTE(Reason.GPU_COMPUTE) {
    // A request without a compute limit still needs a card whose compute is not fully allocated.
    @Override
    boolean admits(GpuNode node, int card, RequestShape shape) {
      if (node.gpu(card).partitioning().isMig()) {
        return true;
      }
      int wanted = node.gpu(card).computeMilliFor(shape.demand());
      return node.freeComputeMilli(card) >= Math.max(1, wanted);
    }
  },
  SLOT(Reason.GPU_SLOT) {
    @Override
    boolean admits(GpuNode node, int card, RequestShape shape) {
      return shape.demand() instanceof GpuDemand.MigInstance
          || node.sharers(card) < node.gpu(card).slots();
    }
  },
  MIG_PLACE(Reason.MIG_PLACE) {
    @Override
    boolean admits(GpuNode node, int card, RequestShape shape) {
      return !node.gpu(card).partitioning().isMig() || node.share(card, shape.demand()).isPresent();
    }
  };

  private final Reason reason;

  CardFilter(Reason reason) {
    this.reason = reason;
  }

  abstract boolean admits(GpuNode node, int card, RequestShape shape);

  /** The reason to report when too few cards of the node are admitted. */
  Reason reason() {
    return reason;
  }
}
