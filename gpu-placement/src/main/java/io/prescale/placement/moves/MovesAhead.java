package io.prescale.placement.moves;

import io.prescale.placement.cluster.RequestShape;
import io.prescale.placement.consolidation.MovePlan;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** The moves that would make room for pods that wait, before any of them is begun. */
public final class MovesAhead {
  /** Bounds the time: each plan is made for the whole cluster anew. */
  private static final int MOST_PLANS = 100;

  private MovesAhead() {}

  private record Alike(RequestShape shape, int priority, Set<String> nodes) {
    static Alike of(WantingPod pod) {
      return new Alike(pod.request().shape(), pod.request().standing().priority(), pod.nodes());
    }
  }

  /**
   * Plans for one pod after another, each as if those before it were carried out; no pod moves
   * twice. For a pod like one for which there was no plan, none is looked for, and for no more than
   * a hundred in all.
   *
   * @return by the UID of the pod that waits; those for which no moves make room are left out
   */
  public static Map<String, MovePlan> of(MoveView view) {
    var plans = new LinkedHashMap<String, MovePlan>();
    var inVain = new HashSet<Alike>();
    var now = view;
    for (var wanted : view.wanted().stream().sorted(WantingPod.ORDER).toList()) {
      if (plans.size() + inVain.size() < MOST_PLANS && !inVain.contains(Alike.of(wanted))) {
        var ground = new Ground(now);
        var plan = new MovePlanner(now, ground).roomFor(wanted);
        if (plan.isPresent()) {
          plans.put(wanted.uid(), plan.get());
          now = after(now, ground, plan.get());
        } else {
          inVain.add(Alike.of(wanted));
        }
      }
    }
    return plans;
  }

  /** On the ground, pods that leave have left, as the plan has it. */
  private static MoveView after(MoveView view, Ground ground, MovePlan plan) {
    var cluster = ground.cluster();
    var residents = new HashMap<>(view.residents());
    for (var move : plan.moves()) {
      var uid = move.from().request().name();
      var from = cluster.find(move.from().node()).flatMap(it -> it.placementOf(uid)).orElseThrow();
      cluster = cluster.without(from).with(move.to());
      residents.remove(uid);
    }
    return view.with(cluster.with(plan.target().orElseThrow()), residents);
  }
}
