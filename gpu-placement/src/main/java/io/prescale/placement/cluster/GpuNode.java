package io.prescale.placement.cluster;

import io.prescale.placement.mig.MigProfile;
import io.prescale.placement.mig.MigRoom;
import io.prescale.placement.topology.CardSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A node and the placements on it. Immutable: every change returns a new node, so the identity of a
 * node identifies its state. A change costs O(cards + placements of the node).
 *
 * <p>Placements are facts and are not checked against capacity: an overcommitted node has negative
 * free amounts, and MIG instances may overlap.
 */
public final class GpuNode {
  private final NodeSpec spec;
  private final List<Placement> placements;
  private final long usedCpuMilli;
  private final long usedMemoryMib;
  private final int[] usedCompute;
  private final int[] usedGpuMemory;
  private final int[] stackedMib;
  private final int[] sharers;
  private final int[] migSlices;
  private final int idleBits;

  private GpuNode(NodeSpec spec, List<Placement> placements, int[] stackedMib) {
    int cards = spec.gpus().size();
    this.spec = spec;
    this.placements = List.copyOf(placements);
    this.stackedMib = stackedMib;
    usedCompute = new int[cards];
    usedGpuMemory = new int[cards];
    sharers = new int[cards];
    migSlices = new int[cards];
    long cpu = 0;
    long memory = 0;
    int idle = (1 << cards) - 1;
    for (var placement : this.placements) {
      cpu += placement.request().shape().host().cpuMilli();
      memory += placement.request().shape().host().memoryMib();
      for (var share : placement.shares()) {
        use(placement, share);
        idle &= ~(1 << share.card());
      }
    }
    usedCpuMilli = cpu;
    usedMemoryMib = memory;
    idleBits = idle;
  }

  private void use(Placement placement, GpuShare share) {
    int card = share.card();
    if (card >= usedCompute.length || !spec.gpus().get(card).uuid().equals(share.uuid())) {
      throw new IllegalArgumentException(
          "%s is placed on card %d (%s), which node %s does not have"
              .formatted(placement.request().name(), card, share.uuid(), spec.name()));
    }
    usedCompute[card] += share.computeMilli();
    usedGpuMemory[card] += share.memoryMib();
    sharers[card]++;
    migSlices[card] |= share.mig().map(MigSlot::mask).orElse(0);
  }

  /** A node without placements. */
  public static GpuNode of(NodeSpec spec) {
    return new GpuNode(spec, List.of(), new int[spec.gpus().size()]);
  }

  /**
   * The node with one more placement.
   *
   * @throws IllegalArgumentException when the placement names another node or a card that the node
   *     does not have, or when its request is already placed here
   */
  public GpuNode with(Placement placement) {
    if (!placement.node().equals(name())) {
      throw new IllegalArgumentException(
          "%s is placed on node %s, not on %s"
              .formatted(placement.request().name(), placement.node(), name()));
    }
    if (placementOf(placement.request().name()).isPresent()) {
      throw new IllegalArgumentException(
          "%s is placed on node %s already".formatted(placement.request().name(), name()));
    }
    var more = new ArrayList<Placement>(placements.size() + 1);
    more.addAll(placements);
    more.add(placement);
    return new GpuNode(spec, more, stackedMib);
  }

  /**
   * The node without the placement of a request. Overcommitted memory of the placement's cards is
   * reset to 0, because it was computed with it.
   *
   * @throws IllegalArgumentException when the request is not placed here
   */
  public GpuNode without(String request) {
    var leaving = placementOf(request);
    if (leaving.isEmpty()) {
      throw new IllegalArgumentException("%s is not placed on node %s".formatted(request, name()));
    }
    var fewer = new ArrayList<>(placements);
    fewer.remove(leaving.get());
    int[] stacked = stackedMib.clone();
    leaving.get().shares().forEach(share -> stacked[share.card()] = 0);
    return new GpuNode(spec, fewer, stacked);
  }

  /**
   * The node with a new description and the same placements.
   *
   * @throws IllegalArgumentException when the number of cards differs
   */
  public GpuNode withSpec(NodeSpec newSpec) {
    if (newSpec.gpus().size() != cards()) {
      throw new IllegalArgumentException(
          "node %s has %d cards, its new description %d"
              .formatted(name(), cards(), newSpec.gpus().size()));
    }
    return new GpuNode(newSpec, placements, stackedMib);
  }

  /**
   * The node with overcommitted memory: the amount that may be promised to shares of each card
   * beyond what the card has, because its sharers use less than they were promised.
   *
   * @param mib amount for each card; 0 for no overcommitment
   */
  public GpuNode withStackedMib(int[] mib) {
    if (mib.length != cards() || IntStream.of(mib).anyMatch(card -> card < 0)) {
      throw new IllegalArgumentException(
          "node %s has %d cards; give each 0 MiB or more, not %s"
              .formatted(name(), cards(), Arrays.toString(mib)));
    }
    return new GpuNode(spec, placements, mib.clone());
  }

  /** Whether a card overcommits more memory than in another state of the node. */
  public boolean promisesMoreThan(GpuNode other) {
    return IntStream.range(0, cards()).anyMatch(it -> stackedMib[it] > other.stackedMib[it]);
  }

  public NodeSpec spec() {
    return spec;
  }

  public String name() {
    return spec.name();
  }

  /** The placements in the order in which they were made. */
  public List<Placement> placements() {
    return placements;
  }

  public Optional<Placement> placementOf(String request) {
    for (var placement : placements) {
      if (placement.request().name().equals(request)) {
        return Optional.of(placement);
      }
    }
    return Optional.empty();
  }

  public int cards() {
    return usedCompute.length;
  }

  public Gpu gpu(int card) {
    return spec.gpus().get(card);
  }

  public long freeCpuMilli() {
    return spec.cpuMilli() - usedCpuMilli;
  }

  public long freeMemoryMib() {
    return spec.memoryMib() - usedMemoryMib;
  }

  /** The unallocated compute of a card, in thousandths of a card. */
  public int freeComputeMilli(int card) {
    return gpu(card).computeMilli() - usedCompute[card];
  }

  /** The unallocated memory of a card in MiB, with its overcommitted memory. */
  public int freeGpuMemoryMib(int card) {
    return gpu(card).memoryMib() + stackedMib[card] - usedGpuMemory[card];
  }

  /** The memory of a card that is promised to its placements, in MiB. */
  public int promisedGpuMemoryMib(int card) {
    return usedGpuMemory[card];
  }

  /** The free share of the scarcer of compute and memory, in thousandths of the card. */
  public int freeMilli(int card) {
    return gpu(card).leftMilli(freeComputeMilli(card), freeGpuMemoryMib(card));
  }

  /** The free shares of all cards in total, in thousandths of a card. */
  public long freeMilli() {
    long free = 0;
    for (int card = 0; card < usedCompute.length; card++) {
      free += freeMilli(card);
    }
    return free;
  }

  /** The free share of a card after one more demand is placed on it. */
  public int freeMilliAfter(int card, GpuDemand demand) {
    var gpu = gpu(card);
    return gpu.leftMilli(
        freeComputeMilli(card) - gpu.computeMilliFor(demand),
        freeGpuMemoryMib(card) - gpu.memoryMibFor(demand));
  }

  /** The thousandths that a placement takes, as {@link Gpu#milliOf} of each of its shares. */
  public long milliOf(Placement placement) {
    return placement.shares().stream().mapToLong(share -> gpu(share.card()).milliOf(share)).sum();
  }

  /** How many placements use the card. */
  public int sharers(int card) {
    return sharers[card];
  }

  /**
   * The share of a card that a demand would take; a MIG instance gets the place that leaves the
   * most room.
   *
   * @return empty when the card has no place for the MIG instance
   */
  public Optional<GpuShare> share(int card, GpuDemand demand) {
    return shares(card, demand, 1).stream().findFirst();
  }

  /** The shares that a demand would take for several MIG instances on a card; else one share. */
  public List<GpuShare> shares(int card, GpuDemand demand, int most) {
    return gpu(card).partitioning().isMig()
        ? gpu(card).migProfileFor(demand).stream()
            .flatMap(profile -> freeSlots(card, demand, profile, most))
            .map(slot -> share(card, demand, Optional.of(slot)))
            .toList()
        : List.of(share(card, demand, Optional.empty()));
  }

  private GpuShare share(int card, GpuDemand demand, Optional<MigSlot> slot) {
    var gpu = gpu(card);
    return new GpuShare(
        card, gpu.uuid(), gpu.computeMilliFor(demand), gpu.memoryMibFor(demand), slot);
  }

  private Stream<MigSlot> freeSlots(int card, GpuDemand demand, MigProfile profile, int most) {
    boolean named = demand instanceof GpuDemand.MigInstance;
    int free = named ? most : Math.min(most, gpu(card).slots() - sharers[card]);
    return new MigRoom(gpu(card).migProfiles(), migSlices[card])
        .bestStarts(profile, migInstances(card, profile.name()), free).stream()
            .map(start -> new MigSlot(profile.name(), start, profile.size()));
  }

  /** The card's memory slices that MIG instances cover, one bit each. */
  public int migSlices(int card) {
    return migSlices[card];
  }

  /** How many MIG instances of a profile the card holds. */
  public int migInstances(int card, String profile) {
    int count = 0;
    for (var placement : placements) {
      for (var share : placement.shares()) {
        if (share.card() == card
            && share.mig().filter(s -> s.profile().equals(profile)).isPresent()) {
          count++;
        }
      }
    }
    return count;
  }

  public boolean isIdle(int card) {
    return (idleBits >> card & 1) == 1;
  }

  /** The cards without any share. */
  public CardSet idleCards() {
    return new CardSet(idleBits);
  }

  @Override
  public String toString() {
    return name() + placements;
  }
}
