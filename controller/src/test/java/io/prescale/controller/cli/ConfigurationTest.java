package io.prescale.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.prescale.controller.cli.cluster.ControllerCommand;
import io.prescale.controller.cli.options.ExitCode;
import io.prescale.controller.cli.options.UnreachableException;
import io.prescale.controller.cli.options.UsageException;
import io.prescale.controller.cli.terminal.TestingSurroundings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;

class ConfigurationTest {
  @TempDir private Path folder;

  private final CommandLine prescale =
      new CommandLine(new Prescale())
          .addSubcommand(new ControllerCommand(new TestingSurroundings().surroundings()));

  @Command(name = "prescale")
  private static final class Prescale {}

  private String file(String name, String content) throws IOException {
    return Files.writeString(folder.resolve(name), content).toString();
  }

  private String[] complete(Map<String, String> environment, String... arguments) {
    return new Configuration(environment).complete(prescale, arguments);
  }

  @Test
  void theCommandLineWinsThenTheEnvironmentThenTheLastFile() throws IOException {
    var first = file("a.yml", "prescale: {controller: {page-port: 1, metrics-port: 2, port: 3}}");
    var second = file("b.properties", "prescale.controller.page-port=4\n");
    var environment =
        Map.of(
            "MICRONAUT_CONFIG_FILES",
            first + "," + second,
            "PRESCALE_CONTROLLER_METRICS_PORT",
            "5");

    assertThat(complete(environment, "controller", "--port", "6"))
        .containsExactlyInAnyOrder(
            "controller", "--page-port=4", "--metrics-port=5", "--port", "6");
  }

  @Test
  void aSwitchIsTrueOrFalseAndAListIsSeparatedByCommas() {
    assertThat(
            complete(
                Map.of(
                    "PRESCALE_CONTROLLER_NO_ADAPTER",
                    "true",
                    "PRESCALE_CONTROLLER_NO_REGISTER",
                    "false",
                    "PRESCALE_CONTROLLER_NAMESPACE",
                    "team-a, team-b"),
                "controller"))
        .containsExactlyInAnyOrder(
            "controller", "--no-adapter", "--namespace=team-a", "--namespace=team-b");
    assertThatThrownBy(
            () -> complete(Map.of("PRESCALE_CONTROLLER_NO_ADAPTER", "yes"), "controller"))
        .isInstanceOf(UsageException.class)
        .hasMessage(
            "prescale.controller.no-adapter in the environment is \"yes\"; write true or false.");
  }

  @Test
  void otherCommandsReadNoFileAndOtherProgramsHaveOtherProperties() {
    var environment =
        Map.of("PRESCALE_EXTENDER_PORT", "1", "MICRONAUT_CONFIG_FILES", "/nothing/here.yml");

    assertThat(complete(environment, "replay", "--demo")).containsExactly("replay", "--demo");
    assertThat(complete(environment)).isEmpty();
    assertThat(complete(Map.of("PRESCALE_EXTENDER_PORT", "1"), "controller"))
        .containsExactly("controller");
  }

  @Test
  void namesAPropertyThatIsNoOption() throws IOException {
    var path = file("typo.yml", "prescale.controller.metric-port: 8080");

    assertThatThrownBy(() -> complete(Map.of("MICRONAUT_CONFIG_FILES", path), "controller"))
        .isInstanceOf(UsageException.class)
        .hasMessageStartingWith(
            "prescale.controller.metric-port in %s is not an option; known are ".formatted(path))
        .hasMessageContaining("prescale.controller.metrics-port");
  }

  @Test
  void refusesAFileThatCannotBeRead() throws IOException {
    var malformed = file("malformed.yml", "prescale: [controller: {token: hunter2");

    assertThatThrownBy(() -> complete(Map.of("MICRONAUT_CONFIG_FILES", malformed), "controller"))
        .isInstanceOf(UsageException.class)
        .hasMessage(
            "MICRONAUT_CONFIG_FILES names %s, which cannot be read; name a file of YAML, or of"
                + " properties in *.properties.",
            malformed);
    var missing = folder.resolve("missing.yml").toString();
    assertThatThrownBy(() -> complete(Map.of("MICRONAUT_CONFIG_FILES", missing), "controller"))
        .isInstanceOf(UnreachableException.class)
        .hasMessage("MICRONAUT_CONFIG_FILES names %s: there is no such file.", missing);
  }

  @Test
  void helpNeedsNoConfiguration() {
    var program = new TestingSurroundings().with("MICRONAUT_CONFIG_FILES", "missing.yml");

    assertThat(program.run("demo", "--help")).isZero();
    assertThat(program.out()).contains("Usage: prescale demo");
  }

  @Test
  void refusesAFileOfAnotherFormat() throws IOException {
    var path = file("prescale.conf", "prescale.controller.port: 6443");

    assertThatThrownBy(() -> complete(Map.of("MICRONAUT_CONFIG_FILES", path), "controller"))
        .isInstanceOf(UsageException.class)
        .hasMessage(
            "MICRONAUT_CONFIG_FILES names %s; a file of properties is named *.yml, *.yaml or *.properties."
                .formatted(path));
  }

  @Test
  void aWrongValueIsNamedByItsProperty() throws IOException {
    var path = file("wrong.yml", "prescale.controller.metrics-port: http");
    var program = new TestingSurroundings().with("MICRONAUT_CONFIG_FILES", path);

    assertThat(program.run("controller")).isEqualTo(ExitCode.USAGE);
    assertThat(program.err()).contains("prescale.controller.metrics-port in " + path, "http");
  }

  @Test
  void aPortOutOfRangeIsNamedByItsProperty() {
    var program = new TestingSurroundings().with("PRESCALE_CONTROLLER_PORT", "70000");

    assertThat(program.run("controller")).isEqualTo(ExitCode.USAGE);
    assertThat(program.err())
        .contains(
            "prescale.controller.port in the environment is 70000; it must be from 1 to 65535.");
  }
}
