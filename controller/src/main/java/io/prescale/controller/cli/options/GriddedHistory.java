package io.prescale.controller.cli.options;

import io.prescale.controller.input.History;
import io.prescale.forecasting.DurationInWords;
import io.prescale.forecasting.Gridded;
import io.prescale.forecasting.HistoryLength;
import io.prescale.forecasting.IngestReport;
import io.prescale.forecasting.TimeSeries;
import io.prescale.forecasting.UngriddableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A history on a regular grid with steps of a minute or longer.
 *
 * @param notes sentences about what was changed or ignored
 */
public record GriddedHistory(TimeSeries series, List<String> notes) {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration COARSEST = Duration.ofMinutes(15);

  /** The share of steps without a sample up to which a fine grid says more than a coarse one. */
  private static final double MOST_MISSING = 0.1;

  public GriddedHistory {
    notes = List.copyOf(notes);
  }

  /**
   * Uses the usual distance of the samples as the step, rounded up to whole minutes; a longer one
   * where samples come so irregularly that many steps would have none.
   */
  public static GriddedHistory of(History history) throws UnusableTraceException {
    try {
      return onGrid(history);
    } catch (UngriddableException e) {
      throw new UnusableTraceException(
          "%s: %s"
              .formatted(
                  history.name(),
                  LoneSamples.of(history.samples())
                      .map(LoneSamples::sentence)
                      .orElseGet(e::getMessage)));
    }
  }

  private static GriddedHistory onGrid(History history) throws UnusableTraceException {
    var gridded = TimeSeries.fromSamples(history.samples());
    var minutes = wholeMinutes(gridded.series().step());
    if (!gridded.series().step().equals(minutes)) {
      gridded = TimeSeries.fromSamples(history.samples(), minutes);
    }
    if (missing(gridded) > MOST_MISSING) {
      var longest =
          SampleDistance.of(history.samples())
              .filter(distance -> !distance.divides(minutes))
              .map(distance -> wholeMinutes(distance.longest()))
              .filter(step -> step.compareTo(minutes) > 0 && step.compareTo(COARSEST) <= 0);
      if (longest.isPresent()) {
        var coarse = TimeSeries.fromSamples(history.samples(), longest.get());
        boolean fills = 2 * missing(coarse) < missing(gridded);
        gridded = fills ? coarse : gridded; // an outage is as long on either
      }
    }
    if (gridded.series().presentCount() == 0) {
      throw new UnusableTraceException(history.name() + ": " + noValue(gridded.report()));
    }
    requirePlausible(history, gridded.series());
    return new GriddedHistory(gridded.series(), notes(history, gridded));
  }

  private static String noValue(IngestReport report) {
    if (report.negative() == report.samples()) {
      return "all of %,d samples are negative, and demand never is; check the query or the column."
          .formatted(report.samples());
    }
    return report.samples() == 1
        ? "its only sample has no value."
        : "none of %,d samples has a value.".formatted(report.samples());
  }

  /** The share of the steps without a value. */
  private static double missing(Gridded gridded) {
    return (double) gridded.report().missingSteps() / gridded.series().size();
  }

  private static Duration wholeMinutes(Duration step) {
    return Duration.ofMinutes(Math.ceilDiv(step.toMillis(), MINUTE.toMillis()));
  }

  private static void requirePlausible(History history, TimeSeries series)
      throws UnusableTraceException {
    for (int i = 0; i < series.size(); i++) {
      if (Math.abs(series.value(i)) > TimeSeries.LARGEST_DEMAND) {
        throw new UnusableTraceException(
            "%s: the value at %s is %s, but a demand cannot exceed %s; correct or remove it."
                .formatted(
                    history.name(), series.time(i), series.value(i), TimeSeries.LARGEST_DEMAND));
      }
    }
  }

  /**
   * Uses a step of one minute. A coarser sample applies from the last minute of its step until the
   * next sample does: its value describes the whole step, so using it earlier would leak the
   * future.
   */
  public static GriddedHistory byTheMinute(History history) throws UnusableTraceException {
    var gridded = of(history);
    var step = gridded.series().step();
    if (step.equals(MINUTE)) {
      return gridded;
    }
    if (step.compareTo(COARSEST) > 0) {
      throw new UnusableTraceException(
          "%s: has one sample every %s, but a replay needs one at least every 15 min; export it with a step of 1 min."
              .formatted(history.name(), DurationInWords.of(step)));
    }
    var notes = new ArrayList<>(gridded.notes());
    notes.add(
        "A replay runs in steps of a minute: each sample applies for %s, starting when its step is complete."
            .formatted(DurationInWords.of(step)));
    return new GriddedHistory(repeated(gridded.series()), notes);
  }

  private static TimeSeries repeated(TimeSeries series) {
    int times = (int) series.step().dividedBy(MINUTE);
    var values = new double[Math.multiplyExact(series.size(), times)];
    for (int i = 0; i < series.size(); i++) {
      Arrays.fill(values, i * times, (i + 1) * times, series.value(i));
    }
    return TimeSeries.of(series.start().plus(series.step()).minus(MINUTE), MINUTE, values);
  }

  private static List<String> notes(History history, Gridded gridded) {
    var series = gridded.series();
    IngestReport report = gridded.report();
    var notes = new ArrayList<String>();
    notes.add(
        "%s: %,d %s from %s to %s, on a %s grid."
            .formatted(
                history.name(),
                report.samples(),
                report.samples() == 1 ? "sample" : "samples",
                series.start(),
                series.end(),
                DurationInWords.of(series.step())));
    LoneSamples.of(history.samples()).map(LoneSamples::sentence).ifPresent(notes::add);
    notes.add(HistoryLength.of(series).sentence());
    SampleDistance.of(history.samples())
        .filter(distance -> report.merged() > 0 || !distance.divides(series.step()))
        .ifPresentOrElse(
            distance -> notes.add(distance.sentence(series.step())),
            () ->
                note(
                    notes,
                    report.merged(),
                    "%,d sample shares its step; the mean is used.",
                    "%,d samples share a step; their mean is used."));
    note(
        notes,
        report.missingSteps(),
        "%,d step has no value and is treated as a gap.",
        "%,d steps have no value and are treated as gaps.");
    note(
        notes,
        report.outOfOrder(),
        "%,d sample was out of order and has been sorted.",
        "%,d samples were out of order and have been sorted.");
    note(
        notes,
        report.duplicates(),
        "%,d sample repeats a timestamp; the last one is used.",
        "%,d samples repeat a timestamp; the last one is used.");
    note(
        notes,
        report.notFinite(),
        "%,d sample is empty, NaN or infinite and is treated as missing.",
        "%,d samples are empty, NaN or infinite and are treated as missing.");
    note(
        notes,
        report.negative(),
        "%,d sample is negative and is treated as missing.",
        "%,d samples are negative and are treated as missing.");
    if (isWithoutDemand(series)) {
      notes.add(
          "The demand is 0 in all samples; check the query or the column, because its figures mean"
              + " nothing.");
    }
    notes.addAll(history.notes());
    return notes;
  }

  private static boolean isWithoutDemand(TimeSeries series) {
    for (int i = 0; i < series.size(); i++) {
      if (series.value(i) > 0) {
        return false;
      }
    }
    return true;
  }

  private static void note(List<String> notes, int count, String one, String more) {
    if (count > 0) {
      notes.add((count == 1 ? one : more).formatted(count));
    }
  }
}
