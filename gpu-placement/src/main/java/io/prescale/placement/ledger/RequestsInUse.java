package io.prescale.placement.ledger;

import io.prescale.placement.fragmentation.RecentRequests;
import io.prescale.placement.fragmentation.TargetWorkload;
import io.prescale.placement.inventory.DemandReader;
import io.prescale.placement.inventory.PodDemand;
import java.time.Instant;
import java.util.stream.Stream;

/** What pods have and wait for, by which fragmentation is measured. Not thread-safe. */
final class RequestsInUse {
  private final Holdings holdings;
  private final WaitingPods waiting;
  private final DemandReader reader;
  private final RecentRequests recent = new RecentRequests();

  RequestsInUse(Holdings holdings, WaitingPods waiting, DemandReader reader) {
    this.holdings = holdings;
    this.waiting = waiting;
    this.reader = reader;
  }

  /** As {@link Ledger#observeRequests}. */
  void observe(Instant now) {
    if (recent.isDue(now)) {
      var pods =
          Stream.concat(
              holdings.all().map(Holding::pod),
              waiting.all().filter(pod -> !holdings.has(pod.uid())));
      recent.observe(
          pods.map(reader::read)
              .filter(PodDemand.Cards.class::isInstance)
              .map(demand -> ((PodDemand.Cards) demand).shape()),
          now);
    }
  }

  /** That of the last week, or the usual one where too little is known. */
  TargetWorkload workload() {
    return recent.workload().orElseGet(UsualWorkload::shares);
  }
}
