package io.prescale.controller.scheduler.reclaim;

import io.prescale.placement.ledger.ReclaimFacts;
import io.prescale.placement.notice.CardHolder;
import io.prescale.placement.notice.ReclaimPolicy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The pods that have cards, on the terms of their queues.
 *
 * @param minimum how many pods a gang needs to go on
 */
record Holders(Map<String, CardHolder> byUid, Map<String, Integer> minimum) {
  /**
   * Those that are known.
   *
   * @param ownership what is suspended with a pod
   * @param now pods that should have ended long before are taken to stay
   */
  static Holders of(
      ReclaimFacts known,
      Map<String, PodTerms> pods,
      Map<String, ReclaimPolicy> terms,
      Function<PodTerms, Ownership> ownership,
      Instant now) {
    var holders = new HashMap<String, CardHolder>();
    var minimum = new HashMap<String, Integer>();
    var evictions = new HashMap<String, Integer>();
    for (var held : known.held()) {
      var pod = pods.get(held.pod().uid());
      if (pod != null) {
        var policy = terms.getOrDefault(held.queue(), ReclaimPolicy.OFF);
        var owned = ownership.apply(pod);
        var holder = pod.holding(held, policy, owned, now);
        holders.put(pod.uid(), holder);
        if (holder.isElastic()) {
          pod.elasticity()
              .ifPresent(
                  it -> minimum.merge(holder.workload().orElseThrow(), it.minimum(), Math::max));
        }
        held.group().ifPresent(group -> minimum.put(group.in(pod.namespace()), group.size()));
        if (owned instanceof Ownership.By(_, var most)) {
          holder.gang().ifPresent(gang -> evictions.merge(gang, most, Math::min));
        }
      }
    }
    withoutEndingJobs(holders.values(), evictions, minimum);
    return new Holders(holders, minimum);
  }

  /**
   * Beyond as many evictions as its Job survives a gang leaves as a whole, by a suspension. Those
   * that are leaving are among the failures of their Job, and on no cards that could be taken.
   */
  private static void withoutEndingJobs(
      Collection<CardHolder> holders,
      Map<String, Integer> evictions,
      Map<String, Integer> minimum) {
    var members = new HashMap<String, Integer>();
    holders.stream()
        .filter(holder -> !holder.isLeaving())
        .flatMap(holder -> holder.gang().stream())
        .forEach(gang -> members.merge(gang, 1, Integer::sum));
    minimum.replaceAll(
        (gang, needed) ->
            Math.max(
                needed,
                members.getOrDefault(gang, 0) - evictions.getOrDefault(gang, Integer.MAX_VALUE)));
  }

  /**
   * The pods of which it has to be known what is suspended with them: all in the namespaces of
   * those that may be taken, since a workload may have pods of queues that give nothing back.
   */
  static List<PodTerms> concerned(
      ReclaimFacts known, Map<String, PodTerms> pods, Map<String, ReclaimPolicy> terms) {
    var holding = new ArrayList<PodTerms>();
    var namespaces = new HashSet<String>();
    for (var held : known.held()) {
      var pod = pods.get(held.pod().uid());
      if (pod != null) {
        holding.add(pod);
        if (pod.isNoticed() || isTaken(held, terms)) {
          namespaces.add(pod.namespace());
        }
      }
    }
    return holding.stream().filter(pod -> namespaces.contains(pod.namespace())).toList();
  }

  private static boolean isTaken(ReclaimFacts.Held held, Map<String, ReclaimPolicy> terms) {
    return terms.getOrDefault(held.queue(), ReclaimPolicy.OFF).mode() != ReclaimPolicy.Mode.OFF;
  }
}
