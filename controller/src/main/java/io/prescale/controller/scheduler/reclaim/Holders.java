package io.prescale.controller.scheduler.reclaim;

import io.prescale.placement.ledger.ReclaimFacts;
import io.prescale.placement.notice.CardHolder;
import io.prescale.placement.notice.ReclaimPolicy;
import java.util.HashMap;
import java.util.Map;

/**
 * The pods that have cards, on the terms of their queues.
 *
 * @param minimum how many pods a gang needs to go on
 */
record Holders(Map<String, CardHolder> byUid, Map<String, Integer> minimum) {
  static Holders of(
      ReclaimFacts known, Map<String, PodTerms> pods, Map<String, ReclaimPolicy> terms) {
    var holders = new HashMap<String, CardHolder>();
    var minimum = new HashMap<String, Integer>();
    for (var held : known.held()) {
      var pod = pods.get(held.pod().uid());
      if (pod != null) {
        var policy = terms.getOrDefault(held.queue(), ReclaimPolicy.OFF);
        holders.put(pod.uid(), pod.holding(held, policy));
        held.group().ifPresent(group -> minimum.put(pod.gang(group), group.size()));
      }
    }
    return new Holders(holders, minimum);
  }
}
