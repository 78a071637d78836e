package io.prescale.controller.chart;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.Checkout;
import java.io.IOException;
import java.nio.file.Files;
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
}
