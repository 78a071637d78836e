package io.prescale.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
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

  /** For each rule, the fixtures below {@code violating} that it must name, and all of them. */
  private static final Map<String, String[]> BREACHES =
      Map.ofEntries(
          breach("forecasting sees no other module", "forecasting.SeesPlacement"),
          breach("gpu-placement sees no other module", "placement.SeesController"),
          breach("metrics-adapter sees no other module", "adapter.SeesForecasting"),
          breach(
              "forecasting is pure",
              "forecasting.ReadsFiles",
              "forecasting.SeesPlacement",
              "forecasting.WritesJson"),
          breach("gpu-placement is pure", "placement.SeesController"),
          breach("metrics-adapter imports Micronaut at most", "adapter.ParsesOptions"),
          breach("the adapter's API knows no HTTP server", "adapter.api.SeesRequests"),
          breach(
              "the controller's decisions know no framework",
              "controller.autoscaling.ParsesOptions",
              "controller.simulation.replay.WritesJson"),
          breach("autoscaling knows nothing around it", "controller.autoscaling.SeesReport"),
          breach("the page knows nothing of the demo", "controller.web.SeesDemo"),
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

  static Stream<Arguments> rules() {
    return arguments("io.prescale");
  }

  static Stream<Arguments> rulesOverFixtures() {
    return arguments("violating");
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

  private static Stream<Arguments> arguments(String root) {
    return new ArchitectureRules(root)
        .all().entrySet().stream().map(rule -> Arguments.of(rule.getKey(), rule.getValue()));
  }

  private static Map.Entry<String, String[]> breach(String rule, String... fixtures) {
    return Map.entry(
        rule, Stream.of(fixtures).map(fixture -> "violating." + fixture).toArray(String[]::new));
  }
}
