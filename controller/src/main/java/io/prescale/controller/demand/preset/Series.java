package io.prescale.controller.demand.preset;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Selectors of series that share matchers for model and namespace.
 *
 * @param matchers as PromQL writes them, {@code label="value"}
 */
record Series(List<String> matchers) {
  Series {
    matchers = List.copyOf(matchers);
  }

  /** The series of a scope, whose model is in the label {@code modelLabel}. */
  static Series labelled(String modelLabel, PresetScope scope) {
    return new Series(
        Stream.of(
                scope.model().map(model -> modelLabel + '=' + quoted(model)),
                scope.namespace().map(namespace -> "namespace=" + quoted(namespace)))
            .flatMap(Optional::stream)
            .toList());
  }

  /** The selector of one metric, with additional matchers before those of the scope. */
  String of(String metric, String... further) {
    return metric + braces(Stream.of(further));
  }

  /** The selector of all metrics whose whole name matches a regular expression. */
  String named(String expression, String... further) {
    return braces(Stream.concat(Stream.of("__name__=~\"" + expression + '"'), Stream.of(further)));
  }

  private String braces(Stream<String> further) {
    var all = new ArrayList<>(further.toList());
    all.addAll(matchers);
    return all.isEmpty() ? "" : all.stream().collect(Collectors.joining(",", "{", "}"));
  }

  /** A PromQL string literal, which uses the escapes of Go. */
  static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  /** A regular expression (RE2) that matches exactly the text. */
  static String literally(String text) {
    return text.replaceAll("[\\\\.+*?()|\\[\\]{}^$]", "\\\\$0");
  }
}
