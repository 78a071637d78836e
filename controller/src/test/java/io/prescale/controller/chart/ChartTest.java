package io.prescale.controller.chart;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.Checkout;
import io.prescale.controller.cli.terminal.TestingSurroundings;
import io.prescale.controller.demand.prometheus.PrometheusServer;
import io.prescale.placement.inventory.SeriesMatchers;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the chart that do not need Helm. */
class ChartTest {
  private static final String POLICIES = "templates/scheduler-policies.yaml";

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

  /** A tag may be moved to another image. */
  @Test
  void everyImageCanBeNamedByItsDigest() throws IOException {
    var images =
        ChartFiles.json("values.schema.json").findValues("image").stream()
            .filter(it -> it.at("/properties").has("repository"))
            .toList();

    assertThat(images)
        .hasSize(3)
        .allSatisfy(
            it ->
                assertThat(it.at("/properties/digest/pattern").asText())
                    .isEqualTo("^(sha256:[0-9a-f]{64})?$"));
    for (var file : List.of("deployment.yaml", "scheduler.yaml", "give-back.yaml")) {
      assertThat(found(" image: (.*)", "templates/" + file))
          .isNotEmpty()
          .allMatch(it -> it.contains(".digest") || it.contains("\"prescale.image\""));
    }
  }

  /** What the program would refuse, the chart does. */
  @ParameterizedTest
  @CsvSource({
    "ahead, 0m 0s 30m 45s 59m 60m 3600s 1h, 61m 90m 3601s 2h 30 -1m half",
    "patience, 1m 60s 90s 30m 60m 3600s 1h, 0m 59s 61m 3601s 2h 1d"
  })
  void warmTakesNoMoreThanAnHour(String value, String good, String bad) {
    var pattern =
        ChartFiles.json("values.schema.json")
            .at("/properties/scheduler/properties/warm/properties/%s/pattern".formatted(value))
            .asText();

    assertThat(good.split(" ", -1)).allMatch(it -> it.matches(pattern));
    assertThat(bad.split(" ", -1)).noneMatch(it -> it.matches(pattern));
  }

  /** What could end the selector of a query, neither takes. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "namespace=\"gpu-operator\"",
        "namespace!=\"team\", job=~\"dcgm.*|hami\"",
        "job=\"} or up{\"",
        "job=\"\\\"\\\\\"",
        "job=\"x\"} or vector(1) # ",
        "job=\"x\\\"",
        "job=\"\\n\"",
        "job=\"\t\"",
        "job=\"x\",",
        "job='x'",
        "job=x",
        "{job=\"x\"}",
        " ",
      })
  void theChartTakesTheMatchersThatTheProgramTakes(String selector) {
    var value =
        ChartFiles.json("values.schema.json")
            .at("/properties/scheduler/properties/exporters/properties/selector");

    assertThat(selector.matches(value.get("pattern").asText())).isEqualTo(isTaken(selector));
    assertThat(value.get("maxLength").asInt()).isEqualTo(1_000);
  }

  private static boolean isTaken(String matchers) {
    try {
      return new SeriesMatchers(matchers).text().equals(matchers);
    } catch (IllegalArgumentException _) {
      return false;
    }
  }

  @Test
  void theExtenderGetsTheMatchersOfTheExporters() throws IOException {
    assertThat(
            found(
                "- \\{\\{ printf \"(--[a-z-]+)=%s\" \\. \\| quote }}", "templates/scheduler.yaml"))
        .contains("--exporters-selector");
  }

  @Test
  void theProxyReadsTheHeaderThatIsSentAndIsTheOneThatIsTested() throws IOException {
    var header =
        PrometheusServer.at(URI.create("http://proxy"))
            .withEnforcedNamespace("team")
            .headers()
            .getFirst()
            .name();
    var tested =
        Files.readString(Checkout.root().resolve("e2e/lab/programs/prom-label-proxy/go.mod"));
    var proxy = ChartFiles.yaml("values.yaml").at("/prometheus/enforceNamespace/image/tag");

    assertThat(found("--header-name=(.*)", "templates/deployment.yaml")).containsExactly(header);
    assertThat(tested)
        .contains("github.com/prometheus-community/prom-label-proxy " + proxy.asText());
  }

  /** Roles permit writes to whole objects; only a policy can permit the change of one field. */
  @Test
  void everythingThatTheSchedulerMayPatchOrDeleteHasAPolicy() throws IOException {
    var roles = "templates/scheduler-rbac.yaml";
    var written =
        listed("resources: \\[([a-z/, ]+)]\\n +verbs: \\[.*(?:patch|update|delete)]", roles);
    var policed =
        listed(
            "operations: \\[(?:CREATE|UPDATE|DELETE)](?:,|\\n) +resources: \\[([a-z/, ]+)]",
            POLICIES);

    assertThat(written).contains("pods", "pods/status", "nodes", "resourceclaims");
    assertThat(policed)
        .containsAll(written.stream().filter(kind -> !kind.equals("leases")).toList());
    assertThat(policed).filteredOn("pods"::equals).as("changed, created").hasSize(2);
    int policies = found("kind: (ValidatingAdmissionPolicy)\n", POLICIES).size();
    assertThat(policies).isEqualTo(9);
    assertThat(found("request.userInfo.username == '(.*)'\"", POLICIES))
        .hasSize(policies)
        .containsOnly("{{ $user }}");
    assertThat(found("(failurePolicy: Fail)", POLICIES)).hasSize(policies);
  }

  /** The check may run in a pod of Prescale, with that pod's rights. */
  @Test
  void theProgramMayReadWhatItsCheckReads() throws IOException {
    var named = "resources: (\\[[a-z]+]\\n +resourceNames: \\[[a-z0-9.]+])";
    var read = found(named, "templates/tests/check.yaml");

    assertThat(read).hasSize(3);
    assertThat(found(named, "templates/rbac.yaml")).containsAll(read);
  }

  private static List<String> found(String pattern, String file) throws IOException {
    return Pattern.compile(pattern)
        .matcher(Files.readString(Checkout.root().resolve("charts/prescale").resolve(file)))
        .results()
        .map(match -> match.group(1))
        .toList();
  }

  /** The same of a list in brackets: its elements. */
  private static List<String> listed(String pattern, String file) throws IOException {
    return found(pattern, file).stream().flatMap(it -> Stream.of(it.split(", ", -1))).toList();
  }
}
