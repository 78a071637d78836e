package io.prescale.controller.autoscaling;

import io.prescale.forecasting.Sample;
import io.prescale.forecasting.TimeSeries;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a metric's fall from being believed for up to ten minutes when the forecast considered it
 * nearly impossible and the series behind the metric became fewer by as much: their demand is
 * unknown then, not gone. A sample that is not believed is treated like one that is missing.
 *
 * <p>The number of series is needed only at such a fall; where it is not known, the fall is
 * believed at once. Not thread-safe.
 */
final class LostSeries {
  private static final Duration LONGEST = Duration.ofMinutes(10);

  /** A smaller fall is not worth a question, however steady demand was. */
  private static final double LEAST_FALL = 0.1;

  /** The series that are gone may have carried up to this many times their share of demand. */
  private static final double UNEQUAL = 1.5;

  /** Forecasts are of the peak of some steps, so one step is compared with the lowest of some. */
  private static final int RECENT = 5;

  private final boolean stepsAreShort;
  private Instant doubtedAfter = Instant.MIN;
  private Instant doubtedUntil = Instant.MIN;

  /** The newest samples that were believed. */
  private final ArrayDeque<Sample> believed = new ArrayDeque<>();

  private @Nullable Fall fall;

  /**
   * A fall that is not believed.
   *
   * @param from the newest sample that was believed
   * @param to the newest sample
   * @param seriesBefore behind {@code from}
   * @param series behind {@code to}
   * @param plausible a value from here on is believed
   * @param until no longer than this
   */
  private record Fall(
      Sample from, Sample to, double seriesBefore, double series, double plausible, Instant until) {

    boolean isExplained() {
      double lost = 1 - series / seriesBefore;
      return lost > 0 && 1 - to.value() / from.value() <= UNEQUAL * lost;
    }
  }

  LostSeries(Duration step) {
    this.stepsAreShort = step.compareTo(LONGEST) <= 0;
  }

  /**
   * Since when the number of series is needed to judge samples; empty when it is not.
   *
   * @param leastPlausible lower demand is nearly impossible at the given time
   */
  Optional<Instant> neededSince(
      List<Sample> samples, Instant now, ToDoubleFunction<Instant> leastPlausible) {
    if (!stepsAreShort) {
      return Optional.empty();
    }
    var recent = new ArrayDeque<>(believed);
    for (var sample : sorted(samples)) {
      if (isNew(sample, now)) {
        var last = fall == null ? recent.peekLast() : fall.from();
        if (last != null && isDoubtful(sample, plausible(recent, sample, leastPlausible))) {
          return Optional.of(last.time());
        }
        remember(sample, recent);
      }
    }
    return Optional.empty();
  }

  private static List<Sample> sorted(List<Sample> samples) {
    return samples.stream().sorted(Comparator.comparing(Sample::time)).toList();
  }

  /** Goes on after what an earlier leader believed. */
  void resume(TimeSeries history) {
    for (int i = Math.max(0, history.size() - RECENT); i < history.size(); i++) {
      if (StepIntake.isDemand(history.value(i))) {
        remember(new Sample(history.time(i).plus(history.step()), history.value(i)), believed);
      }
    }
  }

  /** Samples that are believed whatever forecasts say: no fall is doubted for this long. */
  List<Sample> beyondDoubt(List<Sample> samples, Instant now) {
    var latest = now.minus(LONGEST);
    var old =
        sorted(samples).stream()
            .filter(it -> !it.time().isAfter(latest) && !isDoubted(it.time()))
            .toList();
    old.stream().filter(it -> isNew(it, now)).forEach(it -> remember(it, believed));
    return old;
  }

  private static void remember(Sample sample, ArrayDeque<Sample> recent) {
    recent.addLast(sample);
    if (recent.size() > RECENT) {
      recent.removeFirst();
    }
  }

  /** Judges new samples; returns those that are believed, and those that no judgement is about. */
  List<Sample> believed(
      Reading.Observed read, Instant now, ToDoubleFunction<Instant> leastPlausible) {
    Map<Instant, Double> series =
        read.series().stream()
            .filter(it -> StepIntake.isDemand(it.value()))
            .collect(Collectors.toMap(Sample::time, Sample::value, Math::max));
    var kept = new ArrayList<Sample>();
    for (var sample : sorted(read.samples())) {
      if (isNew(sample, now)) {
        judge(sample, leastPlausible, series);
      }
      if (!isDoubted(sample.time())) {
        kept.add(sample);
      }
    }
    return kept;
  }

  private void judge(
      Sample sample, ToDoubleFunction<Instant> leastPlausible, Map<Instant, Double> series) {
    var last = fall == null ? believed.peekLast() : fall.from();
    fall = last == null ? null : lossBehind(last, sample, leastPlausible, series);
    if (fall == null) {
      remember(sample, believed);
    } else {
      doubtedAfter = fall.from().time();
      doubtedUntil = sample.time();
    }
  }

  private @Nullable Fall lossBehind(
      Sample last,
      Sample sample,
      ToDoubleFunction<Instant> leastPlausible,
      Map<Instant, Double> series) {
    double plausible = plausible(believed, sample, leastPlausible);
    Double before = fall == null ? series.get(last.time()) : Double.valueOf(fall.seriesBefore());
    if (before == null || !isDoubtful(sample, plausible)) {
      return null;
    }
    Instant until = fall == null ? sample.time().plus(LONGEST) : fall.until();
    // Of series that were counted before, none is left where there is no count any more.
    double now =
        fall != null && series.isEmpty() ? fall.series() : series.getOrDefault(sample.time(), 0.0);
    var found = new Fall(last, sample, before, now, plausible, until);
    return found.isExplained() ? found : null;
  }

  private boolean isDoubtful(Sample sample, double plausible) {
    return sample.value() < plausible && (fall == null || sample.time().isBefore(fall.until()));
  }

  private double plausible(
      ArrayDeque<Sample> recent, Sample sample, ToDoubleFunction<Instant> leastPlausible) {
    if (fall != null) {
      return fall.plausible();
    }
    double lowest = recent.stream().mapToDouble(Sample::value).min().orElse(0);
    var step = sample.time().minusMillis(1); // it ends its step
    return Math.min((1 - LEAST_FALL) * lowest, leastPlausible.applyAsDouble(step));
  }

  private boolean isNew(Sample sample, Instant now) {
    var time = sample.time();
    return StepIntake.isDemand(sample.value())
        && !time.isAfter(now)
        && time.isAfter(doubtedUntil)
        && (believed.isEmpty() || time.isAfter(believed.getLast().time()));
  }

  /** Whether a time is in the newest stretch that was not believed. */
  boolean isDoubted(Instant time) {
    return time.isAfter(doubtedAfter) && !time.isAfter(doubtedUntil);
  }

  /** Why a metric is not known, while its fall is not believed. */
  Optional<Reading.Missing> doubt(String metric, Instant now) {
    return Optional.ofNullable(fall)
        .filter(it -> now.isBefore(it.until()))
        .map(
            it ->
                new Reading.Missing(
                    Reading.Reason.SERIES_LOST,
                    "%s fell from %s to %s while the series that it adds up fell from %s to %s: the last value stands until its time to live is over, and this one is not believed before %s; look whether all targets are up."
                        .formatted(
                            metric,
                            DecisionInWords.number(it.from().value()),
                            DecisionInWords.number(it.to().value()),
                            DecisionInWords.number(it.seriesBefore()),
                            DecisionInWords.number(it.series()),
                            it.until())));
  }
}
