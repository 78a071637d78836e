package io.prescale.controller.cli.forecast;

import io.prescale.controller.cli.terminal.DotGrid;
import io.prescale.controller.cli.terminal.DotGrid.Layer;
import io.prescale.controller.cli.terminal.Numbers;
import io.prescale.controller.cli.terminal.Terminal;
import io.prescale.forecasting.TimeSeries;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * A chart of a forecast in a terminal: the history, the median and the band between the outer
 * quantiles.
 */
final class ForecastChart {
  private static final int ROWS = 13;
  private static final int WIDEST = 100;
  private static final int NARROWEST = 40;
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("MMM d HH:mm", Locale.ROOT);

  private final TimeSeries history;
  private final Fan fan;
  private final Terminal terminal;
  private final ZoneId zone;
  private final Instant from;
  private final double highest;

  /**
   * Creates a chart that shows as much history as forecast.
   *
   * @param history at least up to the origin of the forecast
   */
  ForecastChart(TimeSeries history, Fan fan, Terminal terminal, ZoneId zone) {
    this.history = history;
    this.fan = fan;
    this.terminal = terminal;
    this.zone = zone;
    var wanted = fan.origin().minus(Duration.between(fan.origin(), fan.end()));
    this.from = wanted.isBefore(history.start()) ? history.start() : wanted;
    this.highest = highest();
  }

  List<String> lines() {
    int widest = IntStream.range(0, ROWS).map(row -> label(row).length()).max().orElse(0);
    int margin = widest + 2;
    int columns = Math.clamp(terminal.columns(), NARROWEST, WIDEST) - margin - 1;
    var grid = new DotGrid(terminal, columns, ROWS);
    draw(grid);
    var lines = new ArrayList<String>();
    for (int row = 0; row < ROWS; row++) {
      var label = ("%" + widest + "s").formatted(label(row));
      lines.add(label + ' ' + (terminal.unicode() ? '│' : '|') + grid.row(row));
    }
    lines.add(times(margin, columns));
    lines.add(legend(margin));
    return lines;
  }

  private void draw(DotGrid grid) {
    int median = fan.medianLevel();
    int last = fan.levels().size() - 1;
    for (int x = 0; x < grid.width(); x += grid.bandSpacing()) {
      int at = x;
      step(x, grid)
          .ifPresent(step -> drawBand(grid, at, fan.value(step, 0), fan.value(step, last)));
    }
    drawLine(grid, Layer.HISTORY, x -> observed(x, grid));
    drawLine(grid, Layer.MEDIAN, x -> valueAt(x, grid, median));
  }

  private void drawBand(DotGrid grid, int x, double low, double high) {
    for (int y = dotAt(low, grid); y <= dotAt(high, grid); y++) {
      grid.set(x, y, Layer.BAND);
    }
  }

  /** Joins neighbouring dots; gaps stay gaps. */
  private void drawLine(DotGrid grid, Layer layer, IntFunction<OptionalDouble> values) {
    var before = OptionalDouble.empty();
    for (int x = 0; x < grid.width(); x++) {
      var value = values.apply(x);
      if (value.isPresent()) {
        int y = dotAt(value.getAsDouble(), grid);
        int yBefore = dotAt(before.orElse(value.getAsDouble()), grid);
        grid.set(x, y, layer);
        for (int between = Math.min(y, yBefore) + 1; between < Math.max(y, yBefore); between++) {
          grid.set(x, between, layer);
        }
      }
      before = value;
    }
  }

  private int dotAt(double value, DotGrid grid) {
    return (int) Math.round(value / highest * (grid.height() - 1));
  }

  /** The mean of the observations during column x, if there are any before the forecast. */
  private OptionalDouble observed(int x, DotGrid grid) {
    int first = history.indexOf(timeAt(x, grid));
    int end = Math.max(first + 1, history.indexOf(timeAt(x + 1, grid)));
    double sum = 0;
    int count = 0;
    for (int i = Math.max(first, 0); i < Math.min(end, history.size()); i++) {
      if (!history.isMissing(i) && history.time(i).isBefore(fan.origin())) {
        sum += history.value(i);
        count++;
      }
    }
    return count == 0 ? OptionalDouble.empty() : OptionalDouble.of(sum / count);
  }

  private OptionalDouble valueAt(int x, DotGrid grid, int level) {
    var step = step(x, grid);
    return step.isPresent()
        ? OptionalDouble.of(fan.value(step.getAsInt(), level))
        : OptionalDouble.empty();
  }

  /** The step of the forecast at column x, if there is one. */
  private OptionalInt step(int x, DotGrid grid) {
    var time = timeAt(x, grid);
    if (time.isBefore(fan.origin())) {
      return OptionalInt.empty();
    }
    int step = (int) Duration.between(fan.origin(), time).dividedBy(fan.step());
    return step < fan.steps() ? OptionalInt.of(step) : OptionalInt.empty();
  }

  private Instant timeAt(int x, DotGrid grid) {
    return from.plus(Duration.between(from, fan.end()).multipliedBy(x).dividedBy(grid.width()));
  }

  private double highest() {
    double max = 0;
    for (int i = Math.max(0, history.indexOf(from)); i < history.size(); i++) {
      if (!history.isMissing(i) && history.time(i).isBefore(fan.origin())) {
        max = Math.max(max, history.value(i));
      }
    }
    for (int step = 0; step < fan.steps(); step++) {
      max = Math.max(max, fan.value(step, fan.levels().size() - 1));
    }
    return Numbers.roundedUp(max);
  }

  private String label(int row) {
    boolean labelled = row == 0 || row == ROWS / 2 || row == ROWS - 1;
    return labelled ? Numbers.brief(highest * (ROWS - 1 - row) / (ROWS - 1)) : "";
  }

  private String times(int margin, int columns) {
    var start = TIME.format(from.atZone(zone));
    var now = TIME.format(fan.origin().atZone(zone));
    var end = TIME.format(fan.end().atZone(zone));
    long span = Duration.between(from, fan.end()).toMillis();
    int at = (int) (columns * Duration.between(from, fan.origin()).toMillis() / span);
    var line = new StringBuilder(" ".repeat(margin)).append(start);
    if (at > start.length() + 1 && at + now.length() + end.length() + 1 < columns) {
      line.append(" ".repeat(at - start.length())).append(now);
    }
    int gap = margin + columns - end.length() - line.length();
    return line.append(" ".repeat(Math.max(1, gap))).append(end).toString();
  }

  private String legend(int margin) {
    var levels = fan.levels();
    return " ".repeat(margin)
        + Layer.HISTORY.legend("observed", terminal)
        + "   "
        + Layer.MEDIAN.legend("P" + Numbers.brief(100 * levels.get(fan.medianLevel())), terminal)
        + "   "
        + Layer.BAND.legend(
            "P%s to P%s"
                .formatted(
                    Numbers.brief(100 * levels.getFirst()), Numbers.brief(100 * levels.getLast())),
            terminal)
        + "   times in "
        + zone;
  }
}
