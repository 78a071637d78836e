package io.prescale.controller.simulation.report;

import java.util.OptionalDouble;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * A chart of one quantile's observed coverage by hour of the day, against its nominal level, as
 * SVG.
 */
final class HourlyChart {

  private static final double WIDTH = 380;
  private static final double HEIGHT = 168;
  private static final double LEFT = 48;
  private static final double RIGHT = 10;
  private static final double TOP = 30;
  private static final double BOTTOM = 24;

  /** The minimum range of the axis, so that small deviations look small. */
  private static final double SMALLEST_MARGIN = 0.02;

  private final HourlyCoverage coverage;
  private final double promised;
  private final Axis shares;

  HourlyChart(HourlyCoverage coverage) {
    this.coverage = coverage;
    this.promised = coverage.level().promised();
    double margin = Math.max(SMALLEST_MARGIN, Math.min(0.1, 1 - promised));
    this.shares =
        Axis.Linear.covering(
            Math.min(observed().min().orElse(promised), promised - margin),
            Math.max(observed().max().orElse(promised), Math.min(1, promised + margin)),
            4);
  }

  private DoubleStream observed() {
    return IntStream.range(0, HourlyCoverage.HOURS)
        .mapToObj(coverage::share)
        .flatMapToDouble(OptionalDouble::stream);
  }

  private double x(int hour) {
    return LEFT + (hour + 0.5) / HourlyCoverage.HOURS * (WIDTH - LEFT - RIGHT);
  }

  private double y(double share) {
    return HEIGHT - BOTTOM - shares.at(share) * (HEIGHT - TOP - BOTTOM);
  }

  Markup svg() {
    var svg = new Markup();
    String size = "0 0 " + Markup.pixels(WIDTH) + " " + Markup.pixels(HEIGHT);
    String level = coverage.level().name();
    svg.open("svg", "class", "hours", "viewBox", size, "role", "img", "aria-label", description());
    svg.element("text", level, "class", "axis strong", "x", 4.0, "y", 14.0);
    grid(svg);
    double line = y(promised);
    svg.shape("line", "class", "promised", "x1", LEFT, "x2", WIDTH - RIGHT, "y1", line, "y2", line);
    for (int hour = 0; hour < HourlyCoverage.HOURS; hour++) {
      int at = hour;
      coverage.share(hour).ifPresent(share -> hour(svg, at, share));
    }
    return svg.close();
  }

  private void grid(Markup svg) {
    for (double tick : shares.ticks()) {
      svg.shape(
          "line", "class", "grid", "x1", LEFT, "x2", WIDTH - RIGHT, "y1", y(tick), "y2", y(tick));
      svg.element(
          "text", Figures.roundPercent(tick), "class", "tick end", "x", LEFT - 6, "y", y(tick) + 4);
    }
    for (int hour = 0; hour < HourlyCoverage.HOURS; hour += 6) {
      svg.element(
          "text", Figures.hour(hour), "class", "tick middle", "x", x(hour), "y", HEIGHT - 6);
    }
  }

  private void hour(Markup svg, int hour, double share) {
    svg.open("g", "class", share < promised ? "hour under" : "hour");
    svg.element("title", Figures.hour(hour) + ": " + Figures.coverage(share));
    svg.shape("line", "x1", x(hour), "x2", x(hour), "y1", y(promised), "y2", y(share));
    svg.shape("circle", "cx", x(hour), "cy", y(share), "r", 3.5);
    svg.close();
  }

  private String description() {
    if (observed().findAny().isEmpty()) {
      return coverage.level().name() + ": no forecast could be scored.";
    }
    return "%s by hour of the day: nominal %s, observed from %s to %s."
        .formatted(
            coverage.level().name(),
            Figures.roundPercent(promised),
            Figures.coverage(observed().min().orElseThrow()),
            Figures.coverage(observed().max().orElseThrow()));
  }
}
