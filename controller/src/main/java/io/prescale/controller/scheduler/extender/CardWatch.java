package io.prescale.controller.scheduler.extender;

import io.prescale.controller.demand.prometheus.PrometheusException;
import io.prescale.placement.inventory.CardReading;
import io.prescale.placement.inventory.ExporterReadings;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Polls Prometheus for what exporters report of the cards. */
final class CardWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CardWatch.class);

  /** Prometheus scrapes exporters every 15 to 30 s. */
  static final Duration INTERVAL = Duration.ofSeconds(15);

  private final Exporters exporters;
  private final String query;
  private final InstantSource clock;
  private final Duration interval;
  private final Consumer<Map<String, CardReading>> observer;
  private final Thread rounds = Thread.ofVirtual().name("cards").unstarted(this::run);
  private volatile Map<String, CardReading> readings = Map.of();
  private boolean failing;

  private CardWatch(
      Exporters exporters,
      InstantSource clock,
      Duration interval,
      Consumer<Map<String, CardReading>> observer) {
    this.exporters = exporters;
    this.query = ExporterReadings.query(exporters.selector());
    this.clock = clock;
    this.interval = interval;
    this.observer = observer;
  }

  /**
   * Starts polling.
   *
   * @param exporters whose Prometheus is closed with the watch
   * @param observer receives the readings of all cards, by UUID, after each answer
   */
  static CardWatch start(
      Exporters exporters,
      InstantSource clock,
      Duration interval,
      Consumer<Map<String, CardReading>> observer) {
    var watch = new CardWatch(exporters, clock, interval, observer);
    watch.rounds.start();
    return watch;
  }

  /** The newest readings of all cards, by UUID. */
  Map<String, CardReading> readings() {
    return readings;
  }

  private void run() {
    try {
      while (!Thread.currentThread().isInterrupted()) {
        ask();
        Thread.sleep(interval);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /** Keeps the last readings without an answer: silence does not mean that a sick card is well. */
  private void ask() throws InterruptedException {
    var now = clock.instant();
    try {
      readings = Map.copyOf(ExporterReadings.read(exporters.series(query, now), readings));
      failing = false;
      observer.accept(readings);
    } catch (PrometheusException e) {
      if (!failing) {
        LOG.warn("The condition of the cards is unknown: {}", e.getMessage());
      }
      failing = true;
    } catch (RuntimeException e) {
      LOG.error("The condition of the cards could not be read or passed on.", e);
    }
  }

  @Override
  public void close() {
    rounds.interrupt();
    exporters.prometheus().close();
  }
}
