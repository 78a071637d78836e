package io.prescale.controller.scheduler.extender;

import io.prescale.controller.scheduler.reclaim.Noticed;
import io.prescale.controller.web.GpuPage;
import io.prescale.placement.ledger.QueueState;
import io.prescale.placement.queue.Quota;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Queues and notices as the page shows them.
 *
 * @param queues by name
 * @param notices those that run out first
 */
record QueueRows(List<GpuPage.Queue> queues, List<GpuPage.Notice> notices) {
  /** What a page shows of each. */
  static final int MOST = 500;

  private static final int LONGEST = 300;
  static final QueueRows NONE = new QueueRows(List.of(), List.of());

  static QueueRows of(
      WrittenQueues written, Collection<QueueState> states, Collection<Noticed> noticed) {
    var known = states.stream().collect(Collectors.toMap(QueueState::name, Function.identity()));
    return new QueueRows(
        written.all().stream()
            .limit(MOST)
            .map(it -> row(it, Optional.ofNullable(known.get(it.name())), written))
            .toList(),
        noticed.stream()
            .limit(MOST)
            .map(it -> new GpuPage.Notice(it.pod(), it.queue(), it.until(), it.claim()))
            .toList());
  }

  /** Amounts are those in force, which are not those of a spec with a fault. */
  private static GpuPage.Queue row(
      QueueReader.Written queue, Optional<QueueState> state, WrittenQueues written) {
    var inForce = state.filter(_ -> written.isInForce(queue.name()));
    var quota = inForce.map(QueueState::quota);
    return new GpuPage.Queue(
        queue.name(),
        queue.entry().flatMap(it -> it.parent()).orElse(""),
        quota.map(Quota::guaranteed).orElse(0L),
        quota.map(Quota::limit).filter(it -> it < Quota.UNLIMITED).orElse(null),
        inForce.map(QueueState::usedMilli).orElse(0L),
        inForce.map(QueueState::owedMilli).orElse(0L),
        inForce.map(QueueState::waiting).orElse(0),
        inForce.flatMap(QueueState::oldest).orElse(null),
        written.fault(queue.name()).map(it -> cut(it.sentence())).orElse(""));
  }

  private static String cut(String text) {
    return text.length() <= LONGEST ? text : text.substring(0, LONGEST - 1) + "…";
  }
}
