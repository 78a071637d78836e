package io.prescale.controller.chart;

import io.prescale.controller.Checkout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** The metric names listed in the references; other tests check that the program exports them. */
final class ExportedMetrics {
  private static final Pattern NAME = Pattern.compile("\\bprescale[a-z0-9_:]*[_:][a-z0-9_:]+");
  private static final Pattern LISTED = Pattern.compile("(?m)^\\| `(prescale_[a-z0-9_]+)`");
  private static final Pattern RECORDED = Pattern.compile("record: (\\S+)");

  private ExportedMetrics() {}

  /** Names of Prescale in an expression that are neither exported nor recorded. */
  static Set<String> unknownIn(String expression) {
    var unknown = new TreeSet<String>();
    var names = NAME.matcher(expression);
    while (names.find()) {
      unknown.add(names.group().replaceAll("_(bucket|sum|count)$", ""));
    }
    unknown.removeAll(all("docs/reference/metrics.md", LISTED));
    unknown.removeAll(all("docs/reference/extender.md", LISTED));
    unknown.removeAll(all("charts/prescale/rules/prescale.yaml", RECORDED));
    return unknown;
  }

  private static Set<String> all(String file, Pattern pattern) {
    var found = new TreeSet<String>();
    try {
      var names = pattern.matcher(Files.readString(Checkout.root().resolve(file)));
      while (names.find()) {
        found.add(names.group(1));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return found;
  }
}
