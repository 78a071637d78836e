package io.prescale.controller.scheduler.extender;

import io.prescale.controller.scheduler.moves.MoveRow;
import io.prescale.controller.scheduler.queues.QueueRows;
import io.prescale.controller.web.GpuPage;
import io.prescale.controller.web.GpusView;
import io.prescale.controller.web.cards.CardFacts;
import io.prescale.controller.web.cards.CardHistory;
import io.prescale.controller.web.cards.GpuPages;
import io.prescale.placement.cluster.GpuNode;
import io.prescale.placement.fragmentation.Fragmentation;
import io.prescale.placement.fragmentation.TargetWorkload.TaskClass;
import io.prescale.placement.inventory.CardReading;
import io.prescale.placement.inventory.PodFacts.Phase;
import io.prescale.placement.ledger.Ledger;
import io.prescale.placement.ledger.Utilisation.Membership;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.function.Supplier;

/** The extender's nodes and cards, page by page. Thread-safe. */
final class CardPages {
  private static final int MILLI_A_PERCENT = 10;
  private static final int FULL = 1000;

  private final Ledger ledger;
  private final Supplier<Map<String, CardReading>> readings;
  private final Function<String, Optional<Membership>> memberships;
  private final Supplier<QueueRows> queues;
  private final Supplier<List<MoveRow>> moves;
  private final CardHistory history = new CardHistory();

  /**
   * @param readings what exporters report about cards, by UUID
   * @param memberships the queue and workload of a pod, by its UID
   * @param queues as they are written and stand now
   * @param moves under way, planned and made
   */
  CardPages(
      Ledger ledger,
      Supplier<Map<String, CardReading>> readings,
      Function<String, Optional<Membership>> memberships,
      Supplier<QueueRows> queues,
      Supplier<List<MoveRow>> moves) {
    this.ledger = ledger;
    this.readings = readings;
    this.memberships = memberships;
    this.queues = queues;
    this.moves = moves;
  }

  GpuPage page(GpusView.Query query) {
    var workload = ledger.workload();
    // One for each page, because it remembers the nodes that it has seen.
    var fragmentation = new Fragmentation(workload);
    var rows = queues.get();
    return new GpuPages(
            ledger.cluster(),
            fragmentation,
            workload.classes().stream().map(TaskClass::words).toList(),
            new LedgerFacts(readings.get(), ledger.problems()))
        .page(query, ledger.decisions(), ledger.totals().refused())
        .with(
            rows.queues(),
            rows.notices(),
            rows.steps(),
            moves.get().stream().limit(QueueRows.MOST).map(CardPages::row).toList(),
            history.course());
  }

  /** Remembers what queues hold, for the course of a day. */
  void remember(Instant now) {
    var rows = queues.get();
    history.observe(now, rows.queues(), rows.notices());
  }

  private static GpuPage.Move row(MoveRow move) {
    return new GpuPage.Move(
        move.pod(), move.from(), move.to(), move.reason(), move.stateInWords(), move.at());
  }

  private final class LedgerFacts implements CardFacts {
    private final Map<String, CardReading> cards;
    private final Map<String, List<String>> problems;

    LedgerFacts(Map<String, CardReading> cards, Map<String, List<String>> problems) {
      this.cards = cards;
      this.problems = problems;
    }

    /** A pod that has gone meanwhile is shown by its UID. */
    @Override
    public Holder holder(String request) {
      var workload = memberships.apply(request).map(it -> it.workload().name()).orElse("");
      return ledger
          .holder(request)
          .map(pod -> new Holder(pod.display(), workload, pod.phase() == Phase.RUNNING))
          .orElseGet(() -> new Holder(request, workload, false));
    }

    @Override
    public OptionalInt usedMilli(GpuNode node, int card) {
      var reading = cards.get(node.gpu(card).uuid());
      return reading == null || reading.utilisationPercent().isEmpty()
          ? OptionalInt.empty()
          : OptionalInt.of(
              Math.clamp(
                  (long) MILLI_A_PERCENT * reading.utilisationPercent().getAsInt(), 0, FULL));
    }

    @Override
    public List<String> problems(String node) {
      return problems.getOrDefault(node, List.of());
    }
  }
}
