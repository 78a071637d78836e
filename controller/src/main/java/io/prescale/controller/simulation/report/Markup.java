package io.prescale.controller.simulation.report;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Builds HTML or SVG with every tag closed and every text escaped. Tags and attribute names are
 * trusted; texts and values need not be.
 */
final class Markup {

  private static final int REPLACEMENT = 0xFFFD;

  private final StringBuilder written = new StringBuilder();
  private final Deque<String> open = new ArrayDeque<>();

  /**
   * Opens an element.
   *
   * @param attributes alternating names and values
   */
  Markup open(String tag, Object... attributes) {
    start(tag, attributes).append('>');
    open.push(tag);
    return this;
  }

  /** Closes the innermost open element. */
  Markup close() {
    written.append("</").append(open.pop()).append('>');
    return this;
  }

  Markup text(String text) {
    written.append(escaped(text));
    return this;
  }

  /** Adds an element that contains only text. */
  Markup element(String tag, String text, Object... attributes) {
    return open(tag, attributes).text(text).close();
  }

  /** Adds an empty SVG element, such as a line. */
  Markup shape(String tag, Object... attributes) {
    start(tag, attributes).append("/>");
    return this;
  }

  /** Appends the elements of another. */
  Markup add(Markup other) {
    written.append(other);
    return this;
  }

  private StringBuilder start(String tag, Object... attributes) {
    written.append('<').append(tag);
    for (int i = 0; i < attributes.length; i += 2) {
      written.append(' ').append(attributes[i]).append("=\"");
      written.append(escaped(value(attributes[i + 1]))).append('"');
    }
    return written;
  }

  private static String value(Object value) {
    return value instanceof Double number ? pixels(number) : value.toString();
  }

  /** Rounds to a tenth. */
  static String pixels(double number) {
    return new BigDecimal(number)
        .setScale(1, RoundingMode.HALF_UP)
        .stripTrailingZeros()
        .toPlainString();
  }

  @Override
  public String toString() {
    if (!open.isEmpty()) {
      throw new IllegalStateException("not closed: " + open);
    }
    return written.toString();
  }

  /**
   * Escapes a text for an element or a quoted attribute, and replaces characters that would reorder
   * the surrounding text.
   */
  static String escaped(String text) {
    var html = new StringBuilder(text.length() + 16);
    wellFormed(text)
        .chars()
        .map(c -> reorders(c) ? REPLACEMENT : c)
        .forEach(
            c -> {
              switch (c) {
                case '&' -> html.append("&amp;");
                case '<' -> html.append("&lt;");
                case '>' -> html.append("&gt;");
                case '"' -> html.append("&quot;");
                case '\'' -> html.append("&#39;");
                default -> html.append((char) c);
              }
            });
    return html.toString();
  }

  /** Replaces characters that are invalid in a document; see {@link #belongs}. */
  static String wellFormed(String text) {
    var result = new StringBuilder(text.length());
    text.codePoints()
        .map(point -> belongs(point) ? point : REPLACEMENT)
        .forEach(result::appendCodePoint);
    return result.toString();
  }

  /** Embeddings, overrides and isolates of the bidirectional algorithm (Unicode's UAX #9). */
  private static boolean reorders(int c) {
    return (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
  }

  /**
   * Whether a document may contain it: not a control character (except white space), an unpaired
   * surrogate or a non-character.
   */
  private static boolean belongs(int point) {
    if (point < 0x20) {
      return point == '\t' || point == '\n' || point == '\r';
    }
    boolean surrogate = point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE;
    boolean control = point >= 0x7F && point < 0xA0;
    boolean nonCharacter = (point & 0xFFFE) == 0xFFFE;
    return !surrogate && !control && !nonCharacter;
  }
}
