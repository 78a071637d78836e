package io.prescale.controller.input;

import io.prescale.forecasting.Sample;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A trace in CSV: a header that names the columns {@code timestamp} (Unix seconds or RFC 3339) and
 * {@code value}, in any order and possibly among others, then a row per observation.
 */
public final class CsvTrace implements HistorySource {
  private static final String HEADER = "timestamp,value";

  private final CsvFile file;

  /**
   * Creates a trace from any source.
   *
   * @param name the name used in messages
   */
  public CsvTrace(String name, CsvFile.Content content) {
    this(new CsvFile(name, content));
  }

  private CsvTrace(CsvFile file) {
    this.file = file;
  }

  /** Creates a trace from a file. */
  public static CsvTrace file(Path file) {
    return new CsvTrace(CsvFile.of(file));
  }

  @Override
  public History read() throws InputException, InterruptedException {
    var name = file.name();
    return new History(
        name.substring(name.lastIndexOf('/') + 1), name, file.read(CsvTrace::samples), List.of());
  }

  private static List<Sample> samples(CsvTable table)
      throws InputException, IOException, InterruptedException {
    table.readHeader(HEADER);
    int timestamps = table.column("timestamp", HEADER);
    int values = table.column("value", HEADER);
    var samples = new ArrayList<Sample>();
    while (table.next()) {
      samples.add(sample(table, timestamps, values));
    }
    return samples;
  }

  private static Sample sample(CsvTable table, int timestamps, int values) throws InputException {
    var column = "timestamp";
    try {
      var time = CsvFields.timestamp(table.field(timestamps));
      column = "value";
      return new Sample(time, CsvFields.value(table.field(values)).orElse(Double.NaN));
    } catch (CsvFields.Unreadable e) {
      throw table.problem(column, e.problem());
    }
  }
}
