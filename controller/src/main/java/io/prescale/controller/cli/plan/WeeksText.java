package io.prescale.controller.cli.plan;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.prescale.controller.cli.terminal.Numbers;
import io.prescale.controller.cli.terminal.TextTable;
import io.prescale.controller.plan.live.WeeksPlan;
import io.prescale.controller.plan.live.WeeksPlan.Row;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A plan of weeks in words, and as JSON.
 *
 * @param percents probabilities of which is said how many cards suffice with them
 * @param percent the one for which the last sentences say what is missing
 */
record WeeksText(WeeksPlan plan, List<Integer> percents, int percent) {
  private static final DateTimeFormatter DAY =
      DateTimeFormatter.ofPattern("d MMM", Locale.ROOT).withZone(ZoneOffset.UTC);
  private static final DateTimeFormatter START =
      DateTimeFormatter.ofPattern("EEE d MMM HH:mm", Locale.ROOT).withZone(ZoneOffset.UTC);
  private static final int ALL_SHOWN = 4;
  private static final double WHOLE = 100;

  /** The part of a card that comes from rounding alone; {@code Math.ceil} would make it one. */
  private static final double ROUNDING = 1e-6;

  WeeksText {
    percents = List.copyOf(percents);
  }

  List<String> lines() {
    var lines = new ArrayList<String>();
    lines.add(
        "Plan from %s UTC for %s: cards that suffice for a week's highest quarter of an hour."
            .formatted(START.format(plan.from()), weeks(plan.weeks())));
    lines.add("");
    lines.addAll(table().lines());
    lines.add("");
    lines.addAll(plan.notes());
    if (plan.shareCards()) {
      lines.add(
          "Rows that name the same cards count them each: what one service gets, another lacks.");
    }
    plan.rows().forEach(row -> lines.add(sentence(row)));
    return lines;
  }

  private TextTable table() {
    var upper = new ArrayList<>(List.of("", "", "others", ""));
    var lower = new ArrayList<>(List.of("cards and services", "there", "hold", "until"));
    percents.forEach(
        it -> {
          upper.add("");
          lower.add("P" + it);
        });
    upper.add("too few");
    lower.add("by then");
    var table = new TextTable(upper, lower);
    plan.rows().forEach(row -> shown().forEach(week -> table.row(cells(row, week))));
    return table;
  }

  private List<String> cells(Row row, int week) {
    var cells = new ArrayList<String>();
    boolean isFirst = week == 1;
    cells.add(isFirst ? "%s: %s".formatted(row.cards(), String.join(", ", row.services())) : "");
    cells.add(isFirst ? Numbers.brief(row.there().all()) : "");
    cells.add(isFirst ? Numbers.brief(row.there().held()) : "");
    cells.add(DAY.format(plan.end(week)));
    percents.forEach(it -> cells.add("%,d".formatted(cards(row.inWeek(week, it / WHOLE)))));
    cells.add(probability(row.risk(week)));
    return cells;
  }

  /** The first weeks and the last; of many, each that is twice as far away. */
  private List<Integer> shown() {
    int last = plan.weeks();
    return last <= ALL_SHOWN
        ? IntStream.rangeClosed(1, last).boxed().toList()
        : Stream.of(1, 2, 4, 8, last).filter(it -> it <= last).distinct().toList();
  }

  private static long cards(double amount) {
    return (long) Math.ceil(amount - ROUNDING);
  }

  private static String probability(double share) {
    if (share > 0 && share < 0.005) {
      return "< 1 %";
    }
    return share < 1 && share >= 0.995 ? "> 99 %" : "%.0f %%".formatted(share * WHOLE);
  }

  private long suffice(Row row) {
    return cards(row.within(plan.weeks(), percent / WHOLE));
  }

  private long missing(Row row) {
    return Math.max(0, cards(row.within(plan.weeks(), percent / WHOLE) - row.there().left()));
  }

  private String sentence(Row row) {
    var there = row.there();
    long missing = missing(row);
    return "For a risk of %d %% in the next %s: %s of %s; %s there%s%s%s."
        .formatted(
            100 - percent,
            plan.weeks() == 1 ? "week" : weeks(plan.weeks()),
            count(suffice(row), "card", "cards"),
            row.cards(),
            Numbers.brief(there.all()) + (there.all() == 1 ? " is" : " are"),
            there.held() > 0 ? ", of which others hold " + Numbers.brief(there.held()) : "",
            there.lent() > 0 ? " and could give back " + Numbers.brief(there.lent()) : "",
            missing == 0 ? "" : ": " + count(missing, "more is", "more are") + " needed");
  }

  private static String count(long number, String one, String many) {
    return "%,d %s".formatted(number, number == 1 ? one : many);
  }

  private static String weeks(int number) {
    return count(number, "week", "weeks");
  }

  /** With all weeks. */
  ObjectNode json() {
    var json =
        JsonNodeFactory.instance
            .objectNode()
            .put("from", plan.from().toString())
            .put("weeks", plan.weeks())
            .put("percent", percent);
    var rows = json.putArray("rows");
    plan.rows().forEach(row -> add(row, rows.addObject()));
    plan.notes().forEach(json.putArray("notes")::add);
    return json;
  }

  private void add(Row row, ObjectNode json) {
    row.models().forEach(json.putArray("models")::add);
    row.services().forEach(json.putArray("services")::add);
    json.put("there", row.there().all())
        .put("heldByOthers", row.there().held())
        .put("couldBeGivenBack", row.there().lent())
        .put("suffice", suffice(row))
        .put("missing", missing(row));
    var byWeek = json.putArray("byWeek");
    for (int week = 1; week <= plan.weeks(); week++) {
      var each = byWeek.addObject().put("until", plan.end(week).toString());
      for (int level : percents) {
        each.put("p" + level, cards(row.inWeek(week, level / WHOLE)));
      }
      each.put("tooFewByThen", row.risk(week));
    }
  }
}
