package io.prescale.controller.scheduler.extender;

import io.prescale.adapter.server.SharedPage;
import io.prescale.controller.scheduler.bookings.BookingMetrics;
import io.prescale.controller.scheduler.extender.ExtenderApi.Verb;
import io.prescale.controller.scheduler.moves.MoveMetrics;
import io.prescale.controller.scheduler.queues.QueueMetrics;
import io.prescale.controller.scheduler.reclaim.BookingState;
import io.prescale.controller.scheduler.reclaim.ReclaimMetrics;
import io.prescale.controller.scheduler.warm.WarmMetrics;
import io.prescale.placement.claims.ClaimLedger;
import io.prescale.placement.ledger.Ledger;
import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.Gauge;
import io.prometheus.client.Histogram;
import io.prometheus.client.exporter.common.TextFormat;
import java.io.IOException;
import java.io.Writer;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * The metrics of the extender and of the cards. Thread-safe.
 *
 * <p>Some names are composed, as {@code prescale_gpu_%s_used_cards} in {@link UsageMetrics}; {@code
 * docs/reference/extender.md} lists all of them in full.
 */
final class ExtenderMetrics {
  static final String CONTENT_TYPE = TextFormat.CONTENT_TYPE_004;

  private final CollectorRegistry registry = new CollectorRegistry();
  private final SharedPage page;
  private final Histogram seconds;
  private final ReclaimMetrics reclaim;
  private final MoveMetrics moves;
  private final WarmMetrics warm;

  /**
   * Registers the metrics of both ledgers.
   *
   * @param usage of cards by node, queue and workload
   * @param booked what became of the replicas that bookings expect
   * @param isAnswering whether kube-scheduler is answered
   */
  ExtenderMetrics(
      Ledger ledger,
      ClaimLedger claims,
      UsageMetrics usage,
      Supplier<Map<String, BookingState>> booked,
      BooleanSupplier isAnswering,
      InstantSource clock) {
    page = new SharedPage(this::write, clock);
    usage.register(registry);
    seconds =
        Histogram.build("prescale_extender_seconds", "Time that an answer took, waits included.")
            .labelNames("verb")
            .buckets(0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.3, 1, 3, 10, 30)
            .register(registry);
    Gauge.build("prescale_extender_answering", "1 where kube-scheduler is answered, else 0.")
        .create()
        .setChild(
            new Gauge.Child() {
              @Override
              public double get() {
                return isAnswering.getAsBoolean() ? 1 : 0;
              }
            })
        .register(registry);
    new LedgerMetrics(ledger, claims).register(registry);
    new QueueMetrics(ledger, clock).register(registry);
    new BookingMetrics(booked).register(registry);
    reclaim = new ReclaimMetrics(registry);
    moves = new MoveMetrics(registry);
    warm = new WarmMetrics(registry);
  }

  /** What is counted of taking back. */
  ReclaimMetrics reclaim() {
    return reclaim;
  }

  /** What is counted of moves. */
  MoveMetrics moves() {
    return moves;
  }

  /** What is counted of images that are pulled ahead. */
  WarmMetrics warm() {
    return warm;
  }

  /** Measures an answer until it is closed. */
  Histogram.Timer answering(Verb verb) {
    return seconds.labels(verb.name().toLowerCase(Locale.ROOT)).startTimer();
  }

  /** All metrics as a page for those who scrape. */
  SharedPage page() {
    return page;
  }

  /** Writes all metrics in the text format 0.0.4. */
  void write(Writer writer) throws IOException {
    TextFormat.write004(writer, registry.metricFamilySamples());
  }
}
