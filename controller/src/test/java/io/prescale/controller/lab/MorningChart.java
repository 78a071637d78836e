package io.prescale.controller.lab;

import io.prescale.controller.lab.MorningRecording.Sample;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.ToIntFunction;

/** Mornings as one SVG that needs nothing else: one below the other, to the same scale. */
final class MorningChart {
  private static final double WIDTH = 900;
  private static final double LEFT = 48;
  private static final double RIGHT = 12;
  private static final double TOP = 44;
  private static final double PANEL = 150;
  private static final double GAP = 52;
  private static final int CARDS = 64;

  private final StringBuilder svg = new StringBuilder();
  private final Duration length;

  private MorningChart(Duration length) {
    this.length = length;
  }

  /** The drawing. */
  static String svg(List<MorningRecording> all) {
    var chart = new MorningChart(all.getFirst().samples().getLast().at());
    double height = TOP + all.size() * (PANEL + GAP);
    chart.head(height);
    for (int i = 0; i < all.size(); i++) {
      chart.panel(all.get(i), TOP + i * (PANEL + GAP) + 22);
    }
    return chart.svg.append("</svg>\n").toString();
  }

  private void head(double height) {
    svg.append(
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %s %s" font-family="system-ui, sans-serif" font-size="12">
        <style>
        rect { shape-rendering: crispEdges } .paper { fill: #fff } text { fill: #444 } .name { font-weight: 600; fill: #222 } .end { text-anchor: end }
        .middle { text-anchor: middle } path { fill: none } .grid { stroke: #ddd }
        .training { fill: #59a14f; fill-opacity: .35 } .serving { fill: #4c78a8; fill-opacity: .55 }
        .needed { stroke: #222; stroke-width: 1.5 } .overload { fill: #d62728; fill-opacity: .8 }
        </style>
        <rect class="paper" width="%s" height="%s"/>
        <rect class="serving" x="48" y="12" width="22" height="10"/><text x="76" y="21">replicas that serve</text>
        <rect class="training" x="208" y="12" width="22" height="10"/><text x="236" y="21">cards that train, above</text>
        <path class="needed" d="M384 17h22"/><text x="412" y="21">replicas that have to serve</text>
        <rect class="overload" x="590" y="12" width="22" height="10"/><text x="618" y="21">overload</text>
        """
            .formatted(WIDTH, height, WIDTH, height));
  }

  private void panel(MorningRecording one, double top) {
    svg.append(
        String.format(
            Locale.ROOT,
            "<text class=\"name\" x=\"%s\" y=\"%s\">%s</text>"
                + "<text class=\"end\" x=\"%s\" y=\"%s\">overloaded %.1f s, %.2f card-hours of"
                + " training, %d pods ended without notice</text>%n",
            LEFT,
            top - 8,
            one.name(),
            WIDTH - RIGHT,
            top - 8,
            one.overloadedSeconds(),
            one.trainingCardHours(),
            one.withoutNotice()));
    for (int cards = 0; cards <= CARDS; cards += 16) {
      svg.append(
          "<path class=\"grid\" d=\"M%s %sH%s\"/><text class=\"end\" dy=\"4\" x=\"%s\" y=\"%s\">%d</text>%n"
              .formatted(LEFT, y(top, cards), WIDTH - RIGHT, LEFT - 6, y(top, cards), cards));
    }
    area("serving", one, top, _ -> 0, Sample::ready);
    area("training", one, top, Sample::ready, it -> it.ready() + it.training());
    overload(one, top);
    svg.append("<path class=\"needed\" d=\"%s\"/>%n".formatted(steps(one, top, Sample::needed)));
    boolean isShort = length.compareTo(Duration.ofMinutes(5)) < 0;
    int each = isShort ? 30 : 300;
    for (int second = 0; second <= length.toSeconds(); second += each) {
      svg.append(
          "<text class=\"%s\" x=\"%s\" y=\"%s\">%s</text>%n"
              .formatted(
                  second == 0 ? "" : "middle",
                  x(Duration.ofSeconds(second)),
                  top + PANEL + 16,
                  isShort ? second + " s" : second / 60 + " min"));
    }
  }

  private void area(
      String style,
      MorningRecording one,
      double top,
      ToIntFunction<Sample> from,
      ToIntFunction<Sample> to) {
    for (int i = 1; i < one.samples().size(); i++) {
      var sample = one.samples().get(i - 1);
      int begin = i;
      while (i + 1 < one.samples().size() && isSame(one.samples().get(i), sample)) {
        i++;
      }
      rect(style, one, begin, i, top, from.applyAsInt(sample), to.applyAsInt(sample));
    }
  }

  private static boolean isSame(Sample one, Sample other) {
    return one.ready() == other.ready()
        && one.training() == other.training()
        && one.needed() == other.needed();
  }

  private void overload(MorningRecording one, double top) {
    area("overload", one, top, Sample::ready, it -> Math.max(it.ready(), it.needed()));
  }

  private void rect(
      String style, MorningRecording one, int begin, int end, double top, int from, int to) {
    if (to > from) {
      double x = x(one.samples().get(begin - 1).at());
      double width = x(one.samples().get(end).at()) - x;
      svg.append(
          "<rect class=\"%s\" x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\"/>%n"
              .formatted(style, x, y(top, to), tenths(width), tenths(y(top, from) - y(top, to))));
    }
  }

  private String steps(MorningRecording one, double top, ToIntFunction<Sample> value) {
    var path = new StringBuilder();
    int last = -1;
    for (var sample : one.samples()) {
      int now = value.applyAsInt(sample);
      if (last < 0) {
        path.append("M%s %s".formatted(x(sample.at()), y(top, now)));
      } else if (now != last) {
        path.append("H%sV%s".formatted(x(sample.at()), y(top, now)));
      }
      last = now;
    }
    return path.append("H%s".formatted(x(length))).toString();
  }

  private double x(Duration at) {
    return tenths(LEFT + (WIDTH - LEFT - RIGHT) * at.toMillis() / length.toMillis());
  }

  private static double y(double top, int cards) {
    return tenths(top + PANEL - PANEL * cards / CARDS);
  }

  private static double tenths(double value) {
    return Math.round(10 * value) / 10.0;
  }
}
