package io.prescale.controller.lab;

import io.prescale.controller.lab.Recording.Moment;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Recordings as one page that needs nothing else: a drawing of each, all to the same scale. */
final class RunChart {
  private static final double WIDTH = 1000;
  private static final double HEIGHT = 260;
  private static final double LEFT = 52;
  private static final double TOP = 12;
  private static final double BOTTOM = 26;
  private static final int GRID_LINES = 4;

  private final Recording recording;
  private final double highest;
  private final StringBuilder svg = new StringBuilder();

  private RunChart(Recording recording, double highest) {
    this.recording = recording;
    this.highest = highest;
  }

  private static String head(String title) {
    return """
    <!doctype html>
    <html lang="en"><meta charset="utf-8"><title>%s</title>
    <style>
    body { font: 14px/1.5 system-ui, sans-serif; color: #222; background: #fff;
      max-width: 1000px; margin: 1.5rem auto; padding: 0 1rem }
    h1 { font-size: 1.3rem } h2 { font-size: 1rem; margin: 1.2rem 0 .3rem }
    small { font-weight: normal; color: #555; margin-left: .6em }
    svg { width: 100%%; font-size: 11px } text { fill: #555 }
    .end { text-anchor: end } .middle { text-anchor: middle }
    path { fill: none } .grid { stroke: #ddd }
    .capacity { fill: #4c78a8; fill-opacity: .16 } .ready { stroke: #4c78a8; stroke-width: 1.5 }
    .served { stroke: #e07b00; stroke-width: 1.5; stroke-dasharray: 5 3 }
    .demand { stroke: #222; stroke-width: 1.5 } .overload { fill: #d62728; fill-opacity: .7; shape-rendering: crispEdges }
    .key { display: inline-block; width: 1.6em; height: .7em; margin: 0 .4em 0 1.2em }
    .key:first-child { margin-left: 0 }
    </style>
    <h1>%s</h1>
    <p><span class="key" style="background:#222"></span>demand
    <span class="key" style="background:#e07b00"></span>value that the HPA is given
    <span class="key" style="background:#4c78a8"></span>what the ready replicas can serve
    <span class="key" style="background:#d62728"></span>overload</p>
    """
        .formatted(title, title);
  }

  /** The page. */
  static String html(String title, List<Recording> recordings) {
    double highest = recordings.stream().mapToDouble(RunChart::highest).max().orElse(1);
    var page = new StringBuilder(head(escaped(title)));
    for (var recording : recordings) {
      page.append(
          "<h2>%s <small>overloaded %s&#8239;%% of the time, %s replica-hours</small></h2>\n"
              .formatted(
                  escaped(recording.name()),
                  tenths(100 * recording.overloadedShare()),
                  Math.round(100 * recording.replicaHours()) / 100.0));
      page.append(new RunChart(recording, highest).draw());
    }
    return page.toString();
  }

  private static double highest(Recording recording) {
    double most =
        recording.moments().stream()
            .mapToDouble(
                m ->
                    Math.max(
                        Math.max(m.demand(), m.served().orElse(0)),
                        m.ready() * recording.capacity()))
            .max()
            .orElse(0);
    double step = GRID_LINES * recording.capacity();
    return Math.max(step, Math.ceil(most / step) * step);
  }

  private String draw() {
    svg.append(
        "<svg viewBox=\"0 0 %s %s\" role=\"img\" aria-label=\"%s\">\n"
            .formatted(WIDTH, HEIGHT, escaped(recording.name())));
    axes();
    var capacity = steps(m -> m.ready() * recording.capacity());
    svg.append("<path class=\"capacity\" d=\"%sV%sH%sZ\"/>\n".formatted(capacity, y(0), LEFT));
    overloads();
    svg.append("<path class=\"ready\" d=\"%s\"/>\n".formatted(capacity));
    svg.append(
        "<path class=\"served\" d=\"%s\"/>\n".formatted(steps(m -> m.served().orElse(Double.NaN))));
    svg.append("<path class=\"demand\" d=\"%s\"/>\n".formatted(steps(Moment::demand)));
    return svg.append("</svg>\n").toString();
  }

  private void axes() {
    for (int line = 0; line <= GRID_LINES; line++) {
      double value = highest * line / GRID_LINES;
      svg.append("<path class=\"grid\" d=\"M%s %sH%s\"/>".formatted(LEFT, y(value), WIDTH));
      svg.append(
          "<text class=\"end\" dy=\"4\" x=\"%s\" y=\"%s\">%s</text>\n"
              .formatted(LEFT - 6, y(value), Math.round(value)));
    }
    long minutes = Duration.between(recording.start(), recording.end()).toMinutes();
    for (long minute = 0; minute <= minutes; minute++) {
      double x = x(recording.start().plusSeconds(60 * minute));
      svg.append(
          "<text class=\"middle\" x=\"%s\" y=\"%s\">%d min</text>\n"
              .formatted(x + (minute == 0 ? 14 : 0), HEIGHT - 6, minute));
    }
  }

  /** Demand that no ready replica could serve. */
  private void overloads() {
    for (int i = 1; i < recording.moments().size(); i++) {
      var moment = recording.moments().get(i - 1);
      if (recording.isOverloaded(moment)) {
        double x = x(moment.at());
        double y = y(moment.demand());
        svg.append(
            "<rect class=\"overload\" x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\"/>\n"
                .formatted(
                    x,
                    y,
                    tenths(x(recording.moments().get(i).at()) - x),
                    tenths(y(moment.ready() * recording.capacity()) - y)));
      }
    }
  }

  /** A line of steps, which is broken where there is no value. */
  private String steps(ToDoubleFunction<Moment> value) {
    var path = new StringBuilder();
    boolean drawing = false;
    for (var moment : recording.moments()) {
      double now = value.applyAsDouble(moment);
      double x = x(moment.at());
      if (Double.isNaN(now)) {
        path.append(drawing ? "H%s".formatted(x) : "");
      } else {
        path.append((drawing ? "H%sV%s" : "M%s %s").formatted(x, y(now)));
      }
      drawing = !Double.isNaN(now);
    }
    return path.toString();
  }

  private double x(Instant time) {
    double span = Duration.between(recording.start(), recording.end()).toMillis();
    double since = Duration.between(recording.start(), time).toMillis();
    return tenths(LEFT + (WIDTH - LEFT) * since / span);
  }

  private double y(double value) {
    return tenths(HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * value / highest);
  }

  private static double tenths(double value) {
    return Math.round(10 * value) / 10.0;
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
  }
}
