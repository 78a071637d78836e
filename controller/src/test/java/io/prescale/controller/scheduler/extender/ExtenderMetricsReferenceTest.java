package io.prescale.controller.scheduler.extender;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.Checkout;
import io.prescale.placement.claims.ClaimLedger;
import io.prescale.placement.ledger.Ledger;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ExtenderMetricsReferenceTest {
  private static final String BEGIN = "<!-- begin: ExtenderMetricsReferenceTest -->\n";
  private static final String END = "<!-- end -->";
  private static final Pattern FAMILY =
      Pattern.compile("(?m)^# HELP (\\S+) (.*)\n# TYPE \\S+ (\\S+)$");

  /** To make the table anew, run this test with {@code -Dprescale.writeReference=true}. */
  @Test
  void thePageListsWhatTheExtenderExposes() throws IOException {
    var page = Checkout.root().resolve("docs/reference/extender.md");
    var table = table();
    if (Boolean.getBoolean("prescale.writeReference")) {
      var text = Files.readString(page);
      int begin = text.indexOf(BEGIN) + BEGIN.length();
      Files.writeString(page, text.substring(0, begin) + table + text.substring(text.indexOf(END)));
    }

    assertThat(page).content().contains(BEGIN + table + END);
  }

  private static String table() throws IOException {
    var usage = new UsageMetrics(List::of, Map::of, _ -> Optional.empty());
    var exposition = new StringWriter();
    new ExtenderMetrics(new Ledger(10), new ClaimLedger(), usage).write(exposition);
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
