package io.prescale.controller.input;

import static java.util.Objects.requireNonNull;

import io.prescale.controller.input.InputException.Fault;
import io.prescale.forecasting.CountInWords;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalInt;
import org.apache.commons.csv.CSVException;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.jspecify.annotations.Nullable;

/** One pass over the rows of a CSV text. Messages name the text, the line and the column. */
public final class CsvTable {
  private static final int MOST_ROWS = 10_000_000;
  private static final int LONGEST_HEADER = 1 << 16;
  private static final int LONGEST_NAME = 80;

  /** Excel reads and writes a first line {@code sep=;}. */
  private static final String EXCEL_SEPARATOR = "sep=";

  private static final CSVFormat FORMAT =
      CSVFormat.RFC4180.builder().setIgnoreEmptyLines(true).get();

  private final String name;
  private final char separator;
  private final RecordLimit limit;
  private final CSVParser parser;
  private final Iterator<CSVRecord> records;
  private List<String> columns = List.of();
  private @Nullable CSVRecord row;
  private long rows;
  private long line;

  /**
   * Begins the pass.
   *
   * @param text supports {@link Reader#mark}
   */
  CsvTable(String name, Reader text) throws IOException {
    this.name = name;
    this.separator = separator(text);
    this.limit = new RecordLimit(text);
    this.parser =
        CSVParser.builder()
            .setReader(limit)
            .setFormat(FORMAT.builder().setDelimiter(separator).get())
            .get();
    this.records = parser.iterator();
  }

  /**
   * Reads the header; called once, before the rows.
   *
   * @param example an example of that line, for the message about an empty text
   */
  public List<String> readHeader(String example)
      throws InputException, IOException, InterruptedException {
    if (!hasNext()) {
      throw unusable("is empty; it needs a header such as " + example + " and rows");
    }
    var names = new ArrayList<String>();
    var first = records.next();
    if (first.get(0).equalsIgnoreCase(EXCEL_SEPARATOR) && hasNext()) {
      first = records.next();
    }
    first.forEach(field -> names.add(field.strip()));
    columns = List.copyOf(names);
    return columns;
  }

  /**
   * Whether semicolons separate the fields, as Excel has it where the comma is the decimal mark.
   */
  public boolean semicolons() {
    return separator == ';';
  }

  /** The first of comma, semicolon and tab that is not within quotes; comma if there is none. */
  private static char separator(Reader text) throws IOException {
    text.mark(LONGEST_HEADER);
    char found = ',';
    boolean quoted = false;
    for (int i = 0, c = text.read(); i < LONGEST_HEADER - 1 && c >= 0; i++, c = text.read()) {
      quoted ^= c == '"';
      if (!quoted && (c == ',' || c == ';' || c == '\t')) {
        found = (char) c;
        break;
      }
    }
    text.reset();
    return found;
  }

  /** The index of a required column. */
  public int column(String wanted, String example) throws InputException {
    return optionalColumn(wanted).orElseThrow(() -> missing(wanted, example));
  }

  /** An exception about a column that the header lacks. */
  InputException missing(String wanted, String example) {
    return atLine(
        line,
        "there is no column %s; the first line must name the columns, such as %s, but it begins with %s"
            .formatted(wanted, example, Excerpt.quoted(columns.getFirst())));
  }

  /** The index of an optional column. */
  public OptionalInt optionalColumn(String wanted) throws InputException {
    int found = -1;
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).equalsIgnoreCase(wanted)) {
        if (found >= 0) {
          throw atLine(line, "there are two columns named " + wanted + "; remove one");
        }
        found = i;
      }
    }
    return found < 0 ? OptionalInt.empty() : OptionalInt.of(found);
  }

  /** Moves to the next row; returns false at the end. */
  public boolean next() throws InputException, IOException, InterruptedException {
    if (!hasNext()) {
      if (rows == 0) {
        throw unusable("has a header but no rows");
      }
      return false;
    }
    row = records.next();
    for (int surplus = columns.size(); surplus < row.size(); surplus++) {
      if (!row.get(surplus).isBlank()) {
        throw atLine(
            line,
            "the row has %s, the header %d; quote a field that contains %s"
                .formatted(CountInWords.of(row.size(), "field"), columns.size(), separator));
      }
    }
    if (++rows > MOST_ROWS) {
      throw unusable(
          "has more than %,d rows; aggregate it, for example to minutes".formatted(MOST_ROWS));
    }
    return true;
  }

  /** A field of the current row. */
  public String field(int column) throws InputException {
    var current = requireNonNull(row, "there is no row before next()");
    if (column >= current.size()) {
      throw atLine(
          line,
          "the row has only %s and lacks %s"
              .formatted(CountInWords.of(current.size(), "field"), named(columns.get(column))));
    }
    return current.get(column);
  }

  /** An exception about a field of the current row. */
  public InputException problem(String column, String problem) {
    return atLine(line, "column " + named(column) + ": " + problem);
  }

  private static String named(String column) {
    return Excerpt.of(column, LONGEST_NAME);
  }

  /** An exception about the current row, or about the header before the first row. */
  public InputException problem(String problem) {
    return atLine(line, problem);
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

  private InputException atLine(long atLine, String problem) {
    return new InputException(Fault.UNUSABLE, "%s, line %d: %s.".formatted(name, atLine, problem));
  }

  private InputException unusable(String problem) {
    return new InputException(Fault.UNUSABLE, "%s: %s.".formatted(name, problem));
  }
}
