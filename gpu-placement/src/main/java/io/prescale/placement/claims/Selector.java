package io.prescale.placement.claims;

import io.prescale.placement.claims.Device.Attribute;
import io.prescale.placement.claims.Device.Attribute.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The part of CEL that selectors of GPUs are made of: comparisons for equality, joined by {@code
 * &&}. Other expressions are not guessed at; kube-scheduler evaluates the whole expression in any
 * case.
 *
 * @param conditions a device has to meet all of them
 */
record Selector(List<Condition> conditions) {
  private static final int LONGEST = 10 * 1024;
  private static final String TEXT = "\"[^\"\\\\]*\"|'[^'\\\\]*'";
  private static final Pattern DRIVER =
      Pattern.compile("device\\.driver\\s*==\\s*(?<literal>" + TEXT + ")");
  private static final Pattern SHARED =
      Pattern.compile(
          "(?<not>!?)device\\.allowMultipleAllocations(\\s*==\\s*(?<literal>true|false))?");
  private static final Pattern ATTRIBUTE =
      Pattern.compile(
          "device\\.attributes\\[(?<domain>"
              + TEXT
              + ")]"
              + "(\\.(?<name>\\w+)|\\[(?<quoted>"
              + TEXT
              + ")])"
              + "\\s*==\\s*(?<literal>"
              + TEXT
              + "|-?\\d{1,18}|true|false)");

  Selector {
    conditions = List.copyOf(conditions);
  }

  /** A comparison. */
  sealed interface Condition {
    /** Whether a driver's device meets it. */
    boolean accepts(String driver, Device device);
  }

  private record OfDriver(String wanted) implements Condition {
    @Override
    public boolean accepts(String driver, Device device) {
      return driver.equals(wanted);
    }
  }

  private record IsShared(boolean wanted) implements Condition {
    @Override
    public boolean accepts(String driver, Device device) {
      return device.shared() == wanted;
    }
  }

  private record HasAttribute(String name, Attribute wanted) implements Condition {
    @Override
    public boolean accepts(String driver, Device device) {
      return wanted.equals(device.attributes().get(name));
    }
  }

  /** Reads an expression; empty when it is more than comparisons. */
  static Optional<Selector> parse(String expression) {
    if (expression.length() > LONGEST) {
      return Optional.empty();
    }
    var conditions = new ArrayList<Condition>();
    for (var part : parts(expression)) {
      var condition = condition(part.strip());
      if (condition.isEmpty()) {
        return Optional.empty();
      }
      conditions.add(condition.get());
    }
    return Optional.of(new Selector(conditions));
  }

  /** Splits at {@code &&} outside of quotes. */
  private static List<String> parts(String expression) {
    var parts = new ArrayList<String>();
    char quote = 0;
    int start = 0;
    for (int at = 0; at < expression.length(); at++) {
      char c = expression.charAt(at);
      if (quote != 0) {
        quote = c == quote ? 0 : quote;
      } else if (c == '"' || c == '\'') {
        quote = c;
      } else if (expression.startsWith("&&", at)) {
        parts.add(expression.substring(start, at));
        start = at + 2;
        at++;
      }
    }
    parts.add(expression.substring(start));
    return parts;
  }

  private static Optional<Condition> condition(String text) {
    var driver = DRIVER.matcher(text);
    if (driver.matches()) {
      return Optional.of(new OfDriver(unquoted(driver.group("literal"))));
    }
    var shared = SHARED.matcher(text);
    if (shared.matches()) {
      boolean yes = !"false".equals(shared.group("literal"));
      return Optional.of(new IsShared(yes == shared.group("not").isEmpty()));
    }
    var attribute = ATTRIBUTE.matcher(text);
    return attribute.matches() ? Optional.of(hasAttribute(attribute)) : Optional.empty();
  }

  private static Condition hasAttribute(Matcher matcher) {
    var name =
        matcher.group("name") != null ? matcher.group("name") : unquoted(matcher.group("quoted"));
    return new HasAttribute(
        unquoted(matcher.group("domain")) + "/" + name, literal(matcher.group("literal")));
  }

  private static Attribute literal(String text) {
    return switch (text.charAt(0)) {
      case '"', '\'' -> Attribute.text(unquoted(text));
      case 't', 'f' -> new Attribute(Kind.FLAG, text);
      default -> new Attribute(Kind.NUMBER, Long.toString(Long.parseLong(text)));
    };
  }

  private static String unquoted(String literal) {
    return literal.substring(1, literal.length() - 1);
  }

  boolean accepts(String driver, Device device) {
    return conditions.stream().allMatch(condition -> condition.accepts(driver, device));
  }

  /** The expression that accepts the cards of a driver with these UUIDs and no others. */
  static String pin(String driver, List<String> uuids) {
    var attribute = "device.attributes[\"%s\"].uuid".formatted(driver);
    var quoted = uuids.stream().map(uuid -> '"' + uuid + '"').toList();
    return "device.driver == \"%s\" && %s"
        .formatted(
            driver,
            quoted.size() == 1
                ? attribute + " == " + quoted.getFirst()
                : attribute + " in [" + String.join(", ", quoted) + "]");
  }
}
