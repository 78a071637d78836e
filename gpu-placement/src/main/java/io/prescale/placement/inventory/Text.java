package io.prescale.placement.inventory;

/** Quotes foreign text in sentences: short and on one line. */
final class Text {
  private static final int LONGEST = 60;

  private Text() {}

  static String quoted(String text) {
    var line = text.codePoints().limit(LONGEST).map(c -> c < ' ' || c == 0x7f ? '?' : c);
    var shown = line.collect(StringBuilder::new, StringBuilder::appendCodePoint, (a, b) -> {});
    return "\"" + shown + (text.length() > LONGEST ? "…\"" : "\"");
  }
}
