package io.prescale.controller.scheduler.extender;

import io.prescale.controller.demand.prometheus.PrometheusException;
import io.prescale.placement.inventory.MemoryReadings;
import io.prescale.placement.inventory.MemoryReadings.Queries;
import io.prescale.placement.overcommit.ObservedMemory;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks Prometheus for the memory in use. Without an answer for longer than {@value #MOST_PAUSES}
 * pauses nothing more is promised than cards have. Not thread-safe.
 */
final class MemoryWatch {
  private static final Logger LOG = LoggerFactory.getLogger(MemoryWatch.class);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(5);
  private static final int ROUNDS_IN_A_WINDOW = 10;
  private static final int MOST_PAUSES = 4;

  private final Exporters exporters;
  private final InstantSource clock;
  private final Duration window;
  private final Queries queries;
  private final Consumer<ObservedMemory> observer;
  private Instant answered = Instant.MIN;
  private boolean isFailing;

  /**
   * Asks nothing yet.
   *
   * @param observer receives what was observed after each round that says something new
   */
  MemoryWatch(
      Exporters exporters,
      InstantSource clock,
      Duration window,
      Consumer<ObservedMemory> observer) {
    this.exporters = exporters;
    this.clock = clock;
    this.window = window;
    this.observer = observer;
    queries = Queries.over(window, exporters.selector());
  }

  /** The time between two rounds. */
  Duration pause() {
    var part = window.dividedBy(ROUNDS_IN_A_WINDOW);
    return part.compareTo(LONGEST_PAUSE) < 0 ? part : LONGEST_PAUSE;
  }

  /** Asks once. */
  void round() {
    var now = clock.instant();
    try {
      observer.accept(
          MemoryReadings.read(
              now.minus(window),
              exporters.series(queries.mean(), now),
              exporters.series(queries.deviation(), now),
              exporters.series(queries.limit(), now)));
      answered = now;
      isFailing = false;
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } catch (PrometheusException e) {
      failed(e);
    }
  }

  private void failed(PrometheusException e) {
    if (!isFailing) {
      LOG.warn("The memory in use on cards is unknown: {}", e.getMessage());
    }
    isFailing = true;
    if (answered.isBefore(clock.instant().minus(pause().multipliedBy(MOST_PAUSES)))) {
      observer.accept(ObservedMemory.NONE);
    }
  }
}
