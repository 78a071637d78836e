package io.prescale.placement.inventory;

import java.util.regex.Pattern;

/**
 * Which series are of exporters: label matchers as PromQL writes them, such as {@code
 * namespace="gpu-operator"}. Without any, series count by their names alone, which each pod that is
 * scraped can give to its own.
 *
 * @param text with commas between the matchers; empty for none
 */
public record SeriesMatchers(String text) {
  private static final int LONGEST = 1_000;

  /** Quotes within a value are escaped, so that it ends where PromQL sees its end. */
  private static final String MATCHER =
      " *[a-zA-Z_][a-zA-Z0-9_]* *(=|!=|=~|!~) *\"([^\"\\\\\\p{Cntrl}]|\\\\[\"\\\\])*+\" *";

  private static final Pattern MATCHERS = Pattern.compile("(%1$s(,%1$s)*+)?".formatted(MATCHER));

  /** Series of every label. */
  public static final SeriesMatchers NONE = new SeriesMatchers("");

  public SeriesMatchers {
    if (text.length() > LONGEST || !MATCHERS.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "%s is not a list of label matchers of at most %,d characters; write label=\"value\" with =, !=, =~ or !~, several with commas, such as namespace=\"gpu-operator\",job=~\"dcgm.*\""
              .formatted(Text.quoted(text), LONGEST));
    }
  }

  /** The selector of all series with these labels whose whole name matches an expression. */
  String named(String expression) {
    return "{__name__=~\"%s\"%s}".formatted(expression, text.isEmpty() ? "" : "," + text);
  }
}
