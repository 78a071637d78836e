package io.prescale.controller.input;

import io.prescale.forecasting.Sample;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A trace in CSV, as programs export it: a header that names the columns {@code timestamp} or
 * {@code time} and {@code value} in any order and possibly among others, then a row per
 * observation. Of two columns, the one with the values may have any name; where neither has a known
 * one, as in a language other than English, the first has the times.
 */
public final class CsvTrace implements HistorySource {
  private static final String HEADER = "timestamp,value";
  private static final String VALUE = "value";
  private static final List<String> TIMES = List.of("timestamp", "time", "date", "datetime");

  private final CsvFile file;
  private final ZoneId zone;

  /**
   * Creates a trace without reading it.
   *
   * @param zone of times without an offset
   */
  public CsvTrace(CsvFile file, ZoneId zone) {
    this.file = file;
    this.zone = zone;
  }

  @Override
  public History read() throws InputException, InterruptedException {
    return file.read(this::history);
  }

  private History history(CsvTable table) throws InputException, IOException, InterruptedException {
    var header = table.readHeader(HEADER);
    var columns = columns(table, header);
    var times = new TraceTimes(zone);
    var values = new TraceValues(table.semicolons());
    var timeColumn = times.column(header.get(columns.time()));
    var valueColumn = values.column(header.get(columns.value()));
    do {
      timeColumn.add(table.field(columns.time()), table);
      valueColumn.add(table.field(columns.value()), table);
    } while (table.next());
    return new History(
        file.shortName(),
        file.name(),
        samples(timeColumn.values(), valueColumn.values()),
        notes(header.get(columns.time()), times, values));
  }

  private record Columns(int time, int value) {}

  /** Finds the columns, and moves to the first row. */
  private static Columns columns(CsvTable table, List<String> header)
      throws InputException, IOException, InterruptedException {
    for (var name : TIMES) {
      var time = table.optionalColumn(name);
      if (time.isPresent()) {
        var found = new Columns(time.getAsInt(), valueColumn(table, header, time.getAsInt()));
        table.next();
        return found;
      }
    }
    var two = twoColumns(table, header);
    table.next();
    return beginsWithATime(table, header, two.getFirst(), two.getLast());
  }

  /** The two columns of a header without the usual names; a first row of data is none. */
  private static List<Integer> twoColumns(CsvTable table, List<String> header)
      throws InputException {
    var named =
        IntStream.range(0, header.size()).filter(i -> !header.get(i).isEmpty()).boxed().toList();
    if (named.size() != 2
        || !named.stream().allMatch(i -> Character.isLetter(header.get(i).codePointAt(0)))) {
      throw table.missing(TIMES.getFirst(), HEADER);
    }
    return named;
  }

  /** Of two columns with names of their own, the one that begins with a time has the times. */
  private static Columns beginsWithATime(CsvTable table, List<String> header, int first, int last)
      throws InputException {
    int order =
        TraceTimes.likeness(table.field(first)).compareTo(TraceTimes.likeness(table.field(last)));
    if (order == 0) {
      throw table.problem(
          "which of the columns %s and %s has the times cannot be seen; call it timestamp"
              .formatted(Excerpt.quoted(header.get(first)), Excerpt.quoted(header.get(last))));
    }
    return order > 0 ? new Columns(first, last) : new Columns(last, first);
  }

  private static int valueColumn(CsvTable table, List<String> header, int time)
      throws InputException {
    var value = table.optionalColumn(VALUE);
    if (value.isPresent()) {
      return value.getAsInt();
    }
    var others =
        IntStream.range(0, header.size())
            .filter(i -> i != time && !header.get(i).isEmpty())
            .boxed()
            .toList();
    if (others.size() > 1) {
      throw table.problem(
          "there are %d columns beside the times, such as %s, and none of them is called value; remove all but one, or call it value"
              .formatted(others.size(), Excerpt.quoted(header.get(others.getFirst()))));
    }
    return others.isEmpty() ? table.column(VALUE, HEADER) : others.getFirst();
  }

  private static List<Sample> samples(double[] millis, double[] values) {
    var samples = new ArrayList<Sample>(millis.length);
    for (int i = 0; i < millis.length; i++) {
      samples.add(new Sample(Instant.ofEpochMilli((long) millis[i]), values[i]));
    }
    return samples;
  }

  private List<String> notes(String timeColumn, TraceTimes times, TraceValues values) {
    var notes = new ArrayList<String>();
    if (TIMES.stream().noneMatch(timeColumn::equalsIgnoreCase)) {
      notes.add("Its times are read from the column %s.".formatted(Excerpt.quoted(timeColumn)));
    }
    if (times.withoutOffset()) {
      notes.add(
          "Its times have no offset and are read in the time zone %s; --zone names another."
              .formatted(zone));
    }
    if (values.isShortened()) {
      notes.add("Behind its values, K is read as thousand, Mil as million and Bil as billion.");
    }
    if (!values.unit().isEmpty()) {
      notes.add("Its values are in %s.".formatted(Excerpt.quoted(values.unit())));
    }
    return notes;
  }
}
