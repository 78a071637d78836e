package io.prescale.controller.chart;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.prescale.controller.Checkout;
import io.prescale.controller.api.v1alpha1.ConditionReason;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** Tests the rules with promtool, and their links to the runbook. */
class AlertsTest {
  private static final Path RULES = ChartFiles.folder().resolve("rules");

  @Test
  void prometheusTakesTheRules() throws Exception {
    assertThat(promtool("check", "rules", "prescale.yaml", "extender.yaml")).contains("SUCCESS");
  }

  @Test
  void alertsFireWhenTheyShouldAndOnlyThen() throws Exception {
    assertThat(promtool("test", "rules", "prescale-test.yaml")).contains("SUCCESS");
  }

  @Test
  void everyAlertIsTried() throws IOException {
    var tests = Files.readString(RULES.resolve("prescale-test.yaml"));

    assertThat(alerts())
        .hasSizeGreaterThan(10)
        .allSatisfy(
            alert ->
                assertThat(tests)
                    .containsPattern(
                        "alertname: %s\\n +exp_alerts:\\n".formatted(alert.get("alert").asText())));
  }

  @Test
  void rulesAskOnlyForMetricsThatAreExported() {
    assertThat(rules())
        .hasSizeGreaterThan(10)
        .allSatisfy(
            rule ->
                assertThat(ExportedMetrics.unknownIn(rule.get("expr").asText()))
                    .as(rule.toString())
                    .isEmpty());
  }

  @Test
  void aMetricThatIsNotExportedIsNoticed() {
    assertThat(
            ExportedMetrics.unknownIn(
                "rate(prescale_unheard_of_bucket[5m]) / prescale_replicas_missing > 1"))
        .containsExactly("prescale_replicas_missing", "prescale_unheard_of");
  }

  @Test
  void everyAlertHasASectionInTheRunbook() throws IOException {
    var runbook = Files.readAllLines(Checkout.root().resolve("docs/runbook.md"));

    assertThat(alerts())
        .allSatisfy(
            alert -> {
              var name = alert.get("alert").asText();
              assertThat(runbook).contains("### " + name);
              assertThat(alert.at("/annotations/runbook").asText())
                  .isEqualTo("docs/runbook.md#" + name.toLowerCase(Locale.ROOT));
              assertThat(alert.at("/labels/severity").asText()).isIn("critical", "warning", "info");
            });
  }

  @Test
  void everyReasonOfAConditionHasASectionInTheRunbook() throws IOException {
    var runbook = Files.readAllLines(Checkout.root().resolve("docs/runbook.md"));

    assertThat(runbook.stream().filter(line -> line.startsWith("### ")).toList())
        .containsAll(
            Arrays.stream(ConditionReason.values()).map(reason -> "### " + reason).toList());
  }

  private static List<JsonNode> rules() {
    var rules = new ArrayList<JsonNode>();
    for (var file : List.of("rules/prescale.yaml", "rules/extender.yaml")) {
      ChartFiles.yaml(file).get("groups").forEach(group -> group.get("rules").forEach(rules::add));
    }
    return rules;
  }

  private static List<JsonNode> alerts() {
    return rules().stream().filter(rule -> rule.has("alert")).toList();
  }

  private static String promtool(String... arguments) throws IOException, InterruptedException {
    assumeTrue(
        Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
            .anyMatch(folder -> Files.isExecutable(Path.of(folder, "promtool"))),
        "skipped: without promtool it stays unproven that Prometheus takes the rules; apt-get"
            + " install prometheus brings it.");
    var command = new ArrayList<>(List.of("promtool"));
    command.addAll(List.of(arguments));
    var process =
        new ProcessBuilder(command).directory(RULES.toFile()).redirectErrorStream(true).start();
    var output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(output).isEqualTo(0);
    return output;
  }
}
