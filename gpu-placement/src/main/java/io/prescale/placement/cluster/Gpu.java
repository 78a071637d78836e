package io.prescale.placement.cluster;

import io.prescale.placement.mig.MigProfile;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A card.
 *
 * @param uuid unique in the cluster
 * @param vendor the family or driver that it belongs to, such as {@code NVIDIA}
 * @param model such as {@code NVIDIA-A100-SXM4-80GB}
 * @param memoryMib memory that may be allocated; more than the card has when it is over-allocated;
 *     0 when unknown, in which case only whole cards and fractions can be requested
 * @param computeMilli compute that may be allocated; 1000 is one card
 * @param partitioning how it is divided
 * @param slots maximum number of requests that may share it; not used under MIG
 * @param migProfiles profiles that it can be cut into under MIG
 * @param health its condition
 */
public record Gpu(
    String uuid,
    String vendor,
    String model,
    int memoryMib,
    int computeMilli,
    Partitioning partitioning,
    int slots,
    List<MigProfile> migProfiles,
    GpuHealth health) {
  /** Thousandths in a card. */
  public static final int WHOLE_MILLI = 1000;

  /** More than any card has, and small enough that a sum over a node's pods cannot overflow. */
  public static final int MOST_MEMORY_MIB = 1 << 22;

  private static final Comparator<MigProfile> LEAST_FIRST =
      Comparator.comparingInt(MigProfile::memoryMib)
          .thenComparingInt(MigProfile::size)
          .thenComparingInt(MigProfile::computeMilli)
          .thenComparing(MigProfile::name);

  public Gpu {
    migProfiles = List.copyOf(migProfiles);
    if (uuid.isBlank()) {
      throw new IllegalArgumentException("the UUID of a GPU is blank");
    }
    if (memoryMib < 0 || computeMilli < 1 || slots < 1) {
      throw new IllegalArgumentException(
          "GPU %s has %d MiB, %d milli of compute and %d slots; give at least 0, 1 and 1"
              .formatted(uuid, memoryMib, computeMilli, slots));
    }
  }

  /** A card for one request at a time, whose condition is unknown. */
  public static Gpu whole(String uuid, String vendor, String model, int memoryMib) {
    return new Gpu(
        uuid,
        vendor,
        model,
        memoryMib,
        WHOLE_MILLI,
        Partitioning.WHOLE,
        1,
        List.of(),
        GpuHealth.UNKNOWN);
  }

  public Gpu withPartitioning(Partitioning newPartitioning, int newSlots) {
    return new Gpu(
        uuid,
        vendor,
        model,
        memoryMib,
        computeMilli,
        newPartitioning,
        newSlots,
        migProfiles,
        health);
  }

  /** The card cut by MIG into instances of these profiles. */
  public Gpu withMig(List<MigProfile> profiles) {
    return new Gpu(
        uuid, vendor, model, memoryMib, computeMilli, Partitioning.MIG, 1, profiles, health);
  }

  public Gpu withHealth(GpuHealth newHealth) {
    return new Gpu(
        uuid, vendor, model, memoryMib, computeMilli, partitioning, slots, migProfiles, newHealth);
  }

  public Gpu withState(GpuHealth.State state) {
    return withHealth(health.withState(state));
  }

  /** Whether the other card differs only in its UUID. */
  public boolean isAlike(Gpu other) {
    return vendor.equals(other.vendor)
        && model.equals(other.model)
        && memoryMib == other.memoryMib
        && computeMilli == other.computeMilli
        && partitioning == other.partitioning
        && slots == other.slots
        && migProfiles.equals(other.migProfiles)
        && health.equals(other.health);
  }

  /** The profile with a name such as {@code 1g.10gb}. */
  public Optional<MigProfile> migProfile(String name) {
    for (var profile : migProfiles) {
      if (profile.name().equals(name)) {
        return Optional.of(profile);
      }
    }
    return Optional.empty();
  }

  /**
   * The profile of the instance that serves the demand: the one that it names, or the smallest, by
   * memory, then by compute, that holds its share.
   */
  public Optional<MigProfile> migProfileFor(GpuDemand demand) {
    return switch (demand) {
      case GpuDemand.MigInstance instance -> migProfile(instance.profile());
      case GpuDemand.Share share -> leastHolding(share.computeMilli(), share.memoryMib());
      case GpuDemand.Fraction fraction ->
          leastHolding(part(computeMilli, fraction), part(memoryMib, fraction));
      case GpuDemand.WholeGpu _, GpuDemand.NoGpu _ -> Optional.empty();
    };
  }

  private Optional<MigProfile> leastHolding(int wantedMilli, int wantedMib) {
    if (partitioning != Partitioning.MIG_BY_SIZE) {
      return Optional.empty();
    }
    return migProfiles.stream()
        .filter(
            profile -> profile.memoryMib() >= wantedMib && profile.computeMilli() >= wantedMilli)
        .min(LEAST_FIRST);
  }

  /** Whether the card's partitioning can serve the demand. */
  public boolean canServe(GpuDemand demand) {
    return switch (demand) {
      case GpuDemand.NoGpu _ -> false;
      case GpuDemand.WholeGpu _ -> !partitioning.isMig();
      case GpuDemand.Fraction fraction ->
          partitioning.isMig()
              ? migProfileFor(demand).isPresent()
              : partitioning.takesShares()
                  && fitsSlot(part(computeMilli, fraction), part(memoryMib, fraction));
      case GpuDemand.Share share ->
          partitioning.isMig()
              ? migProfileFor(demand).isPresent()
              : partitioning.takesShares() && fitsSlot(share.computeMilli(), share.memoryMib());
      case GpuDemand.MigInstance _ -> partitioning.isMig() && migProfileFor(demand).isPresent();
    };
  }

  /** The compute that the demand takes on this card, in thousandths of a card. */
  public int computeMilliFor(GpuDemand demand) {
    if (partitioning.isMig() && !(demand instanceof GpuDemand.WholeGpu)) {
      return migProfileFor(demand).map(MigProfile::computeMilli).orElse(0);
    }
    return switch (demand) {
      case GpuDemand.NoGpu _, GpuDemand.MigInstance _ -> 0;
      case GpuDemand.WholeGpu _ -> computeMilli;
      case GpuDemand.Fraction fraction -> slotOr(computeMilli, part(computeMilli, fraction));
      case GpuDemand.Share share -> slotOr(computeMilli, share.computeMilli());
    };
  }

  /** The memory that the demand takes on this card, in MiB. */
  public int memoryMibFor(GpuDemand demand) {
    if (partitioning.isMig() && !(demand instanceof GpuDemand.WholeGpu)) {
      return migProfileFor(demand).map(MigProfile::memoryMib).orElse(0);
    }
    return switch (demand) {
      case GpuDemand.NoGpu _, GpuDemand.MigInstance _ -> 0;
      case GpuDemand.WholeGpu _ -> memoryMib;
      case GpuDemand.Fraction fraction -> slotOr(memoryMib, part(memoryMib, fraction));
      case GpuDemand.Share share -> slotOr(memoryMib, share.memoryMib());
    };
  }

  /** The larger of the demand's shares of compute and memory, in thousandths, rounded up. */
  public int milliFor(GpuDemand demand) {
    return Math.max(
        ceilMilli(computeMilliFor(demand), computeMilli),
        ceilMilli(memoryMibFor(demand), memoryMib));
  }

  /** The larger of a share's parts of compute and memory, in thousandths, rounded down. */
  public int milliOf(GpuShare share) {
    long compute = (long) share.computeMilli() * WHOLE_MILLI / computeMilli;
    long memory = memoryMib == 0 ? 0 : (long) share.memoryMib() * WHOLE_MILLI / memoryMib;
    return (int) Math.max(compute, memory);
  }

  /** The free share of the scarcer of compute and memory, in thousandths, rounded down. */
  int leftMilli(int freeComputeMilli, int freeMemoryMib) {
    long compute = (long) freeComputeMilli * WHOLE_MILLI / computeMilli;
    long memory = memoryMib == 0 ? compute : (long) freeMemoryMib * WHOLE_MILLI / memoryMib;
    return (int) Math.max(0, Math.min(compute, memory));
  }

  private static int ceilMilli(int wanted, int whole) {
    return whole == 0 ? 0 : (int) (((long) wanted * WHOLE_MILLI + whole - 1) / whole);
  }

  private boolean fitsSlot(int wantedMilli, int wantedMib) {
    return !partitioning.hasEqualSlots()
        || (wantedMilli <= computeMilli / slots && wantedMib <= memoryMib / slots);
  }

  private int slotOr(int whole, int wanted) {
    return partitioning.hasEqualSlots() ? whole / slots : wanted;
  }

  private static int part(int whole, GpuDemand.Fraction fraction) {
    return (int) ((long) whole * fraction.milli() / WHOLE_MILLI);
  }
}
