package io.prescale.controller.demo;

import io.prescale.controller.autoscaling.LeadTime;
import io.prescale.placement.ledger.Booking;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Books cards for all services. Not thread-safe. */
final class NextDays {
  private final SimulatedCluster cluster;
  private final List<NextDay> services;

  private NextDays(SimulatedCluster cluster, List<NextDay> services) {
    this.cluster = cluster;
    this.services = services;
  }

  /** Begins to learn the histories of all services. */
  static NextDays of(Simulation simulation, MetricStore scraped, DemoSettings settings, Fits fits) {
    var nodes = Set.copyOf(simulation.cluster().scheduler().nodes());
    return new NextDays(
        simulation.cluster(),
        simulation.services().stream()
            .map(it -> new NextDay(it.workload(), scraped, settings, fits::background, nodes))
            .toList());
  }

  /**
   * Takes in the minutes that have passed and replaces what is booked.
   *
   * @param leads of the next scale-up, in the order of the services
   */
  void book(Instant now, List<LeadTime> leads) {
    var bookings = new ArrayList<Booking>();
    for (int i = 0; i < services.size(); i++) {
      services.get(i).pass(now, leads.get(i).total()).ifPresent(bookings::add);
    }
    cluster.shared().book(bookings);
  }
}
