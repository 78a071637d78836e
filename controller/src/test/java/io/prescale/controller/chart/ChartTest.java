package io.prescale.controller.chart;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.Checkout;
import io.prescale.controller.cli.terminal.TestingSurroundings;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Tests of the chart that do not need Helm. */
class ChartTest {

  @Test
  void theChartIsOfTheProgramsVersion() throws IOException {
    var pom = Files.readString(Checkout.root().resolve("pom.xml"));

    assertThat(pom)
        .contains(
            "<artifactId>prescale</artifactId>\n  <version>%s</version>"
                .formatted(ChartFiles.yaml("Chart.yaml").get("appVersion").asText()));
  }

  @Test
  void theFileOfValuesIsWhatTheSchemaSays() {
    var values = ChartFiles.yaml("values.yaml");

    assertThat(values.at("/replicas").asInt()).isEqualTo(2);
    assertThat(values.at("/tls/source").asText()).isEqualTo("self-made");
    assertThat(values.at("/prometheus/secretNamespaces")).isEmpty();
    assertThat(values.at("/resources/requests/memory").asText()).isNotEmpty();
  }

  @Test
  void theValuesNameThePropertiesThatTheTemplatesSet() throws IOException {
    var named =
        found("Property: prescale\\.((?:controller|extender)\\.[a-z-]+)", "values.schema.json");
    var set =
        found("--([a-z-]+)=\\{\\{ \\.Values", "templates/deployment.yaml").stream()
            .map("controller."::concat)
            .toList();

    assertThat(named).containsAll(set).hasSizeGreaterThan(8);
    for (var property : named) {
      var program = property.split("\\.", -1);
      var help = new TestingSurroundings();
      assertThat(help.run(program[0], "--help")).isZero();
      assertThat(help.out()).as(property).contains("--" + program[1]);
    }
  }

  private static List<String> found(String pattern, String file) throws IOException {
    return Pattern.compile(pattern)
        .matcher(Files.readString(Checkout.root().resolve("charts/prescale").resolve(file)))
        .results()
        .map(match -> match.group(1))
        .toList();
  }
}
