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
import java.util.stream.IntStream;

/**
 * Prints what other steps cost: the production cycle plays a load with one sample a step, the mean
 * of the last minute, in windows of so many seconds, against a simulated HPA. Arguments: step and
 * window in seconds, then production traces beside the repository, by the minute, or seeds of loads
 * by 15 seconds with bursts, such as {@code 300 1500 02 11} or {@code 15 75 seed-1 seed-2}.
 */
final class StepsOnTraces {
  private static final Duration COLD_START = Duration.ofMinutes(5);
  private static final Duration SYNC = Duration.ofSeconds(15);
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration UNSCORED = Duration.ofDays(8);
  private static final String SEED = "seed-";

  private StepsOnTraces() {}

  @SuppressWarnings("SystemOut")
  public static void main(String[] arguments) throws Exception {
    var step = Duration.ofSeconds(Integer.parseInt(arguments[0]));
    var window = Duration.ofSeconds(Integer.parseInt(arguments[1]));
    for (String name : Arrays.asList(arguments).subList(2, arguments.length)) {
      System.out.printf("%s %s %s: %s%n", name, step, window, play(load(name), step, window));
    }
  }

  private static TimeSeries load(String name) throws Exception {
    return name.startsWith(SEED)
        ? bursts(Integer.parseInt(name.substring(SEED.length())))
        : SharedFolder.read(Checkout.shared().resolve("traces/cluster-%s.csv".formatted(name)));
  }

  /**
   * A daily cycle with correlated noise, and two to eight bursts a day: 15 to 65 % more demand for
   * 5 to 45 minutes, which takes 15 seconds to three minutes to come.
   */
  private static TimeSeries bursts(int seed) {
    var random = new SplittableRandom(seed);
    int day = 4 * 1440;
    double spread = random.nextDouble(0.02, 0.06);
    double night = random.nextDouble(0.2, 0.6);
    double peakHour = random.nextDouble(11, 17);
    double burstsADay = random.nextDouble(2, 8);
    double[] values = new double[11 * day];
    Arrays.fill(values, 1);
    for (int at = 0; at < values.length; at++) {
      if (random.nextDouble() < burstsADay / day) {
        int ramp = random.nextInt(1, 13);
        int end = Math.min(values.length, at + random.nextInt(20, 180));
        double size = random.nextDouble(0.15, 0.65);
        for (int i = at; i < end; i++) {
          double share = Math.min(1, Math.min(i - at + 1, end - i) / (double) ramp);
          values[i] = Math.max(values[i], 1 + size * share);
        }
      }
    }
    double correlation = Math.pow(0.9, 0.25);
    double error = 0;
    for (int i = 0; i < values.length; i++) {
      double phase = 2 * Math.PI * (24.0 * (i % day) / day - peakHour) / 24;
      error =
          correlation * error
              + Math.sqrt(1 - correlation * correlation) * spread * random.nextGaussian();
      values[i] *=
          300
              * (night + (1 - night) * (1 + Math.cos(phase)) / 2)
              * Math.exp(error)
              * Math.max(0, 1 + 0.02 * random.nextGaussian());
    }
    return TimeSeries.of(Instant.parse("2026-03-02T00:00:00Z"), SYNC, values);
  }

  private static String play(TimeSeries load, Duration step, Duration window) {
    double[] sorted = load.toArray();
    Arrays.sort(sorted);
    double capacity = sorted[(int) (0.999 * (sorted.length - 1))] / 24;
    var cycle =
        new ScalingCycle(
            settings(capacity, step, window),
            LeadTime.declared(COLD_START),
            load.start(),
            Runnable::run);
    var hpa =
        new HpaSimulation(
            HpaRules.defaults(),
            capacity,
            new ColdStart.Constant(COLD_START),
            24,
            new SplittableRandom(1));
    int pointsAStep = (int) step.dividedBy(load.step());
    int pointsAMinute = (int) MINUTE.dividedBy(load.step());
    int scoredFrom = (int) UNSCORED.dividedBy(load.step());
    double served = Double.NaN;
    int overloaded = 0;
    long replicas = 0;
    for (int point = 0; point < load.size(); point++) {
      if (point >= pointsAMinute && point % pointsAStep == 0) {
        double demand = meanBefore(load, point, pointsAMinute);
        served = tick(cycle, load.time(point), demand, hpa).orElse(Double.NaN);
      }
      for (int sync = 0; sync < load.step().dividedBy(SYNC); sync++) {
        hpa.sync(served);
      }
      if (point >= scoredFrom) {
        overloaded += load.value(point) > hpa.readyReplicas() * capacity ? 1 : 0;
        replicas += hpa.currentReplicas();
      }
    }
    int scored = load.size() - scoredFrom;
    return "overloaded %.2f %%, %.2f replicas in the mean"
        .formatted(100.0 * overloaded / scored, (double) replicas / scored);
  }

  private static double meanBefore(TimeSeries load, int point, int points) {
    return IntStream.rangeClosed(1, points).mapToDouble(i -> load.value(point - i)).sum() / points;
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
            step.compareTo(MINUTE) < 0 ? UNSCORED : usual.remember(),
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
