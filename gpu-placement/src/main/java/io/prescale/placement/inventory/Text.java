package io.prescale.placement.inventory;

/** Foreign text: its longest length, and how it is quoted in sentences. */
final class Text {
  private static final int LONGEST = 60;

  private Text() {}

  /** Refuses a text that is longer than any that is meant seriously. */
  static void refuseLong(String text) throws MalformedEntryException {
    if (text.length() > RegistrationReader.LONGEST) {
      throw new MalformedEntryException(
          "it has %d characters; at most %d are read"
              .formatted(text.length(), RegistrationReader.LONGEST));
    }
  }

  /** The beginning of a text on one line, in quotes. */
  static String quoted(String text) {
    var line = text.codePoints().limit(LONGEST).map(c -> c < ' ' || c == 0x7f ? '?' : c);
    var shown = line.collect(StringBuilder::new, StringBuilder::appendCodePoint, (a, b) -> {});
    return "\"" + shown + (text.length() > LONGEST ? "…\"" : "\"");
  }
}
