package io.prescale.controller.demo;

import io.prescale.controller.web.cards.CardHistory;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * The simulated part of the demo: load, HPAs, pods, Jobs and cards, minute by minute. No clock, no
 * network, no threads; the same settings, served values and incidents give the same result. Not
 * thread-safe.
 */
final class Simulation {
  static final Duration MINUTE = Duration.ofMinutes(1);

  private final SimulatedCluster cluster;
  private final List<SimulatedService> services;
  private final Optional<TrainingBacklog> backlog;
  private final CardHistory history = new CardHistory();
  private Instant now;

  /**
   * Creates the cluster at the end of its history, with as many pods as the last minute needed.
   *
   * @param scraped receives what a Prometheus scraped in the history: each minute's demand at its
   *     end
   */
  Simulation(DemoSettings settings, MetricStore scraped) {
    var workloads = DemoCatalog.workloads(settings.workloads());
    this.now = settings.start();
    this.cluster =
        new SimulatedCluster(
            DemoNodes.of(settings.nodes()),
            workloads,
            settings.jobs(),
            new SplittableRandom(settings.seed()));
    this.services =
        IntStream.range(0, workloads.size())
            .mapToObj(i -> service(workloads.get(i), settings, settings.seed() + 1 + i, scraped))
            .toList();
    services.forEach(it -> cluster.start(it.workload(), it.hpa().replicas(), now));
    this.backlog =
        settings.jobs() ? Optional.of(new TrainingBacklog(cluster.shared())) : Optional.empty();
    backlog.ifPresent(it -> it.fill(now));
  }

  private static SimulatedService service(
      Workload workload, DemoSettings settings, long seed, MetricStore scraped) {
    return new SimulatedService(
        workload,
        settings,
        seed,
        (time, demand) -> scraped.add(workload.name(), time.plus(MINUTE), demand));
  }

  /** The beginning of the minute that passes next. */
  Instant now() {
    return now;
  }

  SimulatedCluster cluster() {
    return cluster;
  }

  List<SimulatedService> services() {
    return services;
  }

  /** What queues have held. */
  CardHistory history() {
    return history;
  }

  /**
   * Simulates the next minute.
   *
   * @param metrics what the HPAs read at each sync
   * @param blind whether the load is invisible
   */
  void pass(SimulatedService.Metrics metrics, boolean blind) {
    services.forEach(it -> it.begin(blind));
    for (int i = 0; i < SimulatedService.SYNCS_A_MINUTE; i++) {
      var at = now.plus(SimulatedService.SYNC.multipliedBy(i));
      services.forEach(it -> it.sync(now, at, metrics, cluster));
      cluster.round(at);
      cluster.shared().pass(SimulatedService.SYNC);
      services.forEach(it -> it.measure(at, cluster));
    }
    services.forEach(it -> it.end(now, cluster, blind));
    backlog.ifPresent(it -> it.fill(now));
    now = now.plus(MINUTE);
    new DemoGpus(this).remember();
  }
}
