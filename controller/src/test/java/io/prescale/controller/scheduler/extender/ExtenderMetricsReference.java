package io.prescale.controller.scheduler.extender;

import io.prescale.controller.api.v1alpha1.GeneratedCrd;
import io.prescale.placement.claims.ClaimLedger;
import io.prescale.placement.ledger.Ledger;
import java.io.IOException;
import java.io.StringWriter;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Generates the table of the extender's metrics in its reference. */
public final class ExtenderMetricsReference {
  private static final String BEGIN =
      "<!-- Generated from io.prescale.controller.scheduler.extender; renew with\n"
          + GeneratedCrd.RENEWAL
          + " -->\n";
  private static final String END = "<!-- end -->";
  private static final Pattern FAMILY =
      Pattern.compile("(?m)^# HELP (\\S+) (.*)\n# TYPE \\S+ (\\S+)$");

  private ExtenderMetricsReference() {}

  /** The page with the table of the metrics that the extender exposes. */
  public static String in(String page) throws IOException {
    int begin = page.indexOf(BEGIN);
    int end = page.indexOf(END, begin);
    if (begin < 0 || end < 0) {
      throw new IllegalArgumentException("the page has no place for the table");
    }
    return page.substring(0, begin + BEGIN.length()) + table() + page.substring(end);
  }

  private static String table() throws IOException {
    var usage = new UsageMetrics(List::of, Map::of, _ -> Optional.empty());
    var exposition = new StringWriter();
    new ExtenderMetrics(
            new Ledger(10), new ClaimLedger(), usage, Map::of, () -> true, InstantSource.system())
        .write(exposition);
    return FAMILY
        .matcher(exposition.toString())
        .results()
        .filter(family -> !family.group(1).endsWith("_created")) // simpleclient adds these
        .map(
            family ->
                "| `%s` | %s | %s |".formatted(family.group(1), family.group(3), family.group(2)))
        .sorted()
        .collect(Collectors.joining("\n", "| Metric | Type | |\n|---|---|---|\n", "\n"));
  }
}
