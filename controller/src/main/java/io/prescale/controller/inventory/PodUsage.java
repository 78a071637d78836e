package io.prescale.controller.inventory;

import io.prescale.placement.cluster.Gpu;
import io.prescale.placement.cluster.GpuDemand;
import io.prescale.placement.cluster.GpuRequest;
import io.prescale.placement.cluster.GpuShare;
import io.prescale.placement.cluster.NodeSpec;
import io.prescale.placement.cluster.Placement;
import io.prescale.placement.cluster.RequestShape;
import io.prescale.placement.cluster.Standing;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a bound pod holds, whoever bound it: by the records of HAMi, Volcano and Koordinator. What
 * init containers have the others have after them, so of a card the larger of both counts.
 *
 * @param placement on known cards; empty when it holds none
 * @param units devices of which only the number is known
 * @param problems one sentence for everything that could not be counted
 */
public record PodUsage(
    Optional<Placement> placement, Map<String, Long> units, List<String> problems) {
  private static final int MILLI_PER_PERCENT = 10;

  /** Beyond every card, and far enough below an overflow of the sum over a node's pods. */
  private static final int MOST_CORES = 100_000;

  private static final int MOST_MEMORY_MIB = 1 << 22;

  public PodUsage {
    units = Map.copyOf(units);
    problems = List.copyOf(problems);
  }

  /** What the pod holds of its node; never fails. */
  public static PodUsage read(PodFacts pod, NodeSpec node) {
    var problems = new ArrayList<String>();
    var shares = new TreeMap<Integer, GpuShare>();
    for (var family : Families.ALL) {
      count(pod, family.allocatedKey(), node, shares, problems);
    }
    countKoordinator(pod, node, shares, problems);
    return new PodUsage(
        shares.isEmpty()
            ? Optional.empty()
            : Optional.of(placement(pod, node, List.copyOf(shares.values()))),
        shares.isEmpty() ? DemandReader.units(pod) : Map.of(),
        problems);
  }

  private static void count(
      PodFacts pod,
      String key,
      NodeSpec node,
      Map<Integer, GpuShare> shares,
      List<String> problems) {
    var text = pod.annotations().get(key);
    if (text == null || text.isEmpty()) {
      return;
    }
    switch (PodDevices.decode(text)) {
      case PodDevices.Reading.Malformed malformed ->
          problems.add(
              "%s of pod %s is not counted: %s."
                  .formatted(key, pod.display(), malformed.sentence()));
      case PodDevices.Reading.Devices read ->
          count(pod, read.devices().containers(), node, shares, problems);
    }
  }

  private static void count(
      PodFacts pod,
      List<List<DeviceUse>> containers,
      NodeSpec node,
      Map<Integer, GpuShare> shares,
      List<String> problems) {
    var before = new TreeMap<Integer, GpuShare>();
    for (int position = 0; position < containers.size(); position++) {
      var own = new TreeMap<Integer, GpuShare>();
      containers.get(position).forEach(use -> count(pod, use, node, own, problems));
      if (position < pod.containers().size() && pod.containers().get(position).init()) {
        own.forEach((card, share) -> before.merge(card, share, PodUsage::larger));
      } else {
        own.forEach((card, share) -> shares.merge(card, share, PodUsage::together));
      }
    }
    before.forEach((card, share) -> shares.merge(card, share, PodUsage::larger));
  }

  private static void countKoordinator(
      PodFacts pod, NodeSpec node, Map<Integer, GpuShare> shares, List<String> problems) {
    var text = pod.annotations().get(KoordinatorDevices.ALLOCATED);
    if (text == null || text.isEmpty()) {
      return;
    }
    var cards =
        node.gpus().stream().filter(gpu -> gpu.vendor().equals(KoordinatorDevices.VENDOR)).toList();
    try {
      for (var use : KoordinatorDevices.allocated(text, cards).values()) {
        count(pod, use, node, shares, problems);
      }
    } catch (MalformedEntryException e) {
      problems.add(
          "%s of pod %s is not counted: %s."
              .formatted(KoordinatorDevices.ALLOCATED, pod.display(), e.sentence()));
    }
  }

  private static void count(
      PodFacts pod,
      DeviceUse use,
      NodeSpec node,
      Map<Integer, GpuShare> shares,
      List<String> problems) {
    int card = indexOf(node, use.uuid());
    if (card < 0) {
      problems.add(
          "pod %s holds card %s, which node %s does not have."
              .formatted(pod.display(), Text.quoted(use.uuid()), node.name()));
      return;
    }
    int milli = Math.min(use.cores(), MOST_CORES) * MILLI_PER_PERCENT;
    int memoryMib = Math.min(use.memoryMib(), MOST_MEMORY_MIB);
    shares.merge(
        card,
        new GpuShare(card, use.uuid(), milli, memoryMib, Optional.empty()),
        PodUsage::together);
  }

  private static int indexOf(NodeSpec node, String uuid) {
    for (int card = 0; card < node.gpus().size(); card++) {
      if (node.gpus().get(card).uuid().equals(uuid)) {
        return card;
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
        Optional.empty());
  }

  private static GpuShare together(GpuShare one, GpuShare other) {
    return new GpuShare(
        one.card(),
        one.uuid(),
        Math.min(one.computeMilli() + other.computeMilli(), MOST_CORES * MILLI_PER_PERCENT),
        Math.min(one.memoryMib() + other.memoryMib(), MOST_MEMORY_MIB),
        Optional.empty());
  }

  private static Placement placement(PodFacts pod, NodeSpec node, List<GpuShare> shares) {
    var first = shares.getFirst();
    var demand =
        new GpuDemand.Share(
            Math.min(first.computeMilli(), Gpu.WHOLE_MILLI), Math.max(1, first.memoryMib()));
    var request =
        new GpuRequest(
            pod.uid(),
            RequestShape.of(shares.size(), demand),
            new Standing("", pod.priority(), true, Optional.empty()));
    return new Placement(request, node.name(), shares);
  }
}
