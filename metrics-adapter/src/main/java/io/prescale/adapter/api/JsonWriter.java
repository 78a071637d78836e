package io.prescale.adapter.api;

import java.util.Iterator;

/** Writes a document as JSON (RFC 8259), on one line or indented by two spaces. */
final class JsonWriter {
  private final StringBuilder out = new StringBuilder(512);
  private final boolean pretty;

  private JsonWriter(boolean pretty) {
    this.pretty = pretty;
  }

  static String of(Document document, boolean pretty) {
    var text = new JsonWriter(pretty);
    text.write(document, 0);
    return text.out.toString();
  }

  /** A string with its quotes. */
  static String quoted(String value) {
    var text = new JsonWriter(false);
    text.string(value);
    return text.out.toString();
  }

  private void write(Document document, int depth) {
    switch (document) {
      case Document.Text(var value) -> string(value);
      case Document.Whole(var value) -> out.append(value);
      case Document.Truth(var value) -> out.append(value);
      case Document.Items(var values) -> {
        var items = values.iterator();
        block('[', ']', items, depth, () -> write(items.next(), depth + 1));
      }
      case Document.Fields(var values) -> {
        var fields = values.entrySet().iterator();
        block(
            '{',
            '}',
            fields,
            depth,
            () -> {
              var field = fields.next();
              string(field.getKey());
              out.append(pretty ? ": " : ":");
              write(field.getValue(), depth + 1);
            });
      }
    }
  }

  private void block(char open, char close, Iterator<?> rest, int depth, Runnable writeNext) {
    out.append(open);
    var empty = !rest.hasNext();
    while (rest.hasNext()) {
      newLine(depth + 1);
      writeNext.run();
      if (rest.hasNext()) {
        out.append(',');
      }
    }
    if (!empty) {
      newLine(depth);
    }
    out.append(close);
  }

  private void newLine(int depth) {
    if (pretty) {
      out.append('\n').repeat("  ", depth);
    }
  }

  private void string(String value) {
    out.append('"');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      switch (c) {
        case '"' -> out.append("\\\"");
        case '\\' -> out.append("\\\\");
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        default -> {
          if (c < 0x20 || c == 0x7f || (Character.isSurrogate(c) && !isPaired(value, i))) {
            out.append("\\u%04x".formatted((int) c));
          } else {
            out.append(c);
          }
        }
      }
    }
    out.append('"');
  }

  private static boolean isPaired(String value, int at) {
    return Character.isHighSurrogate(value.charAt(at))
        ? at + 1 < value.length() && Character.isLowSurrogate(value.charAt(at + 1))
        : at > 0 && Character.isHighSurrogate(value.charAt(at - 1));
  }
}
