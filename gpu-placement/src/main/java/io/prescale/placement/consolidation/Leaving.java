package io.prescale.placement.consolidation;

import io.prescale.placement.cluster.Placement;
import io.prescale.placement.vacancy.Departures;
import io.prescale.placement.vacancy.RunningPods;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The pods to move off a node; each leaves independently. */
final class Leaving implements Departures {
  private final RunningPods pods;
  private final boolean[] movable;
  private final List<Integer> gone = new ArrayList<>();

  Leaving(RunningPods pods, MoveState state) {
    this.pods = pods;
    movable = new boolean[pods.size()];
    for (int pod = 0; pod < movable.length; pod++) {
      movable[pod] = state.mayMove(pods.placement(pod));
    }
  }

  @Override
  public boolean mayLeave(int pod) {
    return movable[pod];
  }

  @Override
  public boolean isGone(int pod) {
    return gone.contains(pod);
  }

  @Override
  public boolean leave(int pod) {
    if (!movable[pod]) {
      return false;
    }
    if (!isGone(pod)) {
      gone.add(pod);
    }
    return true;
  }

  @Override
  public int count() {
    return gone.size();
  }

  @Override
  public void backTo(int count) {
    while (gone.size() > count) {
      gone.removeLast();
    }
  }

  /** The pods, those with the most and the largest shares first: they are the hardest to place. */
  List<Placement> pods() {
    return gone.stream()
        .sorted(
            Comparator.comparingInt((Integer pod) -> -pods.placement(pod).shares().size())
                .thenComparingLong(pod -> -pods.milliOf(pod)))
        .map(pods::placement)
        .toList();
  }
}
