package io.prescale.controller.simulation.report;

import io.prescale.controller.simulation.replay.PolicyOutcome;
import io.prescale.controller.simulation.replay.PolicyRun;
import io.prescale.controller.simulation.replay.ReplayResult;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * A chart of cost against overload as SVG: one numbered point per policy, with the best at the
 * lower left. A line joins the Pareto-optimal policies.
 */
final class CostChart {

  private static final double LEFT = 66;
  private static final double RIGHT = 20;
  private static final double TOP = 24;
  private static final double BOTTOM = 48;

  /** Padding between the outermost points and the labels of the axes. */
  private static final double INSET = 14;

  private static final double RADIUS = 5.5;
  private static final double FONT_SIZE = 12;
  private static final int LONGEST_LABEL = 54;

  /** A policy's position in the drawing. */
  private record Point(int number, PolicyOutcome outcome, double x, double y) {}

  private final ReportSubject about;
  private final double width;
  private final double height;
  private final boolean roomForNames;
  private final Axis costs;
  private final Axis overloads;
  private final List<Point> points;
  private final int clairvoyant;

  /**
   * @param width in pixels; a narrow chart labels points by number only
   */
  CostChart(ReplayResult result, ReportSubject about, double width) {
    this.about = about;
    this.width = width;
    this.roomForNames = width > 500;
    this.height = roomForNames ? 400 : 320;
    List<PolicyOutcome> all = result.runs().stream().map(PolicyRun::outcome).toList();
    List<PolicyOutcome> known = all.stream().filter(CostChart::isKnown).toList();
    double[] cost = known.stream().mapToDouble(PolicyOutcome::costVsClairvoyant).toArray();
    this.costs =
        Axis.Linear.covering(
            Math.min(1, DoubleStream.of(cost).min().orElse(1)),
            Math.max(1.2, DoubleStream.of(cost).max().orElse(1)),
            roomForNames ? 8 : 5);
    this.overloads =
        Axis.forShares(
            DoubleStream.concat(
                    known.stream().mapToDouble(PolicyOutcome::overloadedShare),
                    about.overloadBudget().stream())
                .toArray());
    this.points =
        IntStream.range(0, all.size())
            .filter(i -> isKnown(all.get(i)))
            .mapToObj(
                i ->
                    new Point(
                        i + 1,
                        all.get(i),
                        x(all.get(i).costVsClairvoyant()),
                        y(all.get(i).overloadedShare())))
            .toList();
    this.clairvoyant = all.size();
  }

  private static boolean isKnown(PolicyOutcome outcome) {
    return Double.isFinite(outcome.costVsClairvoyant())
        && Double.isFinite(outcome.overloadedShare());
  }

  private double x(double cost) {
    return LEFT + INSET + costs.at(cost) * (width - LEFT - INSET - RIGHT);
  }

  private double y(double overload) {
    return height - BOTTOM - INSET - overloads.at(overload) * (height - TOP - BOTTOM - INSET);
  }

  Markup svg() {
    var svg = new Markup();
    svg.open(
        "svg",
        "class",
        roomForNames ? "cost wide" : "cost narrow",
        "viewBox",
        "0 0 " + Markup.pixels(width) + " " + Markup.pixels(height),
        "width",
        width,
        "height",
        height,
        "role",
        "img",
        "aria-label",
        description());
    costAxis(svg);
    overloadAxis(svg);
    budget(svg);
    frontier(svg);
    labels(svg);
    points.reversed().forEach(point -> marker(svg, point));
    return svg.close();
  }

  /** A description for screen readers; the table has all figures. */
  private String description() {
    return points.stream()
        .sorted(Comparator.comparingDouble(p -> p.outcome().costVsClairvoyant()))
        .map(
            p ->
                "%s, %s: %s of the time overloaded at %s"
                    .formatted(
                        Integer.toString(p.number()),
                        p.outcome().policy(),
                        Figures.percent(p.outcome().overloadedShare()),
                        Figures.times(p.outcome().costVsClairvoyant())))
        .collect(Collectors.joining("; ", "Cost against overloaded time. ", "."));
  }

  private void costAxis(Markup svg) {
    double bottom = height - BOTTOM;
    for (double tick : costs.ticks()) {
      svg.shape("line", "class", "grid", "x1", x(tick), "x2", x(tick), "y1", TOP, "y2", bottom);
      svg.element(
          "text", Figures.number(tick), "class", "tick middle", "x", x(tick), "y", bottom + 17);
    }
    svg.element(
        "text",
        "Cost: replica-hours, × the clairvoyant’s",
        "class",
        "axis middle",
        "x",
        (LEFT + width - RIGHT) / 2,
        "y",
        height - 10);
  }

  private void overloadAxis(Markup svg) {
    for (double tick : overloads.ticks()) {
      svg.shape(
          "line", "class", "grid", "x1", LEFT, "x2", width - RIGHT, "y1", y(tick), "y2", y(tick));
      svg.element(
          "text", Figures.roundPercent(tick), "class", "tick end", "x", LEFT - 8, "y", y(tick) + 4);
    }
    boolean broken = overloads instanceof Axis.Logarithmic;
    if (broken) {
      double cut = (y(0) + y(((Axis.Logarithmic) overloads).from())) / 2;
      svg.shape(
          "path",
          "class",
          "break",
          "d",
          "M" + Markup.pixels(LEFT - 4) + " " + Markup.pixels(cut) + "l8 -5m-8 9l8 -5");
    }
    svg.element(
        "text",
        broken ? "Overloaded time (logarithmic above 0)" : "Overloaded time",
        "class",
        "axis",
        "x",
        4.0,
        "y",
        12.0);
  }

  private void budget(Markup svg) {
    if (about.overloadBudget().isEmpty()) {
      return;
    }
    double budget = about.overloadBudget().getAsDouble();
    double y = y(budget);
    svg.shape("line", "class", "budget", "x1", LEFT, "x2", width - RIGHT, "y1", y, "y2", y);
    svg.element(
        "text",
        "budget " + Figures.roundPercent(budget),
        "class",
        "tick end halo",
        "x",
        width - RIGHT - 2,
        "y",
        y - 5);
  }

  /** Draws a stepped line through the Pareto-optimal policies except the clairvoyant. */
  private void frontier(Markup svg) {
    var path = new StringBuilder();
    double lowest = Double.POSITIVE_INFINITY;
    for (Point point : byCost()) {
      if (point.outcome().overloadedShare() < lowest && point.number() != clairvoyant) {
        lowest = point.outcome().overloadedShare();
        boolean first = path.isEmpty();
        path.append(first ? "M" : "H").append(Markup.pixels(point.x()));
        path.append(first ? " " : "V").append(Markup.pixels(point.y()));
      }
    }
    if (!path.isEmpty()) {
      svg.shape("path", "class", "frontier", "d", path);
    }
  }

  private List<Point> byCost() {
    return points.stream()
        .sorted(
            Comparator.comparingDouble((Point p) -> p.outcome().costVsClairvoyant())
                .thenComparingDouble(p -> p.outcome().overloadedShare()))
        .toList();
  }

  /** Places the subject's label first. */
  private void labels(Markup svg) {
    var bounds = new LabelLayout.Box(LEFT, 16, width - 2, height - BOTTOM + 6);
    var layout = new LabelLayout(bounds, FONT_SIZE);
    points.forEach(p -> layout.keepFree(LabelLayout.Box.around(p.x(), p.y(), RADIUS)));
    if (about.overloadBudget().isPresent()) {
      double y = y(about.overloadBudget().getAsDouble());
      layout.keepFree(new LabelLayout.Box(width - RIGHT - 84, y - 16, width, y + 1));
    }
    points.stream()
        .sorted(Comparator.comparing(p -> !isSubject(p)))
        .forEach(p -> label(svg, layout, p));
  }

  /** Draws number and name, or only the number if the space is short. */
  private void label(Markup svg, LabelLayout layout, Point point) {
    String number = Integer.toString(point.number());
    String name = roomForNames ? " " + shortened(point.outcome().policy()) : "";
    Optional<LabelLayout.Box> whole = layout.place(number + name, point.x(), point.y());
    Optional<LabelLayout.Box> place =
        whole.isPresent() ? whole : layout.place(number, point.x(), point.y());
    if (place.isEmpty()) {
      return;
    }
    LabelLayout.Box box = place.get();
    leader(svg, point, box);
    boolean endsAtPoint = box.right() < point.x();
    svg.open(
        "text",
        "class",
        "label halo" + (endsAtPoint ? " end" : "") + (isSubject(point) ? " subject" : ""),
        "x",
        endsAtPoint ? box.right() : box.left(),
        "y",
        box.bottom() - 4);
    svg.element("tspan", number, "class", "number");
    svg.text(whole.isPresent() ? name : "").close();
  }

  /** Draws a line from the point to a label at a distance. */
  private static void leader(Markup svg, Point point, LabelLayout.Box box) {
    double x = Math.clamp(point.x(), box.left(), box.right());
    double y = Math.clamp(point.y(), box.top(), box.bottom());
    if (Math.hypot(x - point.x(), y - point.y()) > 2 * RADIUS) {
      svg.shape("line", "class", "leader", "x1", point.x(), "y1", point.y(), "x2", x, "y2", y);
    }
  }

  private static String shortened(String name) {
    return name.codePointCount(0, name.length()) <= LONGEST_LABEL
        ? name
        : name.substring(0, name.offsetByCodePoints(0, LONGEST_LABEL - 1)).strip() + "…";
  }

  private void marker(Markup svg, Point point) {
    String kind =
        isSubject(point) ? " subject" : point.number() == clairvoyant ? " clairvoyant" : "";
    svg.open("g", "class", "point" + kind);
    svg.element("title", point.outcome().policy());
    svg.shape("circle", "cx", point.x(), "cy", point.y(), "r", RADIUS);
    svg.close();
  }

  private boolean isSubject(Point point) {
    return point.outcome().policy().equals(about.policy());
  }
}
