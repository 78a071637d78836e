package io.prescale.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Holds every module to the architecture, and the rules to their power to find a breach. */
class ArchitectureTest {
  private static final JavaClasses PROGRAM =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("io.prescale");
  private static final JavaClasses FIXTURES = new ClassFileImporter().importPackages("violating");

  /** What the fixtures may see, which is less than they see, and here and there more. */
  private static final ArchitectureTable TABLE_OF_FIXTURES =
      ArchitectureTable.read(
          """
          | Package | Holds | May see |
          |---|---|---|
          | `forecasting` | files, JSON, another module | – |
          | `placement` | the module that sees it | – |
          | `placement.inventory` | text, and a cluster | `Jackson` |
          | `adapter` | options, another module | – |
          | `adapter.api` | requests of a server | – |
          | `controller.autoscaling` | options, formats, a report | – |
          | `controller.cli` | a clock, no options | `picocli` |
          | `controller.demo` | a simulation | – |
          | `controller.gone` | nothing | – |
          | `controller.input` | a cycle | `controller.simulation.report`, `forecasting` |
          | `controller.operator` | the scheduler | – |
          | `controller.operator.hpa` | what the scheduler sees | – |
          | `controller.scheduler.claims` | what the operator sees | – |
          | `controller.scheduler.extender` | the operator | – |
          | `controller.simulation.replay` | JSON, clocks | – |
          | `controller.simulation.report` | a cycle | `controller.input` |
          | `controller.web` | the demo | – |
          """);

  /** For each rule, the fixtures below {@code violating} that it must name. */
  private static final Map<String, String[]> BREACHES =
      Map.ofEntries(
          breach(
              "a package sees only what the table allows",
              "forecasting.ReadsFiles sees `files`",
              "forecasting.SeesPlacement sees `placement`",
              "forecasting.WritesJson sees `Jackson`",
              "placement.SeesController sees `controller.misc`",
              "placement.inventory.TalksToCluster sees `fabric8`",
              "adapter.ParsesOptions sees `picocli`",
              "adapter.SeesForecasting sees `forecasting`",
              "adapter.api.SeesRequests sees `Micronaut`",
              "controller.autoscaling.ParsesOptions sees `picocli`",
              "controller.autoscaling.SeesInventory sees `placement.inventory`",
              "controller.autoscaling.SeesReport sees `controller.simulation.report`",
              "controller.operator.SeesScheduler sees `controller.scheduler.claims`",
              "controller.scheduler.extender.SeesOperator sees `controller.operator.hpa`",
              "controller.simulation.replay.WritesJson sees `Jackson`",
              "controller.web.SeesDemo sees `controller.demo`"),
          breach("every package stands in the table", "controller.misc.Anything"),
          breach(
              "the table allows nothing that is not used",
              "controller.gone",
              "controller.cli may see `picocli`, and does not",
              "controller.input may see `forecasting`, and does not"),
          breach(
              "packages form no cycle",
              "controller.input.SeesReport",
              "controller.simulation.report.SeesInput"),
          breach("packages are named for what they hold", "controller.misc.Anything"),
          breach("types are named for what they are", "controller.input.SeriesHelper"),
          breach(
              "time and randomness are arguments",
              "controller.simulation.replay.ReadsClock",
              "controller.simulation.replay.SeedsItself"),
          breach("no static state changes", "controller.input.Caches", "controller.input.Counts"),
          breach("every package is null-marked", "controller.misc.Anything"));

  static Stream<Arguments> rules() throws IOException {
    var document = Files.readString(Checkout.root().resolve("docs/architecture.md"));
    return arguments("io.prescale", ArchitectureTable.read(document));
  }

  static Stream<Arguments> rulesOverFixtures() {
    return arguments("violating", TABLE_OF_FIXTURES);
  }

  @Test
  void everyModuleIsInView() {
    assertThat(PROGRAM.stream().map(JavaClass::getPackageName))
        .contains(
            "io.prescale.forecasting",
            "io.prescale.placement",
            "io.prescale.adapter",
            "io.prescale.controller")
        .allMatch(name -> name.startsWith("io.prescale."));
  }

  /** A dollar stands in the names of nested types, and of those that Micronaut generates. */
  @Test
  void noTwoTypesShareAName() {
    var names =
        PROGRAM.stream()
            .filter(type -> !type.getName().contains("$"))
            .map(JavaClass::getSimpleName)
            .filter(name -> !name.equals("package-info"))
            .toList();

    assertThat(names).hasSizeGreaterThan(700).doesNotHaveDuplicates();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rules")
  void theProgramKeepsTheRule(String name, ArchRule rule) {
    assertThat(rule.evaluate(PROGRAM).getFailureReport().getDetails()).as(name).isEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rulesOverFixtures")
  void theRuleFindsEveryBreach(String name, ArchRule rule) {
    var report = String.join("\n", rule.evaluate(FIXTURES).getFailureReport().getDetails());

    assertThat(BREACHES).containsKey(name);
    assertThat(report).as(name).contains(BREACHES.get(name));
    if (!name.equals("every package is null-marked")) {
      assertThat(report).as(name).doesNotContain("Innocent");
    }
  }

  private static Stream<Arguments> arguments(String root, ArchitectureTable table) {
    return new ArchitectureRules(root, table)
        .all().entrySet().stream().map(rule -> Arguments.of(rule.getKey(), rule.getValue()));
  }

  private static Map.Entry<String, String[]> breach(String rule, String... fixtures) {
    return Map.entry(
        rule, Stream.of(fixtures).map(fixture -> "violating." + fixture).toArray(String[]::new));
  }
}
