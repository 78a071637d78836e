package io.prescale.adapter;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Splits a label selector into the tokens of {@code k8s.io/apimachinery/pkg/labels}. */
final class SelectorLexer {
  enum Kind {
    ERROR,
    END,
    CLOSE,
    COMMA,
    NOT,
    DOUBLE_EQUALS,
    EQUALS,
    GREATER_THAN,
    IDENTIFIER,
    IN,
    LESS_THAN,
    NOT_EQUALS,
    NOT_IN,
    OPEN
  }

  record Token(Kind kind, String text) {}

  private static final Map<String, Kind> SYMBOLS =
      Map.ofEntries(
          Map.entry(")", Kind.CLOSE),
          Map.entry(",", Kind.COMMA),
          Map.entry("!", Kind.NOT),
          Map.entry("==", Kind.DOUBLE_EQUALS),
          Map.entry("=", Kind.EQUALS),
          Map.entry(">", Kind.GREATER_THAN),
          Map.entry("<", Kind.LESS_THAN),
          Map.entry("!=", Kind.NOT_EQUALS),
          Map.entry("(", Kind.OPEN));
  private static final Map<String, Kind> WORDS = Map.of("in", Kind.IN, "notin", Kind.NOT_IN);

  private final String text;
  private int at;

  SelectorLexer(String text) {
    this.text = text;
  }

  /** All tokens; the last one is {@link Kind#END}. */
  List<Token> tokens() {
    var tokens = new ArrayList<Token>();
    while (true) {
      skipSpace();
      if (at == text.length()) {
        tokens.add(new Token(Kind.END, ""));
        return tokens;
      }
      tokens.add(isSymbol(text.charAt(at)) ? symbol() : word());
    }
  }

  private void skipSpace() {
    while (at < text.length() && isSpace(text.charAt(at))) {
      at++;
    }
  }

  /** The longest operator that matches: {@code ===} is {@code ==} and {@code =}. */
  private Token symbol() {
    var two = text.substring(at, Math.min(at + 2, text.length()));
    var literal = SYMBOLS.containsKey(two) ? two : two.substring(0, 1);
    at += literal.length();
    return new Token(SYMBOLS.getOrDefault(literal, Kind.ERROR), literal);
  }

  private Token word() {
    int start = at;
    while (at < text.length() && !isSymbol(text.charAt(at)) && !isSpace(text.charAt(at))) {
      at++;
    }
    var literal = text.substring(start, at);
    return new Token(WORDS.getOrDefault(literal, Kind.IDENTIFIER), literal);
  }

  private static boolean isSymbol(char c) {
    return "=!(),><".indexOf(c) >= 0;
  }

  private static boolean isSpace(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
  }
}
