package io.prescale.controller.scheduler.queues;

import io.prescale.controller.api.v1alpha1.Shortened;
import io.prescale.controller.scheduler.evictions.NewestSteps;
import io.prescale.controller.scheduler.reclaim.Noticed;
import io.prescale.controller.web.GpuPage;
import io.prescale.controller.web.cards.GpuPages;
import io.prescale.placement.ledger.QueueState;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Queues and what is taken back from them, as the page shows it.
 *
 * @param queues by name
 * @param notices those that run out first
 * @param steps the newest first
 */
public record QueueRows(
    List<GpuPage.Queue> queues, List<GpuPage.Notice> notices, List<GpuPage.Step> steps) {
  /** What a page shows of each. */
  public static final int MOST = 500;

  private static final int LONGEST = 300;

  /** Where there are no queues. */
  public static final QueueRows NONE = new QueueRows(List.of(), List.of(), List.of());

  static QueueRows of(
      WrittenQueues written,
      Collection<QueueState> states,
      Collection<Noticed> noticed,
      List<NewestSteps.Step> steps) {
    var known = states.stream().collect(Collectors.toMap(QueueState::name, Function.identity()));
    return new QueueRows(
        written.all().stream()
            .limit(MOST)
            .map(it -> row(it, Optional.ofNullable(known.get(it.name())), written))
            .toList(),
        noticed.stream()
            .limit(MOST)
            .map(it -> new GpuPage.Notice(it.pod(), it.queue(), it.until(), it.claim()))
            .toList(),
        steps.stream()
            .map(it -> new GpuPage.Step(it.at(), it.object(), Shortened.to(LONGEST, it.sentence())))
            .toList());
  }

  /** Amounts are those in force, which are not those of a spec with a fault. */
  private static GpuPage.Queue row(
      QueueReader.Written queue, Optional<QueueState> state, WrittenQueues written) {
    var name = queue.name();
    var parent = queue.entry().flatMap(it -> it.parent()).orElse("");
    var fault = written.fault(name).map(it -> Shortened.to(LONGEST, it.sentence())).orElse("");
    return state
        .filter(_ -> written.isInForce(name))
        .map(it -> GpuPages.queue(it, parent, fault))
        .orElseGet(() -> new GpuPage.Queue(name, parent, 0, null, 0, 0, 0, null, fault));
  }
}
