package io.prescale.placement.ledger;

import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.inventory.PodFacts.Group;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

/** Knows what there is of gangs, and what they take of queues. Not thread-safe. */
record PodGangs(Holdings holdings, WaitingPods waiting, QueueAccounts queues) {
  /** The places of one gang are found in one call, during which all others wait. */
  static final int MOST_MEMBERS = 1_000;

  /** The gang of a pod. */
  PodGang of(PodFacts pod, Group group) {
    var all = waiting.beside(pod, group).stream().limit(MOST_MEMBERS).toList();
    var absent = all.stream().filter(member -> !holdings.has(member.uid())).toList();
    var bound =
        holdings
            .all()
            .filter(it -> it.pod().isOf(pod.namespace(), group) && !waiting.has(it.pod().uid()));
    var others = all.stream().flatMap(member -> holdings.of(member.uid()).stream());
    return new PodGang(group, absent, Stream.concat(bound, others).toList());
  }

  /** Why a queue may not have what the gang takes of it at least, if it may not. */
  Optional<Candidates> heldBack(PodGang gang, Instant now) {
    var asker = "group " + gang.group().name();
    return gang.least(queues::queueOf, queues::leastOf).entrySet().stream()
        .flatMap(each -> queues.refusal(each.getKey(), asker, each.getValue(), now).stream())
        .findFirst()
        .map(Candidates.HeldBack::new);
  }

  /** What a member's gang takes at least of the member's queue, in thousandths of a card. */
  long together(PodFacts member, Group group) {
    var least = of(member, group).least(queues::queueOf, queues::leastOf);
    return Math.max(
        queues.leastOf(member), least.getOrDefault(queues.queueOf(member), Long.valueOf(0)));
  }
}
