package io.prescale.placement.reclaim;

import io.prescale.placement.cluster.Standing;
import io.prescale.placement.queue.ReclaimBudget;
import io.prescale.placement.vacancy.Departures;
import io.prescale.placement.vacancy.RunningPods;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The victims so far, within the budget. A gang gives up the pods beyond its minimum one by one;
 * one more ends the whole gang, unless it is to last.
 */
final class Evictions implements Departures {
  private final RunningPods pods;
  private final Standing claimant;
  private final Optional<ReclaimBudget> budget;
  private final boolean[] evictable;
  private final boolean[] gone;
  private final int[] victims;
  private final RunningGang[] gangs;
  private final long[] pauses;
  private int count;
  private int endedGangs;

  private static final class RunningGang {
    private final String name;
    private final int size;
    private final int minimum;
    private final boolean isLasting;
    private int left;

    RunningGang(String name, int size, int minimum, boolean isLasting) {
      this.isLasting = isLasting;
      this.name = name;
      this.size = size;
      this.minimum = Math.min(minimum, size);
    }
  }

  Evictions(RunningPods pods, ReclaimRequest request) {
    this.pods = pods;
    claimant = request.requests().getFirst().standing();
    budget = request.budget().map(ReclaimBudget::copy);
    evictable = new boolean[pods.size()];
    gone = new boolean[pods.size()];
    victims = new int[pods.size()];
    gangs = new RunningGang[pods.size()];
    pauses = new long[pods.size()];
    Map<String, RunningGang> byName = new HashMap<>();
    for (int pod = 0; pod < pods.size(); pod++) {
      Standing standing = pods.placement(pod).request().standing();
      evictable[pod] = isEvictable(pod, standing);
      pauses[pod] = pods.milliOf(pod) * request.pauseCost(nameOf(pod)).toSeconds();
      if (standing.gang().isPresent()) {
        gangs[pod] =
            byName.computeIfAbsent(
                standing.gang().get(),
                name -> {
                  int size = (int) pods.gang(name).count();
                  return new RunningGang(
                      name,
                      size,
                      request.gangMinimum().getOrDefault(name, size),
                      request.lasting().contains(name));
                });
      }
    }
  }

  private boolean isEvictable(int pod, Standing standing) {
    if (!standing.preemptible()
        || (standing.gang().isPresent() && standing.gang().equals(claimant.gang()))) {
      return false;
    }
    if (budget.isEmpty() || standing.queue().equals(claimant.queue())) {
      return standing.priority() < claimant.priority();
    }
    return budget.get().allows(standing.queue(), pods.milliOf(pod));
  }

  /** Has a pod stay from now on. */
  void keep(int pod) {
    evictable[pod] = false;
  }

  /** Lets a pod leave again that was kept. */
  void keepNoMore(int pod) {
    evictable[pod] = true;
  }

  @Override
  public boolean mayLeave(int pod) {
    return evictable[pod];
  }

  @Override
  public boolean isGone(int pod) {
    return gone[pod];
  }

  @Override
  public boolean leave(int pod) {
    if (gone[pod]) {
      return true;
    }
    RunningGang gang = gangs[pod];
    if (gang == null || gang.left < gang.size - gang.minimum) {
      return evict(pod);
    }
    if (gang.isLasting) {
      return false;
    }
    int before = count;
    boolean whole = pods.gang(gang.name).allMatch(member -> gone[member] || evict(member));
    if (!whole) {
      backTo(before);
    }
    return whole;
  }

  private boolean evict(int pod) {
    if (!evictable[pod] || !pay(pod)) {
      return false;
    }
    gone[pod] = true;
    victims[count++] = pod;
    RunningGang gang = gangs[pod];
    if (gang != null && ++gang.left == gang.size) {
      endedGangs++;
    }
    return true;
  }

  private boolean pay(int pod) {
    if (budget.isEmpty() || isOfClaimant(pod)) {
      return true;
    }
    if (!budget.get().allows(queueOf(pod), pods.milliOf(pod))) {
      return false;
    }
    budget.get().take(queueOf(pod), pods.milliOf(pod));
    return true;
  }

  private boolean isOfClaimant(int pod) {
    return queueOf(pod).equals(claimant.queue());
  }

  private String nameOf(int pod) {
    return pods.placement(pod).request().name();
  }

  private String queueOf(int pod) {
    return pods.placement(pod).request().standing().queue();
  }

  @Override
  public int count() {
    return count;
  }

  @Override
  public void backTo(int before) {
    while (count > before) {
      int pod = victims[--count];
      gone[pod] = false;
      RunningGang gang = gangs[pod];
      if (gang != null && gang.left-- == gang.size) {
        endedGangs--;
      }
      if (budget.isPresent() && !isOfClaimant(pod)) {
        budget.get().giveBack(queueOf(pod), pods.milliOf(pod));
      }
    }
  }

  /** The victims chosen after a mark, in the order of their choice. */
  List<Integer> since(int mark) {
    return Arrays.stream(victims, mark, count).boxed().toList();
  }

  /** What all evictions so far cost, when those up to a mark cost what is given. */
  EvictionCost cost(int mark, EvictionCost upToMark) {
    int highestPriority = upToMark.highestPriority();
    long paused = upToMark.pauses();
    long milli = upToMark.milli();
    for (int i = mark; i < count; i++) {
      highestPriority =
          Math.max(highestPriority, pods.placement(victims[i]).request().standing().priority());
      paused += pauses[victims[i]];
      milli += pods.milliOf(victims[i]);
    }
    return new EvictionCost(count, endedGangs, highestPriority, paused, milli);
  }
}
