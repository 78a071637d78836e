package io.prescale.controller.simulation.cards;

import io.prescale.controller.plan.DayAhead;
import io.prescale.controller.plan.DemandAhead;
import io.prescale.controller.plan.DemandAhead.Bounds;
import io.prescale.controller.plan.NeedsAhead;
import io.prescale.controller.plan.ReplicaNeed;
import io.prescale.forecasting.online.PathForecast;
import io.prescale.placement.ledger.Booking;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What one service has booked, as the leader writes it in a cluster: from each new forecast of the
 * next day the replicas for which cards are worth keeping. Not thread-safe.
 */
public final class ReplicasAhead {
  private static final double PERCENT = 100;

  private final PodTemplate pods;
  private final double capacityPerReplica;
  private final int maxReplicas;
  private final double price;
  private final Set<String> nodes;
  private List<ReplicaNeed> said = List.of();
  private Instant made = Instant.MIN;

  /**
   * Nothing is booked yet.
   *
   * @param price of a replica that is missing, in replicas that are idle as long
   * @param nodes where its pods may be
   */
  public ReplicasAhead(
      PodTemplate pods,
      double capacityPerReplica,
      int maxReplicas,
      double price,
      Set<String> nodes) {
    this.pods = pods;
    this.capacityPerReplica = capacityPerReplica;
    this.maxReplicas = maxReplicas;
    this.price = price;
    this.nodes = Set.copyOf(nodes);
  }

  /**
   * Takes in a new forecast.
   *
   * @param path of the highest minutes
   * @param ahead how long before a demand its replicas are created
   */
  public void forecast(PathForecast path, Duration ahead, Instant now) {
    var demand =
        DemandAhead.of(
            path.origin(),
            path.step(),
            path.steps(),
            (h, level) -> path.quantile(h, level) / capacityPerReplica,
            List.of(new Bounds(path.steps(), 1, maxReplicas)));
    said = NeedsAhead.of(demand, ahead, price, said, now);
    made = now;
  }

  /** What is booked; empty when nothing is, as on a forecast that is too old. */
  public Optional<Booking> booking(Instant now) {
    if (said.isEmpty() || !DayAhead.isValid(made, now)) {
      said = List.of();
      return Optional.empty();
    }
    var needs =
        said.stream()
            .map(
                it ->
                    new Booking.Need(it.from(), it.until(), it.replicas(), it.percent() / PERCENT))
            .toList();
    return Optional.of(
        new Booking(
            "%s/%s".formatted(pods.namespace(), pods.workload()),
            pods.selector(),
            pods.pod(pods.workload(), Optional.empty(), Instant.EPOCH),
            nodes,
            needs,
            price));
  }
}
