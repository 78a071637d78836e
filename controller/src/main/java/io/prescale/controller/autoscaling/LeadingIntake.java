package io.prescale.controller.autoscaling;

import io.prescale.forecasting.Sample;
import io.prescale.forecasting.TimeSeries;
import io.prescale.forecasting.online.LeadingSeries;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * Turns what is read of a leading series into its steps. What cannot be demand counts as missing;
 * what cannot be read is missing, too, and forecasts then rest on the demand alone. Not
 * thread-safe, but for its series.
 */
public final class LeadingIntake {
  /** Shorter gaps matter little to what follows the series. */
  private static final Duration WORTH_SAYING = Duration.ofMinutes(5);

  private final LeadingSeries series;
  private final StepIntake intake;
  private Optional<Reading.Missing> missing = Optional.empty();

  /**
   * @param name of the series
   * @param settings of the forecasts that may follow it
   * @param start in the first step to be observed
   */
  public LeadingIntake(String name, ForecastSettings settings, Instant start) {
    this.intake = new StepIntake(settings.step(), start, settings.steps());
    this.series = new LeadingSeries(name, intake.next(), settings.step(), settings.steps());
  }

  /** What is known, for forecasters. */
  public LeadingSeries series() {
    return series;
  }

  /** The end of the newest step that is known; samples are needed after it. */
  public Instant observedUntil() {
    return intake.next();
  }

  /** Takes in a history at the settings' step. */
  public void learn(TimeSeries history) {
    series.learn(StepIntake.demandOf(history));
    intake.skipTo(series.next());
  }

  /** Takes in what was read. */
  public void observe(Reading reading, Instant now) {
    missing =
        switch (reading) {
          case Reading.Missing it -> Optional.of(it);
          case Reading.Observed(var samples, _) -> {
            accept(samples, now);
            yield intake.noDemand("the series", samples, now);
          }
        };
  }

  private void accept(List<Sample> samples, Instant now) {
    var steps = intake.accept(samples, now);
    for (int i = 0; i < steps.values.length; i++) {
      series.observe(steps.start.plusMillis(i * intake.stepMillis()), steps.values[i]);
    }
  }

  /** Why the series has been unknown for minutes, and for some steps, if it has been. */
  public Optional<Reading.Missing> missing(Instant now) {
    var gap = Collections.max(List.of(WORTH_SAYING, intake.staleAfter()));
    return missing.filter(_ -> observedUntil().plus(gap).isBefore(now));
  }
}
