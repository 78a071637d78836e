package io.prescale.controller.input;

import static java.util.Objects.requireNonNull;

import io.prescale.controller.input.InputException.Fault;
import io.prescale.forecasting.Sample;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.commons.csv.CSVException;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/** One pass over the rows of a trace. */
final class CsvRows {
  private static final int MOST_ROWS = 10_000_000;
  private static final CSVFormat FORMAT =
      CSVFormat.RFC4180.builder().setIgnoreEmptyLines(true).get();

  private final String name;
  private final RecordLimit limit;
  private final CSVParser parser;
  private final Iterator<CSVRecord> records;
  private long line;

  CsvRows(String name, Reader text) throws IOException {
    this.name = name;
    this.limit = new RecordLimit(text);
    this.parser = CSVParser.builder().setReader(limit).setFormat(FORMAT).get();
    this.records = parser.iterator();
  }

  List<Sample> read() throws InputException, IOException, InterruptedException {
    if (!hasNext()) {
      throw unusable("is empty; it needs a line timestamp,value and rows below it");
    }
    var header = records.next();
    int timestamps = column(header, "timestamp");
    int values = column(header, "value");
    var samples = new ArrayList<Sample>();
    while (hasNext()) {
      samples.add(sample(records.next(), timestamps, values));
      if (samples.size() > MOST_ROWS) {
        throw unusable("has more than %,d rows; aggregate it, to minutes say".formatted(MOST_ROWS));
      }
    }
    if (samples.isEmpty()) {
      throw unusable("has a header but no rows");
    }
    return samples;
  }

  private boolean hasNext() throws InputException, IOException, InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    limit.nextRecord();
    try {
      boolean next = records.hasNext();
      line = parser.getCurrentLineNumber();
      return next;
    } catch (UncheckedIOException e) {
      if (e.getCause() instanceof RecordLimit.Exceeded exceeded) {
        throw atLine(line + 1, exceeded.problem());
      }
      if (e.getCause() instanceof CSVException) {
        throw atLine(line + 1, "the quotes do not match");
      }
      throw requireNonNull(e.getCause());
    }
  }

  private int column(CSVRecord header, String wanted) throws InputException {
    int found = -1;
    for (int i = 0; i < header.size(); i++) {
      if (header.get(i).strip().equalsIgnoreCase(wanted)) {
        if (found >= 0) {
          throw atLine(line, "there are two columns named " + wanted + "; leave one");
        }
        found = i;
      }
    }
    if (found < 0) {
      throw atLine(
          line,
          "no column is named %s; the first line must name the columns, such as timestamp,value, but is %s"
              .formatted(wanted, Excerpt.quoted(String.join(",", header))));
    }
    return found;
  }

  private Sample sample(CSVRecord row, int timestamps, int values) throws InputException {
    var column = "timestamp";
    try {
      var time = CsvFields.timestamp(field(row, timestamps, column));
      column = "value";
      return new Sample(time, CsvFields.value(field(row, values, column)));
    } catch (CsvFields.Unreadable e) {
      throw atLine(line, "column " + column + ": " + e.problem());
    }
  }

  private String field(CSVRecord row, int column, String columnName) throws InputException {
    if (column >= row.size()) {
      throw atLine(
          line,
          "the row has %d field%s, so that there is no %s"
              .formatted(row.size(), row.size() == 1 ? "" : "s", columnName));
    }
    return row.get(column);
  }

  private InputException atLine(long atLine, String problem) {
    return new InputException(
        Fault.UNUSABLE, "%s, line %d: %s.".formatted(name, atLine, problem));
  }

  private InputException unusable(String problem) {
    return new InputException(Fault.UNUSABLE, "%s: %s.".formatted(name, problem));
  }
}
