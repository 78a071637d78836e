package io.prescale.controller.input;

/** Quotes untrusted text safely in messages for a terminal. */
public final class Excerpt {
  private static final int LONGEST = 80;

  private Excerpt() {}

  /** The text in double quotes, on one line, without control characters, truncated if long. */
  public static String quoted(String text) {
    return '"' + of(text, LONGEST) + '"';
  }

  /** The text on one line, without control characters, truncated to a number of characters. */
  public static String of(String text, int longest) {
    var excerpt = new StringBuilder();
    text.strip()
        .codePoints()
        .limit(longest + 1L)
        .map(c -> Character.isWhitespace(c) ? ' ' : isPrintable(c) ? c : '?')
        .forEach(excerpt::appendCodePoint);
    if (excerpt.codePointCount(0, excerpt.length()) > longest) {
      excerpt.setLength(excerpt.offsetByCodePoints(0, longest - 1));
      excerpt.append('…');
    }
    return excerpt.toString();
  }

  private static boolean isPrintable(int codePoint) {
    return switch (Character.getType(codePoint)) {
      // Format characters can change the direction of the text and garble the message.
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED ->
          false;
      default -> true;
    };
  }
}
