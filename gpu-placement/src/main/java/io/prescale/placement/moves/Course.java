package io.prescale.placement.moves;

import io.prescale.placement.consolidation.Move;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a round leaves to the next one. If it is lost, only a plan is lost: what has begun stands on
 * pods.
 *
 * @param plan moves that have not begun, in order
 * @param goal for what the plan makes room
 * @param pursued moves that have begun
 * @param ended pods that are still leaving although their move is over
 * @param searched until when no plan is made for a waiting pod again, by UID
 * @param nextLook when fragmentation is considered again
 */
public record Course(
    List<Move> plan,
    Optional<Goal> goal,
    List<Pursued> pursued,
    Set<String> ended,
    Map<String, Instant> searched,
    Instant nextLook) {
  /** Nothing has begun, and nothing is planned. */
  public static final Course NONE =
      new Course(List.of(), Optional.empty(), List.of(), Set.of(), Map.of(), Instant.MIN);

  /**
   * Room for a waiting pod.
   *
   * @param wanted its UID
   * @param uuids the cards that it is to get, and those that moves for it have freed
   * @param until when they are given out again though it is not bound; moves put it off
   */
  public record Goal(String wanted, Set<String> uuids, Instant until) {
    public Goal {
      uuids = Set.copyOf(uuids);
    }

    Goal with(Set<String> freed, Instant newUntil) {
      var all = new HashSet<>(uuids);
      all.addAll(freed);
      return new Goal(wanted, all, newUntil);
    }
  }

  public Course {
    plan = List.copyOf(plan);
    pursued = List.copyOf(pursued);
    ended = Set.copyOf(ended);
    searched = Map.copyOf(searched);
  }

  /** Whether a move has begun, or is the next one. */
  public boolean isBusy() {
    return !pursued.isEmpty() || !plan.isEmpty() || goal.isPresent();
  }

  /** The same without a plan. */
  Course withoutPlan() {
    return new Course(List.of(), Optional.empty(), pursued, ended, searched, nextLook);
  }

  Course withPlan(List<Move> newPlan, Optional<Goal> newGoal) {
    return new Course(newPlan, newGoal, pursued, ended, searched, nextLook);
  }

  /** Removes the next move from the plan if it is that of a pod. */
  Course begun(String uid) {
    boolean isNext = !plan.isEmpty() && plan.getFirst().from().request().name().equals(uid);
    return isNext ? withPlan(plan.subList(1, plan.size()), goal) : this;
  }

  Course withPursued(List<Pursued> now, Set<String> nowEnded) {
    return new Course(plan, goal, now, nowEnded, searched, nextLook);
  }

  Course withNextLook(Instant then) {
    return new Course(plan, goal, pursued, ended, searched, then);
  }

  /** Records a search; forgets those that may be repeated. */
  Course searchedFor(String wanted, Instant now, Instant again) {
    var all = new HashMap<>(searched);
    all.values().removeIf(until -> !until.isAfter(now));
    all.put(wanted, again);
    return new Course(plan, goal, pursued, ended, all, nextLook);
  }
}
