package io.prescale.controller.demand.source;

import io.prescale.controller.fairness.FairPlaces;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The requests to one server that may be under way at a time, shared between namespaces as {@link
 * FairPlaces} says. Thread-safe.
 */
final class Turns {
  /** The turns at one host and port, apart for reads and for histories, and its faults. */
  record OfServer(Turns reads, Turns histories, ServerFaults faults) {
    OfServer(String server, SourceSettings settings) {
      this(
          new Turns(settings.requestsPerServer()),
          new Turns(settings.historiesPerServer()),
          new ServerFaults(server));
    }
  }

  private final FairPlaces<CountDownLatch> places;

  /**
   * @param most of all namespaces together; one alone has half of them, rounded up
   */
  Turns(int most) {
    this.places = new FairPlaces<>(most);
  }

  /** Whether the namespace got a turn within this time; then {@link #end} must follow. */
  boolean begin(String namespace, Duration longest) throws InterruptedException {
    var turn = new CountDownLatch(1);
    places.await(namespace, turn);
    grant();
    try {
      return turn.await(longest.toNanos(), TimeUnit.NANOSECONDS)
          || !places.withdraw(namespace, turn);
    } catch (InterruptedException e) {
      if (!places.withdraw(namespace, turn)) {
        end(namespace);
      }
      throw e;
    }
  }

  void end(String namespace) {
    places.end(namespace);
    grant();
  }

  private void grant() {
    for (Optional<CountDownLatch> next = places.next(); next.isPresent(); next = places.next()) {
      next.get().countDown();
    }
  }

  boolean areAllFree() {
    return places.areAllFree();
  }
}
