package io.prescale.controller.demand.source;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds what a PromQL query adds up: the argument of its sum. A sum may be one factor of a product,
 * and {@code or vector(0)} may follow.
 *
 * <p>Whatever else a query is, it is refused rather than misunderstood: so are comments, and
 * comparisons, by which the number of series falls with demand itself.
 */
final class SummedSeries {
  // Possessive quantifiers: what a person may write is read once, however long it is.
  private static final String GROUPING = "(?:(?:by|without)\\s*+\\([\\w\\s,]*+\\))?+";
  private static final Pattern SUM_BEGINS = Pattern.compile("(?i)sum\\s*+" + GROUPING + "\\s*+\\(");
  private static final Pattern CALL_BEGINS =
      Pattern.compile("(?!(?i:on|ignoring|group_left|group_right|bool)\\b)[a-zA-Z_]\\w*+\\s*+\\(");
  private static final Pattern GROUPING_AFTER = Pattern.compile("(?i)\\s*+" + GROUPING);
  private static final Pattern NUMBER = Pattern.compile("\\d++(?:\\.\\d*+)?+(?:[eE][+-]?\\d++)?+");
  private static final Pattern OPERATOR = Pattern.compile("\\s*+([*/])\\s*+");
  private static final Pattern OR_ZERO =
      Pattern.compile("(?i)\\s*+or\\s++(?:on\\s*+\\(\\s*+\\)\\s*+)?+vector\\s*+\\(\\s*+0\\s*+\\)");

  private final String promql;
  private int at;
  private Optional<String> argument = Optional.empty();

  private SummedSeries(String promql) {
    this.promql = promql;
  }

  /** The expression whose series a query adds up; empty when that is not certain. */
  static Optional<String> of(String promql) {
    var text = new SummedSeries(promql.strip());
    return text.isProduct() ? text.argument : Optional.empty();
  }

  private boolean isProduct() {
    boolean divisor = false;
    while (passFactor(divisor)) {
      var operator = matcher(OPERATOR);
      if (!operator.lookingAt()) {
        pass(OR_ZERO);
        return at == promql.length();
      }
      at = operator.end();
      divisor = operator.group(1).equals("/");
    }
    return false;
  }

  /** The first sum that is no divisor is the one. */
  private boolean passFactor(boolean divisor) {
    boolean isSum = matcher(SUM_BEGINS).lookingAt();
    if (!pass(isSum ? SUM_BEGINS : CALL_BEGINS)) {
      return pass(NUMBER);
    }
    int begin = at;
    if (!passArgument()) {
      return false;
    }
    var inner = promql.substring(begin, at - 1).strip();
    if (isSum && !divisor && argument.isEmpty() && !inner.isEmpty()) {
      argument = Optional.of(inner);
    }
    return !isSum || pass(GROUPING_AFTER);
  }

  /** Passes everything up to the bracket that closes the one before. */
  private boolean passArgument() {
    var closing = new ArrayDeque<Character>(List.of(')'));
    while (at < promql.length()) {
      char c = promql.charAt(at++);
      int opens = "([{".indexOf(c);
      if (opens >= 0) {
        closing.push(")]}".charAt(opens));
      } else if (")]}".indexOf(c) >= 0) {
        if (closing.pop() != c) {
          return false;
        }
        if (closing.isEmpty()) {
          return true;
        }
      } else if ("\"'`".indexOf(c) >= 0) {
        passString(c);
      } else if (c == '#' || ("<>=!".indexOf(c) >= 0 && closing.getFirst() != '}')) {
        return false;
      }
    }
    return false;
  }

  /** A string that does not end leaves nothing to close the brackets. */
  private void passString(char quote) {
    while (at < promql.length()) {
      char c = promql.charAt(at++);
      if (c == quote) {
        return;
      }
      if (c == '\\' && quote != '`') {
        at++;
      }
    }
  }

  private boolean pass(Pattern pattern) {
    var matcher = matcher(pattern);
    boolean found = matcher.lookingAt();
    if (found) {
      at = matcher.end();
    }
    return found;
  }

  private Matcher matcher(Pattern pattern) {
    return pattern.matcher(promql).region(Math.min(at, promql.length()), promql.length());
  }
}
