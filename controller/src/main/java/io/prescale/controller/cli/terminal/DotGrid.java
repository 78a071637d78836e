package io.prescale.controller.cli.terminal;

import org.jspecify.annotations.Nullable;

/**
 * A drawing in characters: Braille patterns of 2 × 4 dots on a terminal with Unicode, otherwise one
 * dot per character.
 */
public final class DotGrid {
  private static final int BRAILLE_BLANK = 0x2800;

  /** Bit of the dot at [row][column] within a character (Unicode 16, §21.1). */
  private static final int[][] BRAILLE_BITS = {
    {0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}
  };

  private static final String COLOUR_END = "\u001b[0m";

  /** What a dot belongs to; later layers are drawn over earlier ones. */
  public enum Layer {
    BAND(":", "\u001b[34m"),
    HISTORY("*", ""),
    MEDIAN("o", "\u001b[36m");

    private final String ascii;
    private final String colour;

    Layer(String ascii, String colour) {
      this.ascii = ascii;
      this.colour = colour;
    }

    /** A word in the layer's colour, for a legend. */
    public String legend(String word, Terminal terminal) {
      var mark = terminal.unicode() ? "" : ascii + " ";
      boolean coloured = terminal.colour() && !colour.isEmpty();
      return coloured ? mark + colour + word + COLOUR_END : mark + word;
    }
  }

  private final Terminal terminal;
  private final int dotsPerColumn;
  private final int dotsPerRow;
  private final int[][] bits;
  private final @Nullable Layer[][] top;

  public DotGrid(Terminal terminal, int columns, int rows) {
    this.terminal = terminal;
    this.dotsPerColumn = terminal.unicode() ? 2 : 1;
    this.dotsPerRow = terminal.unicode() ? 4 : 1;
    this.bits = new int[rows][columns];
    this.top = new Layer[rows][columns];
  }

  /** The distance between the filled columns of a band, which make it look lighter than a line. */
  public int bandSpacing() {
    return dotsPerColumn;
  }

  public int width() {
    return bits[0].length * dotsPerColumn;
  }

  public int height() {
    return bits.length * dotsPerRow;
  }

  /** Sets the dot in column x, counted from the left, and row y, counted from the bottom. */
  public void set(int x, int y, Layer layer) {
    if (x < 0 || x >= width() || y < 0 || y >= height()) {
      return;
    }
    int fromTop = height() - 1 - y;
    int row = fromTop / dotsPerRow;
    int column = x / dotsPerColumn;
    bits[row][column] |= BRAILLE_BITS[fromTop % dotsPerRow][x % dotsPerColumn];
    var present = top[row][column];
    if (present == null || layer.compareTo(present) > 0) {
      top[row][column] = layer;
    }
  }

  /** One row of characters, counted from the top, without trailing blanks. */
  public String row(int row) {
    int last = bits[row].length - 1;
    while (last >= 0 && bits[row][last] == 0) {
      last--;
    }
    var text = new StringBuilder();
    var colour = "";
    for (int column = 0; column <= last; column++) {
      var layer = top[row][column];
      var wanted = layer == null || !terminal.colour() ? "" : layer.colour;
      if (!wanted.equals(colour)) {
        text.append(colour.isEmpty() ? "" : COLOUR_END).append(wanted);
        colour = wanted;
      }
      text.append(character(layer, bits[row][column]));
    }
    return text.append(colour.isEmpty() ? "" : COLOUR_END).toString();
  }

  private String character(@Nullable Layer layer, int dots) {
    if (layer == null) {
      return " ";
    }
    return terminal.unicode() ? Character.toString(BRAILLE_BLANK + dots) : layer.ascii;
  }
}
