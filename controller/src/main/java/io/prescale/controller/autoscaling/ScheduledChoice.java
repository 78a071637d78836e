package io.prescale.controller.autoscaling;

import io.prescale.controller.autoscaling.ScalingDecision.Reason;
import io.prescale.controller.autoscaling.ServedValue.Planned;
import io.prescale.controller.schedules.ReplicaBounds;
import io.prescale.controller.schedules.ReplicaBounds.Bound;
import io.prescale.controller.schedules.ScheduledWindow;
import io.prescale.controller.schedules.Schedules;
import io.prescale.forecasting.online.QuantileForecast;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * Keeps decisions within the floors and ceilings of schedules, for the control loop and for replays
 * alike: by the served value, which every HPA obeys, be it Prescale's, the user's or KEDA's.
 *
 * @param capacityPerReplica demand that one ready replica carries; the HPA's AverageValue target
 * @param deadBand the HPA's tolerance
 */
public record ScheduledChoice(double capacityPerReplica, DeadBand deadBand) {

  /**
   * The decision within the bounds. A floor is raised to a number that the HPA acts on. While
   * demand is unknown, a floor asks for no fewer replicas than there are: it is no reason to remove
   * any.
   *
   * @param forecast from which the risk of shortage is taken
   * @param current the HPA's replicas
   */
  public ScalingDecision within(
      ReplicaBounds bounds,
      ScalingDecision chosen,
      Optional<QuantileForecast> forecast,
      int current) {
    double value = chosen.servedValue().orElse(0);
    var least = bounds.floor().map(floor -> least(bounds, floor, chosen, current));
    var most = bounds.ceiling().map(Bound::replicas);
    if (least.isPresent() && value < least.get() * capacityPerReplica) {
      return scheduled(least.get(), Reason.SCHEDULED_FLOOR, chosen, forecast);
    }
    return most.isPresent() && value > most.get() * capacityPerReplica
        ? scheduled(most.get(), Reason.SCHEDULED_CEILING, chosen, forecast)
        : chosen;
  }

  private int least(ReplicaBounds bounds, Bound floor, ScalingDecision chosen, int current) {
    int most = bounds.most(Integer.MAX_VALUE);
    if (chosen.servedValue().isEmpty() && current >= floor.replicas()) {
      return current;
    }
    int least = floor.replicas();
    while (least > current && least < most && current > 0 && deadBand.holds(least, current)) {
      least++;
    }
    return least;
  }

  private ScalingDecision scheduled(
      int replicas, Reason reason, ScalingDecision instead, Optional<QuantileForecast> forecast) {
    double value = replicas * capacityPerReplica;
    return new ScalingDecision(
        OptionalDouble.of(value),
        replicas,
        forecast.map(it -> OptionalDouble.of(it.exceedance(value))).orElse(OptionalDouble.empty()),
        reason,
        instead.activity());
  }

  /**
   * A plan with the floors that begin within the time to live, and within the ceilings; where one
   * ends, what it had kept down is due again.
   *
   * @param plan ascending in time; what is due by now without schedules may stand at its head
   * @param value the served value, which no planned one is below
   */
  List<Planned> plan(
      Schedules schedules,
      List<Planned> plan,
      double value,
      Instant now,
      Duration lead,
      Duration timeToLive) {
    var windows = schedules.demands(now, now.plus(timeToLive).plus(lead));
    if (windows.isEmpty()) {
      return plan.stream().filter(it -> it.at().isAfter(now) && it.value() >= value).toList();
    }
    var last = now.plus(timeToLive);
    var floorsBegin =
        windows.stream()
            .filter(it -> it.floor().isPresent())
            .map(ScheduledWindow::start)
            .map(start -> start.minus(lead));
    var ceilingsEnd =
        windows.stream().filter(it -> it.ceiling().isPresent()).map(ScheduledWindow::end);
    var times =
        Stream.of(plan.stream().map(Planned::at), floorsBegin, ceilingsEnd)
            .flatMap(it -> it)
            .filter(time -> time.isAfter(now) && !time.isAfter(last))
            .sorted()
            .distinct()
            .toList();
    var rises = new ArrayList<Planned>();
    double highest = value;
    for (Instant time : times) {
      double due = Planned.due(0, plan, time);
      var bounds = ReplicaBounds.at(windows, time, lead);
      double floor = bounds.floor().map(it -> it.replicas() * capacityPerReplica).orElse(0.0);
      double most =
          bounds.ceiling().map(it -> it.replicas() * capacityPerReplica).orElse(Double.MAX_VALUE);
      double planned = Math.min(Math.max(due, floor), most);
      if (planned > highest) {
        rises.add(new Planned(time, planned));
        highest = planned;
      }
    }
    return rises;
  }
}
