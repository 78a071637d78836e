package io.prescale.controller.simulation.report;

import io.prescale.controller.simulation.replay.Coverage;
import io.prescale.controller.simulation.replay.PolicyRun;
import io.prescale.controller.simulation.replay.ReplayResult;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;

/**
 * The calibration of a policy's quantiles: nominal and observed coverage, overall and by hour of
 * the day.
 */
final class CalibrationSection {

  private CalibrationSection() {}

  /** The section for the subject, or else for the first run with quantiles, or else a sentence. */
  static Markup of(ReplayResult result, ReportSubject about) {
    PolicyRun subject = Headline.subject(result, about);
    PolicyRun run =
        subject.outcome().coverage().isPresent()
            ? subject
            : result.runs().stream()
                .filter(r -> r.outcome().coverage().isPresent())
                .findFirst()
                .orElse(subject);
    return run.outcome()
        .coverage()
        .map(coverage -> section(result, run, coverage, about.zone()))
        .orElseGet(() -> new Markup().element("p", "None of the policies forecasts quantiles."));
  }

  private static Markup section(
      ReplayResult result, PolicyRun run, Coverage coverage, ZoneId zone) {
    List<HourlyCoverage> hourly =
        Arrays.stream(HourlyCoverage.Level.values())
            .map(level -> HourlyCoverage.of(result, run, level, zone))
            .toList();
    var html = new Markup();
    overall(html, run, coverage);
    html.open("figure", "class", "hourly");
    html.element(
        "figcaption",
        "Observed coverage by hour of the day at the start of the window ("
            + Figures.zone(zone)
            + "). The line is the nominal level: above it the forecast was too high, below it too"
            + " low.");
    html.open("div", "class", "panels");
    hourly.forEach(levels -> html.add(new HourlyChart(levels).svg()));
    html.close().close();
    table(html, hourly, zone);
    return html;
  }

  private static void overall(Markup html, PolicyRun run, Coverage coverage) {
    html.open("p", "class", "hint");
    html.text("How often the highest demand of the window stayed at or below the quantiles of ");
    html.element("bdi", run.outcome().policy()).text(".").close();
    scrolled(html, "Nominal and observed coverage");
    html.open("thead").open("tr");
    for (String column :
        List.of("Quantile", "Nominal", "Observed", "Difference", "Pinball loss", "Forecasts")) {
      html.element("th", column, "scope", "col");
    }
    html.close().close().open("tbody");
    row(html, "P50", coverage.p50());
    row(html, "P90", coverage.p90());
    row(html, "P95", coverage.p95());
    row(html, "P99", coverage.p99());
    html.close().close().close();
  }

  /** Opens a table that scrolls on its own if the page is too narrow. */
  private static void scrolled(Markup html, String title) {
    html.open("div", "class", "scroll", "tabindex", 0, "role", "region", "aria-label", title);
    html.open("table").element("caption", title, "class", "unseen");
  }

  private static void row(Markup html, String quantile, Coverage.Score score) {
    html.open("tr").element("th", quantile, "scope", "row");
    html.element("td", Figures.roundPercent(score.level()));
    html.element("td", Figures.coverage(score.covered()));
    html.element(
        "td",
        score.covered().isPresent()
            ? Figures.points(score.covered().getAsDouble() - score.level())
            : Figures.UNKNOWN);
    html.element("td", Figures.number(score.pinballLoss().orElse(Double.NaN)));
    html.element("td", Figures.count(score.minutes()));
    html.close();
  }

  private static void table(Markup html, List<HourlyCoverage> hourly, ZoneId zone) {
    html.open("details").element("summary", "Coverage by hour of the day as a table");
    scrolled(html, "Observed coverage by hour of the day (" + Figures.zone(zone) + ")");
    html.open("thead").open("tr").element("th", "Hour", "scope", "col");
    hourly.forEach(levels -> html.element("th", levels.level().name(), "scope", "col"));
    html.element("th", "Forecasts", "scope", "col");
    html.close().close().open("tbody");
    for (int hour = 0; hour < HourlyCoverage.HOURS; hour++) {
      html.open("tr").element("th", Figures.hour(hour), "scope", "row");
      for (HourlyCoverage levels : hourly) {
        html.element("td", Figures.coverage(levels.share(hour)));
      }
      html.element("td", Figures.count(hourly.getFirst().forecasts(hour))).close();
    }
    html.close().close().close().close();
  }
}
