package io.prescale.placement.cluster;

/** How a card is divided among requests, and so what can be asked of it. */
public enum Partitioning {
  /** Not at all: one request has the whole card. */
  WHOLE(false),
  /** Slots take turns; nothing holds a request to its memory, so only the slots are limited. */
  TIME_SLICED(true),
  /** Slots of equal memory and compute, enforced by the MPS server. */
  MPS(true),
  /** Slots of equal memory frames, enforced by the hypervisor. */
  VGPU(true),
  /** Any memory and compute, enforced by HAMi-core; at most as many sharers as slots. */
  HAMI_CORE(true),
  /** Hardware instances: fixed profiles at fixed places. */
  MIG(false);

  private final boolean takesShares;

  Partitioning(boolean takesShares) {
    this.takesShares = takesShares;
  }

  /** Whether requests for a part that is not a MIG profile can be put on the card. */
  public boolean takesShares() {
    return takesShares;
  }

  /** Whether every sharer gets one slot of equal size, whatever it asks up to that size. */
  public boolean hasEqualSlots() {
    return this == MPS || this == VGPU;
  }
}
