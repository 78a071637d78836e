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
    int time = timeColumn(table, header);
    int value = valueColumn(table, header, time);
    var times = new TraceTimes(zone);
    var values = new TraceValues(table.semicolons());
    var timeColumn = times.column(header.get(time));
    var valueColumn = values.column(header.get(value));
    while (table.next()) {
      timeColumn.add(table.field(time), table);
      valueColumn.add(table.field(value), table);
    }
    return new History(
        file.shortName(),
        file.name(),
        samples(timeColumn.values(), valueColumn.values()),
        notes(header.get(time), times, values));
  }

  private static int timeColumn(CsvTable table, List<String> header) throws InputException {
    for (var name : TIMES) {
      var found = table.optionalColumn(name);
      if (found.isPresent()) {
        return found.getAsInt();
      }
    }
    return isTwoNames(header)
        ? (header.getFirst().equalsIgnoreCase(VALUE) ? 1 : 0)
        : table.column(TIMES.getFirst(), HEADER);
  }

  /** A first row of data is none. */
  private static boolean isTwoNames(List<String> header) {
    return header.size() == 2
        && header.stream().allMatch(it -> !it.isEmpty() && Character.isLetter(it.codePointAt(0)));
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
          "there are several columns beside %s, and none of them is called value: %s; remove all but one, or call it value"
              .formatted(
                  header.get(time),
                  Excerpt.of(String.join(", ", others.stream().map(header::get).toList()), 80)));
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
    if (!values.unit().isEmpty()) {
      notes.add("Its values are in %s.".formatted(Excerpt.quoted(values.unit())));
    }
    return notes;
  }
}
