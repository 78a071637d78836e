package io.prescale.controller.demand.source;

import io.prescale.controller.demand.prometheus.PrometheusServer;
import io.prescale.controller.fairness.FairPlaces;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The requests to one server, or to all that users name, that may be under way at a time, shared
 * between namespaces as {@link FairPlaces} says. Thread-safe.
 */
final class Turns {
  /**
   * What turns are shared by: paths, tenants and credentials are the user's to choose, and make no
   * other server. Apart where users name it, as requests there may wait for those to others that
   * users name.
   *
   * @param authority host and port
   */
  record Host(String authority, boolean isNamedByUser) {
    static Host of(PrometheusServer server) {
      var url = server.url();
      return new Host(
          url.getHost().toLowerCase(Locale.ROOT) + ":" + url.getPort(), server.isNamedByUser());
    }
  }

  /** The turns at one host and port, apart for reads and for histories, and its faults. */
  record OfServer(Turns reads, Turns histories, ServerFaults faults) {
    OfServer(String server, SourceSettings settings) {
      this(
          new Turns(settings.requestsPerServer()),
          new Turns(settings.historiesPerServer()),
          new ServerFaults(server));
    }

    /** The same, of which each takes one of those of all such servers, too. */
    OfServer within(OfAllServers all) {
      return new OfServer(reads.within(all.reads()), histories.within(all.histories()), faults);
    }
  }

  /**
   * The turns at all servers together that users name, and may invent: as many as {@value #SERVERS}
   * busy ones have, so that the memory for what is being read has a limit.
   */
  record OfAllServers(Turns reads, Turns histories) {
    private static final int SERVERS = 4;

    OfAllServers(SourceSettings settings) {
      this(
          new Turns(SERVERS * settings.requestsPerServer()),
          new Turns(SERVERS * settings.historiesPerServer()));
    }
  }

  private final FairPlaces<CountDownLatch> places;
  private final Optional<Turns> beyond;

  /**
   * @param most of all namespaces together; one alone has half of them, rounded up
   */
  Turns(int most) {
    this(new FairPlaces<>(most), Optional.empty());
  }

  private Turns(FairPlaces<CountDownLatch> places, Optional<Turns> beyond) {
    this.places = places;
    this.beyond = beyond;
  }

  private Turns within(Turns all) {
    return new Turns(places, Optional.of(all));
  }

  /**
   * Whether the namespace got a turn; then {@link #end} must follow.
   *
   * @param longest that it waits for this one, and as long again for one beyond
   */
  boolean begin(String namespace, Duration longest) throws InterruptedException {
    if (!take(namespace, longest)) {
      return false;
    }
    boolean isGranted = false;
    try {
      isGranted = beyond.isEmpty() || beyond.get().begin(namespace, longest);
    } finally {
      if (!isGranted) {
        free(namespace);
      }
    }
    return isGranted;
  }

  private boolean take(String namespace, Duration longest) throws InterruptedException {
    var turn = new CountDownLatch(1);
    places.await(namespace, turn);
    grant();
    try {
      return turn.await(longest.toNanos(), TimeUnit.NANOSECONDS)
          || !places.withdraw(namespace, turn);
    } catch (InterruptedException e) {
      if (!places.withdraw(namespace, turn)) {
        free(namespace);
      }
      throw e;
    }
  }

  void end(String namespace) {
    beyond.ifPresent(it -> it.end(namespace));
    free(namespace);
  }

  private void free(String namespace) {
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
