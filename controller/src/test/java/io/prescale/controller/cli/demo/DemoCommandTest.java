package io.prescale.controller.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.prescale.controller.cli.options.ExitCode;
import io.prescale.controller.cli.terminal.Terminal;
import io.prescale.controller.cli.terminal.TestingSurroundings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DemoCommandTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final TestingSurroundings program = new TestingSurroundings();

  @Test
  void saysWhereToLookAndWhatHappens() {
    program.withInput("spike chat-70b\nfly\n\nquit now\n");

    assertThat(run("--stop-after", "1s")).isZero();

    assertThat(program.out())
        .startsWith("Prescale demo: 1 service on 56 GPUs; a day passes in 3 min.\n")
        .containsPattern("  Page              http://127\\.0\\.0\\.1:\\d+/\n")
        .containsPattern("  External metrics  https://127\\.0\\.0\\.1:\\d+/apis/external")
        .contains("Mon 06:30  The load of chat-70b nearly doubles.\n")
        .endsWith("The demo stops.\n")
        .doesNotContain("\u001b");
    assertThat(program.err())
        .contains("There is no action called fly. There are spike [WORKLOAD],")
        .contains("There is no action called quit.");
  }

  @Test
  void onATerminalItSaysHowMuchIsLearned() {
    program.with(new Terminal(true, false, true, 100));

    assertThat(run("--stop-after", "1s")).isZero();

    assertThat(program.err()).contains("Learning ░░░░░░░░░░░░░░░░░░░░░░░░   0 %");
  }

  @Test
  void printsAnObjectALine() throws IOException {
    assertThat(run("--stop-after", "1s", "--json")).isZero();

    var events = new ArrayList<JsonNode>();
    for (String line : program.out().lines().toList()) {
      events.add(JSON.readTree(line));
    }
    assertThat(events.stream().map(it -> it.at("/event").asText()))
        .containsExactly("started", "time_begins", "stopped");
    assertThat(events.getFirst().at("/page").asText()).startsWith("http://127.0.0.1:");
    assertThat(events.getFirst().at("/speed").asDouble()).isEqualTo(480);
    assertThat(program.err()).isEmpty();
  }

  private int run(String... more) {
    var arguments = new ArrayList<>(List.of("demo", "--workloads", "1", "--port", "0"));
    arguments.addAll(List.of(more));
    return program.run(arguments.toArray(String[]::new));
  }

  @Test
  void namesThePortThatIsTaken() throws IOException {
    try (var other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      var port = Integer.toString(other.getLocalPort());

      assertThat(program.run("demo", "--port", port)).isEqualTo(ExitCode.UNREACHABLE);

      assertThat(program.err())
          .contains(
              "Port " + port + " cannot be used", "give another one with --port, or 0 for any");
    }
  }

  @Test
  void namesThePortOfTheMetricsApiThatIsTaken() throws IOException {
    try (var other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      var port = Integer.toString(other.getLocalPort());

      assertThat(run("--metrics-port", port)).isEqualTo(ExitCode.UNREACHABLE);

      assertThat(program.err())
          .contains(
              "Port " + port + " cannot be used",
              "give another one with --metrics-port, or 0 for any");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "--speed, 0.5, --speed is 0.5; it must be from 1 to 2000.",
    "--speed, NaN, --speed is NaN; it must be from 1 to 2000.",
    "--speed, 1e9, --speed is 1.0E9; it must be from 1 to 2000.",
    "--port, 65536, --port is 65536; it must be from 0 to 65535.",
    "--metrics-port, -1, --metrics-port is -1; it must be from 0 to 65535.",
    "--workloads, 0, --workloads is 0; it must be from 1 to 200.",
    "--nodes, 1001, --nodes is 1001; it must be from 1 to 1000.",
    "--stop-after, soon, is not a duration",
    "--stop-after, 0s, --stop-after must be longer than 0s",
    "--speed, Infinity, --speed is Infinity; it must be from 1 to 2000.",
    "--seed, 99999999999999999999, is too large; write at most 9",
    "--nodes, 99999999999, \"99999999999\" is too large; write at most 2",
    "--nodes, -99999999999, \"-99999999999\" is too small; write at least -2",
    "--nodes, 1.5, \"1.5\" is not a whole number",
    "--speed, fast, Invalid value for option '--speed': \"fast\" is not a number",
  })
  void refusesOptionsThatMakeNoSense(String option, String value, String sentence) {
    assertThat(program.run("demo", option + "=" + value)).isEqualTo(ExitCode.USAGE);
    assertThat(program.err()).contains(sentence).contains("Try 'prescale demo --help'.");
  }
}
