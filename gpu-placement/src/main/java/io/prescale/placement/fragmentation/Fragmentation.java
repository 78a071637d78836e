package io.prescale.placement.fragmentation;

import io.prescale.placement.cluster.ClusterSnapshot;
import io.prescale.placement.cluster.Gpu;
import io.prescale.placement.cluster.GpuDemand;
import io.prescale.placement.cluster.GpuHealth;
import io.prescale.placement.cluster.GpuNode;
import io.prescale.placement.cluster.RequestShape;
import io.prescale.placement.fragmentation.TargetWorkload.TaskClass;
import io.prescale.placement.topology.CardSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The idle GPU of a node that a target workload could not use (ATC'23 §3.2), in thousandths of a
 * card times the weight of the workload's classes: divide by {@link #totalWeight()} for thousandths
 * of a card.
 *
 * <p>For one class, all of a node's idle GPU is lost when the class cannot run there; otherwise
 * only what is left of the cards too full for it. Of a card with both compute and memory, the
 * scarcer one counts; cards that are not usable count as full. For one thread, because it remembers
 * which models the classes accept.
 */
public final class Fragmentation {
  private final TargetWorkload workload;
  private final List<TaskClass> classes;
  private final long totalWeight;
  private final Map<String, boolean[]> acceptedByModel = new HashMap<>();

  public Fragmentation(TargetWorkload workload) {
    this.workload = workload;
    classes = workload.classes();
    totalWeight = classes.stream().mapToLong(TaskClass::weight).sum();
  }

  public TargetWorkload workload() {
    return workload;
  }

  /** The sum of the classes' weights. */
  public long totalWeight() {
    return totalWeight;
  }

  /** The fragmentation of a whole cluster in thousandths of a card. */
  public double milliOf(ClusterSnapshot cluster) {
    return (double) cluster.nodes().mapToLong(node -> profile(node).now()).sum() / totalWeight;
  }

  /** The fragmentation of a node, ready to be asked what a placement would change; O(classes). */
  public Profile profile(GpuNode node) {
    return new Profile(node);
  }

  private boolean[] acceptedOn(Gpu gpu) {
    return acceptedByModel.computeIfAbsent(
        gpu.model(),
        model -> {
          var accepted = new boolean[classes.size()];
          for (int i = 0; i < accepted.length; i++) {
            accepted[i] = classes.get(i).cards().acceptsModel(model);
          }
          return accepted;
        });
  }

  /** For each class, how many cards of one node fit it and what is idle on those. */
  public final class Profile {
    private final GpuNode node;
    private final boolean[][] acceptedByCard;
    private final int[] fitting = new int[classes.size()];
    private final int[] idleOnFitting = new int[classes.size()];
    private int idle;

    private Profile(GpuNode node) {
      this.node = node;
      acceptedByCard = new boolean[node.cards()][];
      for (int card = 0; card < node.cards(); card++) {
        var gpu = node.gpu(card);
        boolean sameModel = card > 0 && gpu.model().equals(node.gpu(card - 1).model());
        acceptedByCard[card] = sameModel ? acceptedByCard[card - 1] : acceptedOn(gpu);
        int left = isUsable(card) ? node.freeMilli(card) : 0;
        idle += left;
        count(card, left, 1, fitting, idleOnFitting);
      }
    }

    private boolean isUsable(int card) {
      return node.gpu(card).health().state() == GpuHealth.State.USABLE;
    }

    private void count(int card, int left, int sign, int[] fits, int[] idles) {
      for (int i = 0; i < fits.length; i++) {
        if (left > 0 && acceptedByCard[card][i] && fits(card, left, classes.get(i))) {
          fits[i] += sign;
          idles[i] += sign * left;
        }
      }
    }

    private boolean fits(int card, int left, TaskClass task) {
      int wanted =
          switch (task.demand()) {
            case GpuDemand.WholeGpu _ -> Gpu.WHOLE_MILLI;
            case GpuDemand.Fraction fraction -> fraction.milli();
            default -> node.gpu(card).milliFor(task.demand());
          };
      return left >= wanted;
    }

    /** The fragmentation as it is. */
    public long now() {
      return sum(node.freeCpuMilli(), idle, fitting, idleOnFitting);
    }

    /** The fragmentation after a request is placed on the cards; O(classes · cards taken). */
    public long after(RequestShape shape, CardSet cards) {
      int[] fits = fitting.clone();
      int[] idles = idleOnFitting.clone();
      int idleAfter = idle;
      for (int rest = cards.bits(); rest != 0; rest &= rest - 1) {
        int card = Integer.numberOfTrailingZeros(rest);
        int before = node.freeMilli(card);
        int left = node.freeMilliAfter(card, shape.demand());
        idleAfter += left - before;
        count(card, before, -1, fits, idles);
        count(card, left, 1, fits, idles);
      }
      return sum(node.freeCpuMilli() - shape.host().cpuMilli(), idleAfter, fits, idles);
    }

    private long sum(long freeCpuMilli, int idleMilli, int[] fits, int[] idles) {
      long sum = 0;
      for (int i = 0; i < fits.length; i++) {
        var task = classes.get(i);
        boolean runs = task.gpus() > 0 && fits[i] >= task.gpus() && freeCpuMilli >= task.cpuMilli();
        sum += (long) task.weight() * (runs ? idleMilli - idles[i] : idleMilli);
      }
      return sum;
    }
  }
}
