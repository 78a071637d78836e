package io.prescale.placement.cluster;

/** How a card is divided among requests, which determines the demands that it can serve. */
public enum Partitioning {
  /** Not divided: one request has the whole card. */
  WHOLE(false),
  /** Slots take turns; no memory limit is enforced, so only the number of slots is limited. */
  TIME_SLICED(true),
  /** Slots of equal memory and compute, enforced by the MPS server. */
  MPS(true),
  /** Slots of equal memory frames, enforced by the hypervisor. */
  VGPU(true),
  /** Any memory and compute, enforced by HAMi-core; at most as many sharers as slots. */
  HAMI_CORE(true),
  /** Hardware instances of fixed profiles at fixed places, requested by name. */
  MIG(false),
  /** Hardware instances requested by size: a share gets the smallest instance that holds it. */
  MIG_BY_SIZE(true);

  private final boolean takesShares;

  Partitioning(boolean takesShares) {
    this.takesShares = takesShares;
  }

  /** Whether the card can serve shares, that is demands for a part that name no MIG profile. */
  public boolean takesShares() {
    return takesShares;
  }

  /** Whether the card is cut into hardware instances. */
  public boolean isMig() {
    return this == MIG || this == MIG_BY_SIZE;
  }

  /** Whether all slots have equal size: a sharer gets one slot for any demand up to that size. */
  public boolean hasEqualSlots() {
    return this == MPS || this == VGPU;
  }
}
