package io.prescale.controller.simulation.cards;

import io.prescale.controller.autoscaling.ForecastSettings;
import io.prescale.controller.autoscaling.HpaRules;
import io.prescale.controller.autoscaling.Risk;
import io.prescale.controller.plan.DayAhead;
import io.prescale.controller.simulation.replay.Predictive;
import io.prescale.controller.simulation.replay.Replay;
import io.prescale.controller.simulation.replay.ReplaySettings;
import io.prescale.controller.simulation.replay.Tick;
import io.prescale.forecasting.TimeSeries;
import io.prescale.forecasting.online.PathForecast;
import io.prescale.forecasting.online.PeakSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/**
 * A service of the experiment: what it was asked, minute by minute, of which the last part is lived
 * through and the rest is history.
 *
 * @param liveFrom the first minute that is lived through
 * @param served what its HPA reads in each of these minutes, as a replay of Prescale serves it
 * @param paths for each quarter of an hour from then on the forecast of the next day, if there was
 *     one
 */
record SharedService(
    PodTemplate pods,
    TimeSeries demand,
    int liveFrom,
    double capacityPerReplica,
    int maxReplicas,
    List<OptionalDouble> served,
    List<Optional<PathForecast>> paths) {
  static final Duration COLD_START = Duration.ofMinutes(5);
  static final Risk.Budget RISK = new Risk.Budget(0.005);
  static final int STEP_MINUTES = 15;
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration STEP = MINUTE.multipliedBy(STEP_MINUTES);
  private static final int DAY = 24 * 60 / STEP_MINUTES;
  private static final int REFITTED_EVERY = DAY / 4;

  /** A service of so many replicas of a card at its peak. */
  static SharedService of(String name, TimeSeries demand, int liveFrom, int replicasAtPeak)
      throws InterruptedException {
    double peak =
        IntStream.range(liveFrom, demand.size())
            .mapToDouble(demand::value)
            .filter(it -> !Double.isNaN(it))
            .max()
            .orElseThrow();
    return new SharedService(
        new PodTemplate("serving", name, "serving", Map.of("nvidia.com/gpu", 1L), Map.of()),
        demand,
        liveFrom,
        peak / replicasAtPeak,
        2 * replicasAtPeak,
        served(demand, liveFrom, peak / replicasAtPeak, rules(2 * replicasAtPeak)),
        paths(demand, liveFrom));
  }

  private static HpaRules rules(int maxReplicas) {
    return HpaRules.defaults().withReplicas(1, maxReplicas);
  }

  private static List<OptionalDouble> served(
      TimeSeries demand, int liveFrom, double capacityPerReplica, HpaRules rules)
      throws InterruptedException {
    var settings =
        ReplaySettings.forCapacity(capacityPerReplica)
            .withRules(rules)
            .withSkip(MINUTE.multipliedBy(liveFrom));
    var policy = new Predictive(settings, PeakSettings.forLead(COLD_START), RISK);
    if (Replay.of(demand, settings) instanceof Replay replay) {
      var ticks = replay.run(List.of(policy), (_, _) -> {}).runs().getFirst().ticks();
      return ticks.subList(liveFrom, ticks.size()).stream().map(Tick::served).toList();
    }
    throw new IllegalArgumentException("the demand cannot be replayed");
  }

  /** The live minutes begin with a step. */
  private static List<Optional<PathForecast>> paths(TimeSeries demand, int liveFrom) {
    var steps = DayAhead.highest(demand, STEP);
    if (!steps.start().equals(demand.start()) || liveFrom % STEP_MINUTES != 0) {
      throw new IllegalArgumentException(
          "begins at %s and is live from minute %d on, within a step"
              .formatted(demand.start(), liveFrom));
    }
    var forecaster = DayAhead.forecaster(steps.start(), STEP, ForecastSettings.defaults());
    var paths = new ArrayList<Optional<PathForecast>>();
    for (int step = 0; step < steps.size(); step++) {
      int live = step - liveFrom / STEP_MINUTES;
      boolean isFitted =
          live >= 0 ? live % REFITTED_EVERY == 0 : live >= -3 * DAY && live % DAY == 0;
      if (isFitted) {
        forecaster.refit();
      }
      if (live >= 0) {
        paths.add(forecaster.forecast());
      }
      forecaster.observe(steps.value(step));
    }
    return paths;
  }

  int minutes() {
    return demand.size() - liveFrom;
  }

  Instant time(int liveMinute) {
    return demand.start().plus(MINUTE.multipliedBy((long) liveFrom + liveMinute));
  }

  double demandAt(int liveMinute) {
    return demand.value(liveFrom + liveMinute);
  }

  HpaRules rules() {
    return rules(maxReplicas);
  }
}
