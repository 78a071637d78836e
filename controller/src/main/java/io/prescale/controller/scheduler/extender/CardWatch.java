package io.prescale.controller.scheduler.extender;

import io.prescale.controller.demand.prometheus.PrometheusClient;
import io.prescale.controller.demand.prometheus.PrometheusException;
import io.prescale.controller.demand.prometheus.RangeQuery;
import io.prescale.placement.inventory.CardReading;
import io.prescale.placement.inventory.DcgmReadings;
import io.prescale.placement.inventory.DcgmReadings.Series;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks Prometheus in turns what dcgm-exporter says of the cards. */
final class CardWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CardWatch.class);

  /** Exporters are read every 15 to 30 s. */
  static final Duration INTERVAL = Duration.ofSeconds(15);

  private final PrometheusClient prometheus;
  private final InstantSource clock;
  private final Duration interval;
  private final Consumer<Map<String, CardReading>> told;
  private final Thread rounds = Thread.ofVirtual().name("cards").unstarted(this::run);
  private volatile Map<String, CardReading> readings = Map.of();
  private boolean failing;

  private CardWatch(
      PrometheusClient prometheus,
      InstantSource clock,
      Duration interval,
      Consumer<Map<String, CardReading>> told) {
    this.prometheus = prometheus;
    this.clock = clock;
    this.interval = interval;
    this.told = told;
  }

  /**
   * Begins to ask.
   *
   * @param told is given what is known of every card, by UUID, after each answer
   */
  static CardWatch start(
      PrometheusClient prometheus,
      InstantSource clock,
      Duration interval,
      Consumer<Map<String, CardReading>> told) {
    var watch = new CardWatch(prometheus, clock, interval, told);
    watch.rounds.start();
    return watch;
  }

  /** What is known of every card, by UUID. */
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

  /** Without an answer what was known stays: a sick card does not recover by silence. */
  private void ask() throws InterruptedException {
    var now = clock.instant();
    try {
      var answer =
          prometheus.range(new RangeQuery(DcgmReadings.QUERY, now, now, Duration.ofSeconds(1)));
      var series =
          answer.latest().stream()
              .map(latest -> new Series(latest.labels().values(), latest.value()))
              .toList();
      readings = Map.copyOf(DcgmReadings.read(series, readings));
      failing = false;
      told.accept(readings);
    } catch (PrometheusException e) {
      if (!failing) {
        LOG.warn("What exporters say of the cards is not known: {}", e.getMessage());
      }
      failing = true;
    }
  }

  @Override
  public void close() {
    rounds.interrupt();
    prometheus.close();
  }
}
