package io.prescale.controller.cli.terminal;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A plain-text table with two lines of headings; the first column is aligned left, the others
 * right, each as wide as its content.
 */
public final class TextTable {
  private static final String GAP = "  ";

  private final List<List<String>> rows = new ArrayList<>();
  private final int columns;

  /** Creates a table; each list has one heading per column, which may be empty. */
  public TextTable(List<String> upperHeadings, List<String> lowerHeadings) {
    this.columns = upperHeadings.size();
    row(upperHeadings);
    row(lowerHeadings);
  }

  public void row(List<String> cells) {
    if (cells.size() != columns) {
      throw new IllegalArgumentException(cells.size() + " cells in " + columns + " columns");
    }
    rows.add(List.copyOf(cells));
  }

  /** The lines of the table, without trailing blanks. */
  public List<String> lines() {
    var widths = IntStream.range(0, columns).map(this::width).toArray();
    return rows.stream().map(row -> line(row, widths)).toList();
  }

  private int width(int column) {
    return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
  }

  private static String line(List<String> row, int[] widths) {
    var line = new StringBuilder(padded(row.getFirst(), -widths[0]));
    for (int i = 1; i < widths.length; i++) {
      line.append(GAP).append(padded(row.get(i), widths[i]));
    }
    return line.toString().stripTrailing();
  }

  private static String padded(String cell, int width) {
    return width == 0 ? cell : ("%" + width + "s").formatted(cell);
  }
}
