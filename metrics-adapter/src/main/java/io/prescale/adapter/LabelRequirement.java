package io.prescale.adapter;

import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedSet;

/**
 * One requirement on a label.
 *
 * @param key the label
 * @param operator how its value is compared with {@code values}
 * @param values as many as the operator takes
 */
public record LabelRequirement(String key, Operator operator, SortedSet<String> values) {
  /** The operators of the grammar; {@code ==} is {@link #EQUALS}. */
  public enum Operator {
    EQUALS("="),
    NOT_EQUALS("!="),
    IN("in"),
    NOT_IN("notin"),
    EXISTS("exists"),
    DOES_NOT_EXIST("!"),
    GREATER_THAN(">"),
    LESS_THAN("<");

    private final String symbol;

    Operator(String symbol) {
      this.symbol = symbol;
    }
  }

  /** Whether {@code labels} meet it; an absent label meets only the negative operators. */
  public boolean matches(Map<String, String> labels) {
    var value = labels.get(key);
    if (value == null) {
      return switch (operator) {
        case NOT_EQUALS, NOT_IN, DOES_NOT_EXIST -> true;
        case EQUALS, IN, EXISTS, GREATER_THAN, LESS_THAN -> false;
      };
    }
    return switch (operator) {
      case EQUALS, IN -> values.contains(value);
      case NOT_EQUALS, NOT_IN -> !values.contains(value);
      case EXISTS -> true;
      case DOES_NOT_EXIST -> false;
      case GREATER_THAN -> compare(value) > 0;
      case LESS_THAN -> compare(value) < 0;
    };
  }

  /** The sign of the label's number minus the selector's; 0 also if the label is not a number. */
  private int compare(String value) {
    var number = number(value);
    return number.isEmpty()
        ? 0
        : Long.compare(number.getAsLong(), Long.parseLong(values.getFirst()));
  }

  /** The text as a signed 64-bit decimal, empty if it is not one. */
  static OptionalLong number(String text) {
    try {
      return OptionalLong.of(Long.parseLong(text));
    } catch (NumberFormatException _) {
      return OptionalLong.empty();
    }
  }

  @Override
  public String toString() {
    return switch (operator) {
      case EXISTS -> key;
      case DOES_NOT_EXIST -> "!" + key;
      case EQUALS, NOT_EQUALS, GREATER_THAN, LESS_THAN -> key + operator.symbol + values.getFirst();
      case IN, NOT_IN -> key + " " + operator.symbol + " (" + String.join(",", values) + ")";
    };
  }
}
