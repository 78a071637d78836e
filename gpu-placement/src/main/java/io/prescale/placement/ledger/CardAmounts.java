package io.prescale.placement.ledger;

import io.prescale.placement.cluster.Gpu;
import io.prescale.placement.cluster.GpuHealth;
import io.prescale.placement.cluster.NodeSpec;
import io.prescale.placement.cluster.NodeSpec.Readiness;
import io.prescale.placement.cluster.Partitioning;
import io.prescale.placement.cluster.RequestShape;
import io.prescale.placement.inventory.Families;
import io.prescale.placement.inventory.NodeInventory;
import io.prescale.placement.inventory.PodDemand;
import io.prescale.placement.mig.MigProfile;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * What cards, devices and demands amount to, in thousandths of a card: of each card the larger part
 * of compute and memory. Immutable.
 */
public final class CardAmounts {
  /** A node has no more, so what a pod claims to hold beyond this is not believed. */
  private static final long MOST = (long) NodeSpec.MAX_GPUS * Gpu.WHOLE_MILLI;

  private static final Pattern MIG = Pattern.compile("(?i)nvidia\\.com/mig-([1-7])g\\..*");
  private static final int SLICES = 7;

  /** The model of devices that are only counted, where no label says it. */
  static final String COUNTED = "nvidia.com/gpu";

  private final SortedMap<String, Long> byModel;

  private final List<Alike> kinds;

  /** By model, the most devices that a node has of each that is only counted. */
  private final Map<String, Map<String, Long>> counted;

  private CardAmounts(
      SortedMap<String, Long> byModel, List<Alike> kinds, Map<String, Map<String, Long>> counted) {
    this.byModel = byModel;
    this.kinds = kinds;
    this.counted = counted;
  }

  private record Kind(
      String vendor,
      String model,
      int memoryMib,
      int computeMilli,
      int slots,
      Partitioning partitioning,
      List<MigProfile> migProfiles) {}

  /** Cards that differ only in what does not matter for amounts. */
  private record Alike(Gpu one, List<String> uuids) {
    boolean canServe(RequestShape shape) {
      return shape.cards().acceptsKind(one)
          && one.canServe(shape.demand())
          && uuids.stream().anyMatch(shape.cards()::acceptsUuid);
    }
  }

  /** The amounts of a cluster. */
  static CardAmounts of(Collection<NodeInventory> inventories) {
    var kinds = new LinkedHashMap<Kind, Alike>();
    var counted = new TreeMap<String, Map<String, Long>>();
    for (var inventory : inventories) {
      usable(inventory)
          .forEach(
              gpu ->
                  kinds
                      .computeIfAbsent(kind(gpu), _ -> new Alike(gpu, new ArrayList<>()))
                      .uuids()
                      .add(gpu.uuid()));
      if (inventory.spec().readiness() == Readiness.READY) {
        var most = counted.computeIfAbsent(modelOfCounted(inventory), _ -> new HashMap<>());
        inventory.counted().forEach((resource, units) -> most.merge(resource, units, Math::max));
      }
    }
    return new CardAmounts(
        Collections.unmodifiableSortedMap(byModel(inventories)),
        List.copyOf(kinds.values()),
        counted);
  }

  /** The cards of ready nodes that may be given to pods, by model, in thousandths of a card. */
  public static SortedMap<String, Long> byModel(Collection<NodeInventory> inventories) {
    var milli = new TreeMap<String, Long>();
    for (var inventory : inventories) {
      usable(inventory).forEach(gpu -> milli.merge(gpu.model(), (long) Gpu.WHOLE_MILLI, Long::sum));
      if (inventory.spec().readiness() == Readiness.READY && !inventory.counted().isEmpty()) {
        milli.merge(modelOfCounted(inventory), ofUnits(inventory.counted()), Long::sum);
      }
    }
    return milli;
  }

  private static Stream<Gpu> usable(NodeInventory inventory) {
    return inventory.spec().readiness() == Readiness.READY
        ? inventory.spec().gpus().stream()
            .filter(
                gpu ->
                    gpu.health().state() == GpuHealth.State.USABLE
                        && !Families.areOnlyRead(gpu.vendor()))
        : Stream.empty();
  }

  private static Kind kind(Gpu gpu) {
    return new Kind(
        gpu.vendor(),
        gpu.model(),
        gpu.memoryMib(),
        gpu.computeMilli(),
        gpu.slots(),
        gpu.partitioning(),
        gpu.migProfiles());
  }

  /** The model of a node's devices that are only counted. */
  static String modelOfCounted(NodeInventory inventory) {
    return inventory.model().orElse(COUNTED);
  }

  /** All cards that may be given to pods, by model. */
  SortedMap<String, Long> byModel() {
    return byModel;
  }

  /** Whether a node has what is asked for of one of these models, or nothing of the kind. */
  static boolean mayServe(NodeInventory inventory, Set<String> models, PodDemand demand) {
    boolean hasCounted = !inventory.counted().isEmpty();
    boolean isCountedOfThem = hasCounted && models.contains(modelOfCounted(inventory));
    var cards = inventory.spec().gpus();
    return demand instanceof PodDemand.Counted
        ? isCountedOfThem || !hasCounted
        : isCountedOfThem
            || (cards.isEmpty() && !hasCounted)
            || cards.stream().anyMatch(gpu -> models.contains(gpu.model()));
  }

  /** As {@link Ledger#partOf}. */
  CardPart partOf(PodDemand demand) {
    var models =
        switch (demand) {
          case PodDemand.Cards cards ->
              Stream.concat(
                  kinds.stream()
                      .filter(it -> it.canServe(cards.shape()))
                      .map(it -> it.one().model()),
                  counted(cards.units()).filter(cards.shape().cards()::acceptsModel));
          case PodDemand.Counted it -> counted(it.units());
          case PodDemand.None _, PodDemand.Refused _ -> Stream.<String>empty();
        };
    return new CardPart(leastOf(demand), models.collect(Collectors.toCollection(TreeSet::new)));
  }

  /** The models of which a node has so many devices that are only counted. */
  private Stream<String> counted(Map<String, Long> units) {
    return units.isEmpty()
        ? Stream.empty()
        : counted.entrySet().stream()
            .filter(
                has ->
                    units.entrySet().stream()
                        .allMatch(
                            it -> has.getValue().getOrDefault(it.getKey(), 0L) >= it.getValue()))
            .map(Map.Entry::getKey);
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
        .filter(it -> it.canServe(shape))
        .mapToLong(it -> amountOn(it.one(), shape));
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
