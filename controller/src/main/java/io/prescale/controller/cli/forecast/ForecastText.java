package io.prescale.controller.cli.forecast;

import io.prescale.controller.cli.terminal.Numbers;
import io.prescale.controller.cli.terminal.Terminal;
import io.prescale.forecasting.DurationInWords;
import io.prescale.forecasting.TimeSeries;
import java.time.Duration;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * Forecasts as text: a chart of the last one, its peak, and the coverage of all of them.
 *
 * @param observed in steps of the forecasts, including observations after their origins where there
 *     are any
 */
record ForecastText(TimeSeries observed, List<Fan> fans, Terminal terminal, ZoneId zone) {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("MMM d HH:mm", Locale.ROOT);

  ForecastText {
    fans = List.copyOf(fans);
  }

  List<String> lines() {
    var last = fans.getLast();
    var lines = new ArrayList<>(new ForecastChart(observed, last, terminal, zone).lines());
    lines.add("");
    lines.add(peak(last));
    var held = held();
    if (!held.isEmpty()) {
      lines.add(held);
    }
    return lines;
  }

  private String peak(Fan fan) {
    int median = fan.medianLevel();
    int outermost = fan.levels().size() - 1;
    int highest = 0;
    for (int step = 1; step < fan.steps(); step++) {
      if (fan.value(step, median) > fan.value(highest, median)) {
        highest = step;
      }
    }
    return "In the next %s, the load peaks around %s: %s (%s), %s %s."
        .formatted(
            DurationInWords.of(Duration.between(fan.origin(), fan.end())),
            TIME.format(fan.time(highest).atZone(zone)),
            Numbers.brief(fan.value(highest, median)),
            percentile(fan, median),
            percentile(fan, outermost),
            Numbers.brief(fan.value(highest, outermost)));
  }

  /** Empty if no forecast step has an observation yet. */
  private String held() {
    var levels = fans.getLast().levels();
    var shares = new ArrayList<String>();
    long known = 0;
    for (int level = 0; level < levels.size(); level++) {
      known = 0;
      long held = 0;
      for (var fan : fans) {
        for (int step = 0; step < fan.steps(); step++) {
          var truth = truth(fan, step);
          known += truth.isPresent() ? 1 : 0;
          held += truth.isPresent() && truth.getAsDouble() <= fan.value(step, level) ? 1 : 0;
        }
      }
      shares.add("%s %.1f %%".formatted(percentile(fans.getLast(), level), 100.0 * held / known));
    }
    return known == 0
        ? ""
        : "%,d forecasts; the load stayed at or below %s of the time."
            .formatted(fans.size(), String.join(", ", shares));
  }

  private OptionalDouble truth(Fan fan, int step) {
    int index = observed.indexOf(fan.time(step));
    return index < 0 || index >= observed.size() || observed.isMissing(index)
        ? OptionalDouble.empty()
        : OptionalDouble.of(observed.value(index));
  }

  private static String percentile(Fan fan, int level) {
    return "P" + Numbers.brief(100 * fan.levels().get(level));
  }
}
