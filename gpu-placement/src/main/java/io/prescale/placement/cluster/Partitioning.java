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
  /** Hardware instances: fixed profiles at fixed places, asked for by name. */
  MIG(false),
  /** The same, and asked for by size: a share gets the least instance that holds it. */
  MIG_BY_SIZE(true);

  private final boolean takesShares;

  Partitioning(boolean takesShares) {
    this.takesShares = takesShares;
  }

  /** Whether requests for a part, which name no MIG profile, can be put on the card. */
  public boolean takesShares() {
    return takesShares;
  }

  /** Whether it is cut into hardware instances. */
  public boolean isMig() {
    return this == MIG || this == MIG_BY_SIZE;
  }

  /** Whether every sharer gets one slot of equal size, whatever it asks up to that size. */
  public boolean hasEqualSlots() {
    return this == MPS || this == VGPU;
  }
}
