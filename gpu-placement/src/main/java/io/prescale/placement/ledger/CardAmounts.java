package io.prescale.placement.ledger;

import io.prescale.placement.cluster.Gpu;
import io.prescale.placement.cluster.GpuHealth;
import io.prescale.placement.cluster.NodeSpec;
import io.prescale.placement.cluster.NodeSpec.Readiness;
import io.prescale.placement.cluster.RequestShape;
import io.prescale.placement.inventory.Families;
import io.prescale.placement.inventory.NodeInventory;
import io.prescale.placement.inventory.PodDemand;
import io.prescale.placement.queue.Quota;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.LongStream;

/**
 * What cards, devices and demands amount to, in thousandths of a card: of each card the larger part
 * of compute and memory. Immutable.
 */
final class CardAmounts {
  /** A node has no more, so what a pod claims to hold beyond this is not believed. */
  private static final long MOST = (long) NodeSpec.MAX_GPUS * Gpu.WHOLE_MILLI;

  private static final Pattern MIG = Pattern.compile("(?i)nvidia\\.com/mig-([1-7])g\\..*");
  private static final int SLICES = 7;

  private final long capacityMilli;
  private final List<Gpu> kinds;

  private CardAmounts(long capacityMilli, List<Gpu> kinds) {
    this.capacityMilli = capacityMilli;
    this.kinds = kinds;
  }

  private record Kind(
      String vendor, String model, int memoryMib, int computeMilli, Object partitioning) {}

  /** The amounts of a cluster. */
  static CardAmounts of(Collection<NodeInventory> inventories) {
    long capacity = 0;
    var kinds = new LinkedHashMap<Kind, Gpu>();
    for (var inventory : inventories) {
      if (inventory.spec().readiness() == Readiness.READY) {
        for (var gpu : inventory.spec().gpus()) {
          if (gpu.health().state() == GpuHealth.State.USABLE
              && !Families.areOnlyRead(gpu.vendor())) {
            capacity += Gpu.WHOLE_MILLI;
            kinds.putIfAbsent(
                new Kind(
                    gpu.vendor(),
                    gpu.model(),
                    gpu.memoryMib(),
                    gpu.computeMilli(),
                    gpu.partitioning()),
                gpu);
          }
        }
        capacity += ofUnits(inventory.counted());
      }
    }
    return new CardAmounts(Math.min(capacity, Quota.UNLIMITED), List.copyOf(kinds.values()));
  }

  /** All cards that may be given to pods. */
  long capacityMilli() {
    return capacityMilli;
  }

  /**
   * The least that a demand takes, in thousandths of a card, on the cards of which it takes the
   * smallest part; whole ones where none could serve it.
   */
  long leastOf(PodDemand demand) {
    return switch (demand) {
      case PodDemand.Cards cards -> leastOf(cards.shape());
      case PodDemand.Counted counted -> ofUnits(counted.units());
      case PodDemand.None _, PodDemand.Refused _ -> 0;
    };
  }

  private long leastOf(RequestShape shape) {
    return amounts(shape).min().orElse((long) Gpu.WHOLE_MILLI * shape.gpus());
  }

  /** The most that a request takes, on the cards of which it takes the largest part. */
  long mostOf(RequestShape shape) {
    return amounts(shape).max().orElse((long) Gpu.WHOLE_MILLI * shape.gpus());
  }

  private LongStream amounts(RequestShape shape) {
    return kinds.stream()
        .filter(gpu -> canServe(gpu, shape))
        .mapToLong(gpu -> amountOn(gpu, shape));
  }

  /** Whether a card could be one of a request's if it were idle. */
  static boolean canServe(Gpu gpu, RequestShape shape) {
    return shape.cards().accepts(gpu) && gpu.canServe(shape.demand());
  }

  /** What a request takes of cards like this one. */
  static long amountOn(Gpu gpu, RequestShape shape) {
    return (long) gpu.milliFor(shape.demand()) * shape.gpus();
  }

  /** Devices that are only counted: a MIG instance is as many sevenths as its profile says. */
  static long ofUnits(Map<String, Long> units) {
    long sum = 0;
    for (var unit : units.entrySet()) {
      var mig = MIG.matcher(unit.getKey());
      long each =
          mig.matches()
              ? (long) Integer.parseInt(mig.group(1)) * Gpu.WHOLE_MILLI / SLICES
              : Gpu.WHOLE_MILLI;
      sum += Math.clamp(unit.getValue(), 0, NodeSpec.MAX_GPUS * SLICES) * each;
    }
    return Math.min(sum, MOST);
  }
}
