package io.prescale.controller.demo;

import io.prescale.controller.simulation.cards.SharedCards;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The results of the simulation so far, service by service.
 *
 * @param jobCardHours of the Jobs' work that was not lost
 */
public record Tally(List<Service> services, double jobCardHours) {
  private static final double MINUTES_AN_HOUR = 60;

  public Tally {
    services = List.copyOf(services);
  }

  static Tally of(List<SimulatedService> services, SharedCards shared) {
    return new Tally(
        services.stream()
            .map(
                it ->
                    new Service(
                        it.workload().name(),
                        it.shortage().share(),
                        it.reactiveShortage().share(),
                        it.replicaHours(),
                        it.reactiveReplicaHours()))
            .toList(),
        shared.work().toMinutes() / MINUTES_AN_HOUR);
  }

  /** One service; shares of the last day's time are 0 to 1. */
  public record Service(
      String name,
      double shortShare,
      double reactiveShortShare,
      double replicaHours,
      double reactiveReplicaHours) {}

  /** The mean over the services. */
  public double shortShare() {
    return mean(Service::shortShare);
  }

  /** The mean over the services. */
  public double reactiveShortShare() {
    return mean(Service::reactiveShortShare);
  }

  /** Of all services. */
  public double replicaHours() {
    return services.stream().mapToDouble(Service::replicaHours).sum();
  }

  /** Of all services. */
  public double reactiveReplicaHours() {
    return services.stream().mapToDouble(Service::reactiveReplicaHours).sum();
  }

  private double mean(ToDoubleFunction<Service> share) {
    return services.stream().mapToDouble(share).average().orElse(0);
  }
}
