package io.prescale.controller.autoscaling;

import io.prescale.controller.Checkout;
import io.prescale.controller.schedules.Schedules;
import io.prescale.controller.simulation.replay.ColdStart;
import io.prescale.controller.simulation.replay.HpaSimulation;
import io.prescale.controller.simulation.replay.SharedFolder;
import io.prescale.forecasting.Sample;
import io.prescale.forecasting.TimeSeries;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SplittableRandom;

/**
 * Prints what longer steps cost on the production traces beside the repository: the production
 * cycle plays them with one sample a step, in windows of so many minutes, against a simulated HPA.
 * Arguments: step and window in minutes, then the traces, such as {@code 5 25 02 11}.
 */
final class StepsOnTraces {
  private static final Duration COLD_START = Duration.ofMinutes(5);
  private static final int SCORED_FROM = 8 * 1440;
  private static final int SYNCS_A_MINUTE = 4;

  private StepsOnTraces() {}

  @SuppressWarnings("SystemOut")
  public static void main(String[] arguments) throws Exception {
    int step = Integer.parseInt(arguments[0]);
    int window = Integer.parseInt(arguments[1]);
    for (String name : Arrays.asList(arguments).subList(2, arguments.length)) {
      var trace = Checkout.shared().resolve("traces/cluster-%s.csv".formatted(name));
      System.out.printf(
          "%s step %d window %d: %s%n",
          name, step, window, play(SharedFolder.read(trace), step, window));
    }
  }

  private static String play(TimeSeries trace, int step, int window) {
    double[] sorted = trace.toArray();
    Arrays.sort(sorted);
    double capacity = sorted[(int) (0.999 * (sorted.length - 1))] / 24;
    var cycle =
        new ScalingCycle(
            settings(capacity, Duration.ofMinutes(step), Duration.ofMinutes(window)),
            LeadTime.declared(COLD_START),
            trace.start(),
            Runnable::run);
    var hpa =
        new HpaSimulation(
            HpaRules.defaults(),
            capacity,
            new ColdStart.Constant(COLD_START),
            24,
            new SplittableRandom(1));
    double served = Double.NaN;
    int overloaded = 0;
    long replicaMinutes = 0;
    for (int minute = 0; minute < trace.size(); minute++) {
      if (minute > 0 && minute % step == 0) {
        served = tick(cycle, trace.time(minute), trace.value(minute - 1), hpa).orElse(Double.NaN);
      }
      for (int sync = 0; sync < SYNCS_A_MINUTE; sync++) {
        hpa.sync(served);
      }
      if (minute >= SCORED_FROM) {
        overloaded += trace.value(minute) > hpa.readyReplicas() * capacity ? 1 : 0;
        replicaMinutes += hpa.currentReplicas();
      }
    }
    int scored = trace.size() - SCORED_FROM;
    return "overloaded %.2f %%, %.2f replicas in the mean"
        .formatted(100.0 * overloaded / scored, (double) replicaMinutes / scored);
  }

  private static OptionalDouble tick(
      ScalingCycle cycle, Instant now, double demand, HpaSimulation hpa) {
    var seen = List.of(new HpaState.SeenMetric("requests", 1));
    int current = hpa.currentReplicas();
    var state =
        new ReplicaState(
            current,
            hpa.readyReplicas(),
            LeadTime.declared(COLD_START),
            Optional.of(new HpaState(current, current, seen, List.of())));
    var result =
        Ticks.tick(cycle, now, new Reading.Observed(List.of(new Sample(now, demand))), state);
    return result.metrics().getFirst().served().stream()
        .mapToDouble(ServedValue::value)
        .findFirst();
  }

  private static TargetSettings settings(double capacity, Duration step, Duration window) {
    var usual = ForecastSettings.defaults();
    return new TargetSettings(
        List.of(new MetricSettings("requests", capacity)),
        HpaRules.defaults(),
        new Risk.Budget(0.005),
        new ForecastSettings(
            step,
            window,
            usual.remember(),
            step.multipliedBy(240),
            usual.zone(),
            usual.calendar(),
            usual.seed(),
            usual.members()),
        Duration.ofHours(2),
        ServedValueChoice.USUAL_UTILIZATION,
        OptionalDouble.empty(),
        Schedules.none());
  }
}
