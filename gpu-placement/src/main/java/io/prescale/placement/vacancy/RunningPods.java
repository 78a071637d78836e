package io.prescale.placement.vacancy;

import io.prescale.placement.cluster.ClusterSnapshot;
import io.prescale.placement.cluster.GpuNode;
import io.prescale.placement.cluster.GpuShare;
import io.prescale.placement.cluster.Placement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

/** All placements of a snapshot, numbered from 0, indexed by node, card and gang. Immutable. */
public final class RunningPods {
  private static final int[] NONE = {};

  private final ClusterSnapshot cluster;
  private final List<Placement> placements = new ArrayList<>();
  private final List<Long> milli = new ArrayList<>();
  private final int[][] onNode;
  private final int[][][] onCard;
  private final int[] widest;
  private final Map<String, int[]> gangs = new HashMap<>();

  private RunningPods(ClusterSnapshot cluster, ToLongFunction<Placement> milliOf) {
    this.cluster = cluster;
    onNode = new int[cluster.size()][];
    onCard = new int[cluster.size()][][];
    widest = new int[cluster.size()];
    Map<String, List<Integer>> members = new HashMap<>();
    for (int node = 0; node < cluster.size(); node++) {
      number(node, members);
    }
    members.forEach((gang, pods) -> gangs.put(gang, toArray(pods)));
    placements.forEach(pod -> milli.add(milliOf.applyAsLong(pod)));
  }

  /** The pods of a snapshot, for each of which is paid what it has of its cards. */
  public static RunningPods of(ClusterSnapshot cluster) {
    return of(cluster, pod -> cluster.find(pod.node()).orElseThrow().milliOf(pod));
  }

  /**
   * The pods of a snapshot.
   *
   * @param milliOf the thousandths of a card that are paid for a pod
   */
  public static RunningPods of(ClusterSnapshot cluster, ToLongFunction<Placement> milliOf) {
    return new RunningPods(cluster, milliOf);
  }

  private void number(int index, Map<String, List<Integer>> members) {
    GpuNode node = cluster.node(index);
    int first = placements.size();
    List<List<Integer>> cards = new ArrayList<>();
    for (int card = 0; card < node.cards(); card++) {
      cards.add(new ArrayList<>());
    }
    for (Placement placement : node.placements()) {
      int pod = placements.size();
      placements.add(placement);
      placement.shares().stream()
          .mapToInt(GpuShare::card)
          .distinct() // of a card in MIG mode it may have several instances
          .forEach(card -> cards.get(card).add(pod));
      widest[index] = Math.max(widest[index], placement.shares().size());
      placement
          .request()
          .standing()
          .gang()
          .ifPresent(gang -> members.computeIfAbsent(gang, _ -> new ArrayList<>()).add(pod));
    }
    onNode[index] = IntStream.range(first, placements.size()).toArray();
    onCard[index] = new int[node.cards()][];
    for (int card = 0; card < node.cards(); card++) {
      int at = card;
      cards.get(card).sort(Comparator.comparingLong((Integer pod) -> -sizeOn(at, pod)));
      onCard[index][card] = toArray(cards.get(card));
    }
  }

  private long sizeOn(int card, int pod) {
    return placement(pod).shares().stream()
        .filter(share -> share.card() == card)
        .mapToLong(GpuShare::memoryMib)
        .sum();
  }

  private static int[] toArray(List<Integer> numbers) {
    return numbers.stream().mapToInt(Integer::intValue).toArray();
  }

  public ClusterSnapshot cluster() {
    return cluster;
  }

  public int size() {
    return placements.size();
  }

  public Placement placement(int pod) {
    return placements.get(pod);
  }

  /** The thousandths of a card that a pod's queue pays for. */
  public long milliOf(int pod) {
    return milli.get(pod);
  }

  /** The pods of a gang; empty if it has none. */
  public IntStream gang(String name) {
    return IntStream.of(gangs.getOrDefault(name, NONE));
  }

  /** The largest number of cards that a pod on the node holds; 0 on an empty node. */
  public int widestOn(int node) {
    return widest[node];
  }

  int[] onNode(int node) {
    return onNode[node];
  }

  /** The pods on a card, those with the most of its memory first. */
  int[] onCard(int node, int card) {
    return onCard[node][card];
  }
}
