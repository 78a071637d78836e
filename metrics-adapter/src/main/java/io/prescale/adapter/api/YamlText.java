package io.prescale.adapter.api;

import java.util.Locale;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Writes a document as block-style YAML with sorted names, as {@code sigs.k8s.io/yaml} does. A
 * string that YAML could read as another type is written as JSON, which is valid YAML.
 */
final class YamlText {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z][A-Za-z0-9_./-]*");
  private static final Set<String> WORDS =
      Set.of("true", "false", "null", "yes", "no", "on", "off", "y", "n");

  private final StringBuilder out = new StringBuilder(512);

  private YamlText() {}

  static String of(Document document) {
    var text = new YamlText();
    text.write(document, 0);
    return text.out.toString();
  }

  /** Writes a value at the beginning of a line that is already indented, and ends the line. */
  private void write(Document document, int depth) {
    switch (document) {
      case Document.Fields(var values) when !values.isEmpty() -> {
        var first = true;
        for (var field : new TreeMap<>(values).entrySet()) {
          if (!first) {
            out.repeat("  ", depth);
          }
          first = false;
          out.append(scalar(field.getKey())).append(':');
          nested(field.getValue(), depth);
        }
      }
      case Document.Items(var values) when !values.isEmpty() -> {
        var first = true;
        for (var item : values) {
          if (!first) {
            out.repeat("  ", depth);
          }
          first = false;
          out.append("- ");
          write(item, depth + 1);
        }
      }
      default -> out.append(line(document)).append('\n');
    }
  }

  /** Writes a field's value: short ones on its line, lists below it, fields below and indented. */
  private void nested(Document value, int depth) {
    switch (value) {
      case Document.Fields(var values) when !values.isEmpty() -> {
        out.append('\n').repeat("  ", depth + 1);
        write(value, depth + 1);
      }
      case Document.Items(var values) when !values.isEmpty() -> {
        out.append('\n').repeat("  ", depth);
        write(value, depth);
      }
      default -> out.append(' ').append(line(value)).append('\n');
    }
  }

  private static String line(Document document) {
    return switch (document) {
      case Document.Text(var value) -> scalar(value);
      case Document.Whole(var value) -> Long.toString(value);
      case Document.Truth(var value) -> Boolean.toString(value);
      case Document.Fields _ -> "{}";
      case Document.Items _ -> "[]";
    };
  }

  private static String scalar(String value) {
    return PLAIN.matcher(value).matches() && !WORDS.contains(value.toLowerCase(Locale.ROOT))
        ? value
        : JsonWriter.quoted(value);
  }
}
