package io.prescale.placement.fragmentation;

import io.prescale.placement.cluster.ClusterSnapshot;
import io.prescale.placement.cluster.Gpu;
import io.prescale.placement.cluster.GpuDemand;
import io.prescale.placement.cluster.GpuHealth;
import io.prescale.placement.cluster.GpuNode;
import io.prescale.placement.cluster.Partitioning;
import io.prescale.placement.cluster.RequestShape;
import io.prescale.placement.fragmentation.TargetWorkload.TaskClass;
import io.prescale.placement.mig.MigProfile;
import io.prescale.placement.topology.CardSet;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The idle GPU of a node that a target workload cannot use (ATC'23 §3.2), in thousandths of a card
 * times the weight of the workload's classes: divide by {@link #totalWeight()} for thousandths of a
 * card.
 *
 * <p>For a class that cannot run on a node, all of the node's idle GPU is lost; otherwise only the
 * free parts of cards that are too full for it. Of a card's compute and memory, the scarcer one
 * counts; cards that are not usable count as full. Caches results for nodes, which are immutable;
 * not thread-safe.
 */
public final class Fragmentation {
  /** The size of the cache, a power of two. */
  private static final int REMEMBERED = 1 << 16;

  private static final int NEVER = Integer.MAX_VALUE;

  private final long totalWeight;
  private final TaskClass[] tasks;
  private final int[] gpus;
  private final long[] cpuMilli;
  private final int[] weights;
  private final Map<CardKind, int[]> wantedByKind = new HashMap<>();

  /** The last profile requested among nodes whose hashes share their low bits. */
  private final @Nullable Profile[] recent = new Profile[REMEMBERED];

  public Fragmentation(TargetWorkload workload) {
    tasks = workload.classes().toArray(TaskClass[]::new);
    gpus = Arrays.stream(tasks).mapToInt(TaskClass::gpus).toArray();
    cpuMilli = Arrays.stream(tasks).mapToLong(TaskClass::cpuMilli).toArray();
    weights = Arrays.stream(tasks).mapToInt(TaskClass::weight).toArray();
    totalWeight = Arrays.stream(tasks).mapToLong(TaskClass::weight).sum();
  }

  /** The sum of the classes' weights. */
  public long totalWeight() {
    return totalWeight;
  }

  /** The fragmentation of a whole cluster in thousandths of a card. */
  public double milliOf(ClusterSnapshot cluster) {
    return (double) cluster.nodes().mapToLong(node -> profile(node).now()).sum() / totalWeight;
  }

  /** A node's fragmentation, to evaluate placements; O(classes · cards) when not cached. */
  public Profile profile(GpuNode node) {
    int slot = node.hashCode() & (REMEMBERED - 1);
    var known = recent[slot];
    if (known == null || known.node != node) {
      known = new Profile(node);
      recent[slot] = known;
    }
    return known;
  }

  /** The thousandths of a card that each class needs; {@link #NEVER} if it cannot run there. */
  private int[] wantedOf(Gpu gpu) {
    return wantedByKind.computeIfAbsent(
        CardKind.of(gpu), _ -> Arrays.stream(tasks).mapToInt(task -> wanted(task, gpu)).toArray());
  }

  private static int wanted(TaskClass task, Gpu gpu) {
    if (!task.cards().acceptsModel(gpu.model()) || !gpu.canServe(task.demand())) {
      return NEVER;
    }
    return switch (task.demand()) {
      case GpuDemand.WholeGpu whole ->
          gpu.memoryMib() < whole.leastMemoryMib() ? NEVER : Gpu.WHOLE_MILLI;
      case GpuDemand.Fraction fraction -> fraction.milli();
      default -> Math.max(1, gpu.milliFor(task.demand()));
    };
  }

  /** The properties of a card that determine how much of it a class needs. */
  private record CardKind(
      String model,
      int memoryMib,
      int computeMilli,
      Partitioning partitioning,
      int slots,
      List<MigProfile> migProfiles) {
    static CardKind of(Gpu gpu) {
      return new CardKind(
          gpu.model(),
          gpu.memoryMib(),
          gpu.computeMilli(),
          gpu.partitioning(),
          gpu.slots(),
          gpu.migProfiles());
    }
  }

  /** A node's fragmentation, now and after a placement, from the cards that fit each class. */
  public final class Profile {
    private final GpuNode node;
    private final int[][] wantedByCard;
    private final int[] fitting = new int[tasks.length];
    private final int[] idleOnFitting = new int[tasks.length];
    private int idle;

    private Profile(GpuNode node) {
      this.node = node;
      wantedByCard = new int[node.cards()][];
      for (int card = 0; card < node.cards(); card++) {
        var gpu = node.gpu(card);
        boolean isLikeLast = card > 0 && gpu.isAlike(node.gpu(card - 1));
        int[] wanted = isLikeLast ? wantedByCard[card - 1] : wantedOf(gpu);
        wantedByCard[card] = wanted;
        int left = gpu.health().state() == GpuHealth.State.USABLE ? node.freeMilli(card) : 0;
        idle += left;
        for (int i = 0; i < tasks.length; i++) {
          if (left >= wanted[i]) {
            fitting[i]++;
            idleOnFitting[i] += left;
          }
        }
      }
    }

    /** The current fragmentation. */
    public long now() {
      return lost(node.freeCpuMilli(), idle, fitting, idleOnFitting);
    }

    /**
     * How many more requests of each class would fit if only that class came; O(classes · cards)
     * and the logarithm of their number.
     */
    public int[] room() {
      return IntStream.range(0, tasks.length).map(this::room).toArray();
    }

    private int room(int task) {
      int most = gpus[task] == 0 ? 0 : node.cards() * Gpu.WHOLE_MILLI / gpus[task];
      if (cpuMilli[task] > 0) {
        most = (int) Math.min(most, node.freeCpuMilli() / cpuMilli[task]);
      }
      int least = 0;
      while (least < most) {
        int middle = (least + most + 1) >>> 1;
        if (holds(task, middle)) {
          least = middle;
        } else {
          most = middle - 1;
        }
      }
      return least;
    }

    /** Each request takes parts of different cards. */
    private boolean holds(int task, int requests) {
      long parts = 0;
      for (int card = 0; card < node.cards(); card++) {
        boolean isUsable = node.gpu(card).health().state() == GpuHealth.State.USABLE;
        int left = isUsable ? node.freeMilli(card) : 0;
        parts += Math.min(requests, left / Math.max(1, wantedByCard[card][task]));
      }
      return parts >= (long) requests * gpus[task];
    }

    /** The fragmentation after a request is placed on the cards; O(classes · cards taken). */
    public long after(RequestShape shape, CardSet cards) {
      long freeCpuMilli = node.freeCpuMilli() - shape.host().cpuMilli();
      return cards.size() == 1
          ? afterOne(freeCpuMilli, shape.demand(), Integer.numberOfTrailingZeros(cards.bits()))
          : afterSeveral(freeCpuMilli, shape.demand(), cards);
    }

    /** The common case of one card, without copying. */
    private long afterOne(long freeCpuMilli, GpuDemand demand, int card) {
      int[] wanted = wantedByCard[card];
      int before = node.freeMilli(card);
      int left = node.freeMilliAfter(card, demand);
      long usable = 0;
      for (int i = 0; i < wanted.length; i++) {
        int fits = fitting[i];
        int idleOnThose = idleOnFitting[i];
        if (before >= wanted[i]) {
          fits--;
          idleOnThose -= before;
        }
        if (left >= wanted[i]) {
          fits++;
          idleOnThose += left;
        }
        usable += usable(i, freeCpuMilli, fits, idleOnThose);
      }
      return totalWeight * (idle + left - before) - usable;
    }

    private long afterSeveral(long freeCpuMilli, GpuDemand demand, CardSet cards) {
      int[] fits = fitting.clone();
      int[] idleOnThose = idleOnFitting.clone();
      int idleAfter = idle;
      for (int rest = cards.bits(); rest != 0; rest &= rest - 1) {
        int card = Integer.numberOfTrailingZeros(rest);
        int[] wanted = wantedByCard[card];
        int before = node.freeMilli(card);
        int left = node.freeMilliAfter(card, demand);
        idleAfter += left - before;
        for (int i = 0; i < wanted.length; i++) {
          int fitted = before >= wanted[i] ? 1 : 0;
          int stillFits = left >= wanted[i] ? 1 : 0;
          fits[i] += stillFits - fitted;
          idleOnThose[i] += stillFits * left - fitted * before;
        }
      }
      return lost(freeCpuMilli, idleAfter, fits, idleOnThose);
    }

    private long lost(long freeCpuMilli, int idleMilli, int[] fits, int[] idleOnThose) {
      long usable = 0;
      for (int i = 0; i < fits.length; i++) {
        usable += usable(i, freeCpuMilli, fits[i], idleOnThose[i]);
      }
      return totalWeight * idleMilli - usable;
    }

    private long usable(int task, long freeCpuMilli, int fits, int idleOnThose) {
      boolean runs = fits >= gpus[task] && freeCpuMilli >= cpuMilli[task];
      return runs ? (long) weights[task] * idleOnThose : 0;
    }
  }
}
