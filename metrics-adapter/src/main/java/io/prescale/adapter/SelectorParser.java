package io.prescale.adapter;

import io.prescale.adapter.LabelRequirement.Operator;
import io.prescale.adapter.SelectorLexer.Kind;
import io.prescale.adapter.SelectorLexer.Token;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Parses label selectors by recursive descent as {@code k8s.io/apimachinery/pkg/labels} does, with
 * its grammar and its messages, which clients know from other API servers. O(length of the text).
 */
final class SelectorParser {
  private static final String OPERATORS = "in, notin, =, ==, !=, gt, lt";

  private final List<Token> tokens;
  private int at;

  SelectorParser(String text) {
    tokens = new SelectorLexer(text).tokens();
  }

  List<LabelRequirement> parse() throws SelectorException {
    var requirements = new ArrayList<LabelRequirement>();
    while (peek().kind() != Kind.END) {
      if (peek().kind() != Kind.IDENTIFIER && peek().kind() != Kind.NOT) {
        throw found(peek(), ", expected: !, identifier, or 'end of string'");
      }
      try {
        requirements.add(requirement());
      } catch (SelectorException e) {
        throw new SelectorException("unable to parse requirement: " + e.getMessage());
      }
      separator();
    }
    return requirements;
  }

  private void separator() throws SelectorException {
    var token = take();
    if (token.kind() == Kind.END) {
      return;
    }
    if (token.kind() != Kind.COMMA) {
      throw found(token, ", expected: ',' or 'end of string'");
    }
    if (peek().kind() != Kind.IDENTIFIER && peek().kind() != Kind.NOT) {
      throw found(peek(), ", expected: identifier after ','");
    }
  }

  private LabelRequirement requirement() throws SelectorException {
    var token = take();
    var negated = token.kind() == Kind.NOT;
    if (negated) {
      token = take();
    }
    if (token.kind() != Kind.IDENTIFIER) {
      throw found(token, ", expected: identifier");
    }
    var key = token.text();
    LabelSyntax.checkKey(key);
    if (negated) {
      return new LabelRequirement(key, Operator.DOES_NOT_EXIST, new TreeSet<>());
    }
    if (peek().kind() == Kind.END || peek().kind() == Kind.COMMA) {
      return new LabelRequirement(key, Operator.EXISTS, new TreeSet<>());
    }
    var operator = operator();
    var values = operator == Operator.IN || operator == Operator.NOT_IN ? values() : exactValue();
    return checked(key, operator, values);
  }

  private Operator operator() throws SelectorException {
    var token = tokens.get(at++);
    return switch (token.kind()) {
      case IN -> Operator.IN;
      case NOT_IN -> Operator.NOT_IN;
      case EQUALS, DOUBLE_EQUALS -> Operator.EQUALS;
      case NOT_EQUALS -> Operator.NOT_EQUALS;
      case GREATER_THAN -> Operator.GREATER_THAN;
      case LESS_THAN -> Operator.LESS_THAN;
      case ERROR, END, CLOSE, COMMA, NOT, IDENTIFIER, OPEN ->
          throw found(token, ", expected: " + OPERATORS);
    };
  }

  private SortedSet<String> exactValue() throws SelectorException {
    var values = new TreeSet<String>();
    if (peek().kind() == Kind.END || peek().kind() == Kind.COMMA) {
      values.add("");
      return values;
    }
    var token = take();
    if (token.kind() != Kind.IDENTIFIER) {
      throw found(token, ", expected: identifier");
    }
    values.add(token.text());
    return values;
  }

  private SortedSet<String> values() throws SelectorException {
    var open = take();
    if (open.kind() != Kind.OPEN) {
      throw found(open, " expected: '('");
    }
    var values = new TreeSet<String>();
    if (peek().kind() != Kind.IDENTIFIER
        && peek().kind() != Kind.COMMA
        && peek().kind() != Kind.CLOSE) {
      throw found(peek(), ", expected: ',', ')' or identifier");
    }
    valueList(values);
    return values;
  }

  /** Parses values between commas; an empty one counts as the empty value. */
  private void valueList(SortedSet<String> values) throws SelectorException {
    var afterComma = true;
    while (true) {
      var token = take();
      switch (token.kind()) {
        case IDENTIFIER -> {
          values.add(token.text());
          if (peek().kind() != Kind.COMMA && peek().kind() != Kind.CLOSE) {
            throw found(peek(), ", expected: ',' or ')'");
          }
          afterComma = false;
        }
        case COMMA -> {
          if (afterComma) {
            values.add("");
          }
          afterComma = true;
        }
        case CLOSE -> {
          if (afterComma) {
            values.add("");
          }
          return;
        }
        default -> throw found(token, ", expected: ',', or identifier");
      }
    }
  }

  private static LabelRequirement checked(String key, Operator operator, SortedSet<String> values)
      throws SelectorException {
    var faults = new ArrayList<String>();
    var compares = operator == Operator.GREATER_THAN || operator == Operator.LESS_THAN;
    if (compares && LabelRequirement.number(values.getFirst()).isEmpty()) {
      faults.add(
          LabelSyntax.invalid(
              "values[0]",
              values.getFirst(),
              "for 'Gt', 'Lt' operators, the value must be an integer"));
    }
    int index = 0;
    for (var value : values) {
      LabelSyntax.faultOfValue(key, index++, value).ifPresent(faults::add);
    }
    if (!faults.isEmpty()) {
      var all = String.join(", ", faults);
      throw new SelectorException(faults.size() == 1 ? all : "[" + all + "]");
    }
    return new LabelRequirement(key, operator, values);
  }

  /** The next token where a value is expected: {@code in} and {@code notin} are values there. */
  private Token peek() {
    var token = tokens.get(at);
    return token.kind() == Kind.IN || token.kind() == Kind.NOT_IN
        ? new Token(Kind.IDENTIFIER, token.text())
        : token;
  }

  private Token take() {
    var token = peek();
    if (token.kind() != Kind.END) {
      at++;
    }
    return token;
  }

  private static SelectorException found(Token token, String expected) {
    return new SelectorException("found '" + token.text() + "'" + expected);
  }
}
