package io.prescale.controller.cli.forecast;

import io.prescale.controller.cli.options.Moment;
import io.prescale.controller.cli.options.Needs;
import io.prescale.controller.cli.options.UsageException;
import io.prescale.forecasting.DurationInWords;
import io.prescale.forecasting.TimeSeries;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.SequencedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What to forecast, and from which origins. */
final class ForecastOptions {
  private static final Duration USUAL_STEP = Duration.ofMinutes(5);
  private static final Duration LONGEST_HORIZON = Duration.ofDays(28);
  private static final Duration USUAL_FROM = Duration.ofDays(8);
  private static final int MOST_ORIGINS = 20_000;

  @Option(
      names = "--horizon",
      paramLabel = "DURATION",
      description = "How far ahead to forecast (default: ${DEFAULT-VALUE}).",
      defaultValue = "24h")
  Duration horizon = Duration.ofHours(24);

  @Option(
      names = "--quantiles",
      paramLabel = "LEVELS",
      description = "Quantiles to forecast (default: ${DEFAULT-VALUE}).",
      defaultValue = "0.1,0.5,0.9,0.95")
  QuantileLevels levels = new QuantileLevels(List.of(0.1, 0.5, 0.9, 0.95));

  @Option(
      names = "--step",
      paramLabel = "DURATION",
      description =
          "Step of the forecast, which gives the mean demand of each step (default: 5m, or the step"
              + " of the samples if that is longer).")
  @Nullable Duration step;

  @Option(
      names = "--every",
      paramLabel = "DURATION",
      description =
          "Repeats the forecast from past origins, this far apart, between --from and --to. Without"
              + " it there is one forecast, from the end of the load.")
  @Nullable Duration every;

  @Needs("--every")
  @Option(
      names = "--from",
      paramLabel = "TIME",
      description =
          "First origin (default: 8d after the start of the load, or its middle if that is"
              + " earlier).")
  @Nullable Moment from;

  @Needs("--every")
  @Option(
      names = "--to",
      paramLabel = "TIME",
      description = "Last origin (default: the last one whose whole horizon is in the load).")
  @Nullable Moment to;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Seed of the random numbers (default: ${DEFAULT-VALUE}).")
  long seed = 1;

  /** Checks what no load is needed for. */
  void requireSense() {
    if (!horizon.isPositive() || horizon.compareTo(LONGEST_HORIZON) > 0) {
      throw new UsageException(
          "--horizon is %s; it must be above 0 and at most %s."
              .formatted(DurationInWords.of(horizon), DurationInWords.of(LONGEST_HORIZON)));
    }
  }

  /** The step: a multiple of the step of the samples, and a divisor of the horizon. */
  Duration step(Duration ofSamples) {
    var wanted = step == null ? usualStep(ofSamples) : step;
    if (!wanted.isPositive() || wanted.toMillis() % ofSamples.toMillis() != 0) {
      throw new UsageException(
          "--step is %s; it must be a multiple of the step of the samples, %s."
              .formatted(DurationInWords.of(wanted), DurationInWords.of(ofSamples)));
    }
    if (horizon.toMillis() % wanted.toMillis() != 0) {
      throw new UsageException(
          "--horizon is %s; it must be a multiple of the step, %s."
              .formatted(DurationInWords.of(horizon), DurationInWords.of(wanted)));
    }
    return wanted;
  }

  private static Duration usualStep(Duration ofSamples) {
    long millis = ofSamples.toMillis();
    return Duration.ofMillis(Math.ceilDiv(USUAL_STEP.toMillis(), millis) * millis);
  }

  /** The origins to forecast from: starts of steps of the series. */
  SequencedSet<Instant> origins(TimeSeries inSteps, Instant now, ZoneId zone) {
    if (every == null) {
      return new TreeSet<>(List.of(inSteps.end()));
    }
    if (!every.isPositive() || every.toMillis() % inSteps.step().toMillis() != 0) {
      throw new UsageException(
          "--every is %s; it must be a multiple of the step, %s."
              .formatted(DurationInWords.of(every), DurationInWords.of(inSteps.step())));
    }
    var origins = new TreeSet<Instant>();
    var last = lastOrigin(inSteps, now, zone);
    for (var at = firstOrigin(inSteps, now, zone); !at.isAfter(last); at = at.plus(every)) {
      origins.add(at);
      if (origins.size() > MOST_ORIGINS) {
        throw new UsageException(
            "This asks for more than %,d forecasts; raise --every, or narrow --from and --to."
                .formatted(MOST_ORIGINS));
      }
    }
    if (origins.isEmpty()) {
      throw new UsageException(
          "The first origin would be after the last, %s: use a longer load, or change --from and --to."
              .formatted(last));
    }
    return origins;
  }

  private Instant firstOrigin(TimeSeries inSteps, Instant now, ZoneId zone) {
    if (from == null) {
      var half = Duration.between(inSteps.start(), inSteps.end()).dividedBy(2);
      return onGrid(
          inSteps.start().plus(half.compareTo(USUAL_FROM) < 0 ? half : USUAL_FROM), inSteps);
    }
    var first = onGrid(from.resolve(now, zone), inSteps);
    return first.isAfter(inSteps.start()) ? first : inSteps.start().plus(inSteps.step());
  }

  private Instant lastOrigin(TimeSeries inSteps, Instant now, ZoneId zone) {
    var last = to == null ? inSteps.end().minus(horizon) : to.resolve(now, zone);
    return last.isAfter(inSteps.end()) ? inSteps.end() : last;
  }

  /** Rounds up to the start of a step. */
  private static Instant onGrid(Instant time, TimeSeries inSteps) {
    long step = inSteps.step().toMillis();
    return Instant.ofEpochMilli(Math.ceilDiv(time.toEpochMilli(), step) * step);
  }
}
