package io.prescale.placement.inventory;

import io.prescale.placement.cluster.Gpu;
import io.prescale.placement.cluster.GpuShare;
import io.prescale.placement.cluster.MigSlot;
import io.prescale.placement.cluster.NodeSpec;
import io.prescale.placement.mig.MigProfile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Adds up what a pod holds of its node's cards, according to its records. Init containers hand
 * their cards on to the containers that follow, so of each card the larger of both parts counts, in
 * which an init container counts with the sidecars that precede it; of a card in MIG mode, each
 * instance counts once.
 */
final class HeldShares {
  private static final int MILLI_PER_PERCENT = 10;

  /** More than all containers of a pod can have, counted as often as they share a card. */
  private static final int MOST_CARDS = 10_000;

  /** The slot of an instance whose place is unknown: all slices. */
  private static final MigSlot SOMEWHERE = new MigSlot("unknown", 0, MigProfile.MOST_SLICES);

  private final PodFacts pod;
  private final NodeSpec node;
  private final List<String> problems;
  private final Map<Part, GpuShare> shares = new LinkedHashMap<>();

  HeldShares(PodFacts pod, NodeSpec node, List<String> problems) {
    this.pod = pod;
    this.node = node;
    this.problems = problems;
  }

  /** A card, or an instance of one in MIG mode. */
  private record Part(int card, Optional<MigSlot> mig) {}

  /** Each card or instance once; if those are too many for one request, each card once. */
  List<GpuShare> shares() {
    if (shares.size() <= NodeSpec.MAX_GPUS) {
      return List.copyOf(shares.values());
    }
    var cards = new LinkedHashMap<Integer, GpuShare>();
    for (var share : shares.values()) {
      var whole =
          new GpuShare(
              share.card(),
              share.uuid(),
              share.computeMilli(),
              share.memoryMib(),
              share.mig().map(_ -> SOMEWHERE));
      cards.merge(share.card(), whole, HeldShares::sum);
    }
    return List.copyOf(cards.values());
  }

  /** Counts the record of one family of devices, if the pod has it and requests that family. */
  void count(Family family) {
    var key = family.allocatedKey();
    var text = pod.annotations().getOrDefault(key, "");
    long requested = requested(family);
    if (text.isEmpty() || requested == 0) {
      return;
    }
    switch (PodDevices.decode(text)) {
      case PodDevices.Reading.Malformed malformed -> notCounted(key, malformed.sentence());
      case PodDevices.Reading.Devices read ->
          count(atMost(requested, read.devices().containers(), key));
    }
  }

  /** How many cards of a family all containers request together, at most {@link #MOST_CARDS}. */
  private long requested(Family family) {
    long cards = 0;
    for (var container : pod.containers()) {
      boolean isOf = family.resources().names().stream().anyMatch(n -> container.asked(n) > 0);
      // A request for memory alone is for one card.
      long asked = isOf ? Math.max(1, container.asked(family.resources().count())) : 0;
      cards = Math.min(MOST_CARDS, cards + Math.min(MOST_CARDS, asked));
    }
    return cards;
  }

  private List<List<DeviceUse>> atMost(long cards, List<List<DeviceUse>> containers, String key) {
    long left = cards;
    var counted = new ArrayList<List<DeviceUse>>();
    for (var uses : containers) {
      counted.add(uses.subList(0, (int) Math.min(left, uses.size())));
      left -= counted.getLast().size();
    }
    int named = containers.stream().mapToInt(List::size).sum();
    if (named > cards) {
      problems.add(requestsLess(key, named, cards));
    }
    return counted;
  }

  private String requestsLess(String key, int named, long cards) {
    return "%s of pod %s names %d cards; %d are counted, as many as the pod requests."
        .formatted(key, pod.display(), named, cards);
  }

  private void count(List<List<DeviceUse>> containers) {
    var instances = instances();
    var before = new LinkedHashMap<Part, GpuShare>();
    for (int position = 0; position < containers.size(); position++) {
      boolean init = position < pod.containers().size() && pod.containers().get(position).init();
      var own = new LinkedHashMap<Part, GpuShare>();
      var uses = containers.get(position);
      for (int device = 0; device < uses.size(); device++) {
        var use = uses.get(device);
        add(use, instances.slot(position, device, use.uuid()), own);
      }
      own.forEach(
          (part, share) -> {
            if (init) {
              var sidecars = Optional.ofNullable(shares.get(part));
              var beside = sidecars.map(it -> sum(it, share)).orElse(share);
              before.merge(part, beside, HeldShares::larger);
            } else {
              shares.merge(part, share, HeldShares::sum);
            }
          });
    }
    before.forEach((part, share) -> shares.merge(part, share, HeldShares::larger));
  }

  private MigAllocations instances() {
    try {
      return MigAllocations.of(pod);
    } catch (MalformedEntryException e) {
      notCounted(MigAllocations.KEY, e.sentence());
      return MigAllocations.NONE;
    }
  }

  /** Counts what Koordinator has recorded, if the pod has it and requests GPUs. */
  void countKoordinator() {
    var text = pod.annotations().getOrDefault(KoordinatorDevices.ALLOCATED, "");
    var cards =
        node.gpus().stream().filter(gpu -> gpu.vendor().equals(KoordinatorDevices.VENDOR)).toList();
    long requested = KoordinatorDevices.requested(pod, cards);
    if (text.isEmpty() || requested == 0) {
      return;
    }
    try {
      var uses = KoordinatorDevices.allocated(text, cards).values();
      uses.stream().limit(requested).forEach(use -> add(use, Optional.empty(), shares));
      if (uses.size() > requested) {
        problems.add(requestsLess(KoordinatorDevices.ALLOCATED, uses.size(), requested));
      }
    } catch (MalformedEntryException e) {
      notCounted(KoordinatorDevices.ALLOCATED, e.sentence());
    }
  }

  private void notCounted(String key, String sentence) {
    problems.add("%s of pod %s is not counted: %s.".formatted(key, pod.display(), sentence));
  }

  private void add(DeviceUse use, Optional<MigSlot> slot, Map<Part, GpuShare> to) {
    int card = indexOf(use.uuid());
    if (card < 0) {
      problems.add(
          "pod %s holds card %s, which node %s does not have."
              .formatted(pod.display(), Text.quoted(use.uuid()), node.name()));
      return;
    }
    var mig =
        node.gpus().get(card).partitioning().isMig()
            ? slot.or(() -> unknown(use))
            : Optional.<MigSlot>empty();
    int milli = Math.min(use.cores(), CardEntry.MOST_CORES) * MILLI_PER_PERCENT;
    int memoryMib = Math.min(use.memoryMib(), Gpu.MOST_MEMORY_MIB);
    to.merge(
        new Part(card, mig),
        new GpuShare(card, node.gpus().get(card).uuid(), milli, memoryMib, mig),
        HeldShares::sum);
  }

  private Optional<MigSlot> unknown(DeviceUse use) {
    problems.add(
        "pod %s holds an instance of card %s, but %s does not say which, so no other pod is placed there."
            .formatted(pod.display(), Text.quoted(use.uuid()), MigAllocations.KEY));
    return Optional.of(SOMEWHERE);
  }

  /** HAMi before 2.10 wrote the template and the instance behind the card: {@code GPU-a[1-0]}. */
  private int indexOf(String uuid) {
    int bracket = uuid.indexOf('[');
    var card = bracket < 0 ? uuid : uuid.substring(0, bracket);
    for (int index = 0; index < node.gpus().size(); index++) {
      if (node.gpus().get(index).uuid().equals(card)) {
        return index;
      }
    }
    return -1;
  }

  private static GpuShare larger(GpuShare one, GpuShare other) {
    return new GpuShare(
        one.card(),
        one.uuid(),
        Math.max(one.computeMilli(), other.computeMilli()),
        Math.max(one.memoryMib(), other.memoryMib()),
        one.mig());
  }

  /** Takes the larger of two shares of the same instance. */
  private static GpuShare sum(GpuShare one, GpuShare other) {
    if (one.mig().isPresent() && !one.mig().get().equals(SOMEWHERE)) {
      return larger(one, other);
    }
    return new GpuShare(
        one.card(),
        one.uuid(),
        Math.min(
            one.computeMilli() + other.computeMilli(), CardEntry.MOST_CORES * MILLI_PER_PERCENT),
        Math.min(one.memoryMib() + other.memoryMib(), Gpu.MOST_MEMORY_MIB),
        one.mig());
  }
}
