package io.prescale.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.Config;
import io.prescale.controller.cli.options.ExitCode;
import io.prescale.controller.cli.terminal.TestingSurroundings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CheckedExecutionTest {
  private static final String LOAD =
      IntStream.range(0, 600)
          .mapToObj(i -> 1_767_225_600L + 60L * i + "," + (i / 60 % 2 == 0 ? 200 : 100))
          .collect(Collectors.joining("\n", "timestamp,value\n", "\n"));

  @TempDir private Path folder;

  private final TestingSurroundings program = new TestingSurroundings();
  private Path trace = Path.of("");

  @BeforeEach
  void writeTrace() throws IOException {
    trace = Files.writeString(folder.resolve("load.csv"), LOAD);
    Files.createSymbolicLink(folder.resolve("link.csv"), trace);
    Files.createLink(folder.resolve("hard.csv"), trace);
    Files.createDirectory(folder.resolve("sub"));
    Files.createSymbolicLink(folder.resolve("here"), folder);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "load.csv",
        "./load.csv",
        "sub/../load.csv",
        "here/load.csv",
        "link.csv",
        "here/link.csv",
        "hard.csv",
      })
  void aReplayDoesNotOverwriteItsTrace(String spelling) throws IOException {
    for (var option : new String[] {"--out", "--html"}) {
      var again = new TestingSurroundings();

      assertThat(
              again.run(
                  "replay",
                  "--trace=" + trace,
                  "--capacity=10",
                  "--policies=reactive",
                  option + "=" + folder.resolve(spelling)))
          .isEqualTo(ExitCode.USAGE);

      assertThat(again.errLines())
          .containsExactly(
              "%s names the file that --trace reads, %s, and would overwrite it; name another file."
                  .formatted(option, trace),
              "Try 'prescale replay --help'.");
    }
    assertThat(trace).hasContent(LOAD);
  }

  @Test
  void noCommandOverwritesAnyFileThatItReads() throws IOException {
    assertThat(program.run("forecast", "--trace=" + trace, "--out=" + folder.resolve("hard.csv")))
        .isEqualTo(ExitCode.USAGE);
    assertThat(
            program.run(
                "place",
                "--nodes=" + folder.resolve("nodes.csv"),
                "--pods=" + trace,
                "--out=" + folder.resolve("link.csv")))
        .isEqualTo(ExitCode.USAGE);
    assertThat(
            program.run(
                "replay",
                "--capacity=1",
                "--prometheus=http://127.0.0.1:1",
                "--query=up",
                "--token-file=" + trace,
                "--out=" + trace))
        .isEqualTo(ExitCode.USAGE);

    for (var option :
        List.of("--also=" + trace + "=500", "--relatives=" + trace, "--leading=" + trace)) {
      assertThat(
              program.run("replay", "--demo", option, "--html=" + folder.resolve("here/link.csv")))
          .isEqualTo(ExitCode.USAGE);
    }

    assertThat(program.err())
        .contains(
            "--html names the file that --also reads,",
            "--html names the file that --relatives reads,",
            "--html names the file that --leading reads,",
            "--out names the file that --trace reads,",
            "--out names the file that --pods reads,",
            "--out names the file that --token-file reads,");
    assertThat(trace).hasContent(LOAD);
  }

  @Test
  void theKubeconfigThatIsReadByDefaultIsNotOverwritten() throws IOException {
    var kubeconfig = Files.writeString(folder.resolve("config"), "users: []");
    System.setProperty(Config.KUBERNETES_KUBECONFIG_FILE, kubeconfig.toString());
    try {
      assertThat(program.run("place", "--cluster", "--save=" + folder.resolve("here/config")))
          .isEqualTo(ExitCode.USAGE);
    } finally {
      System.clearProperty(Config.KUBERNETES_KUBECONFIG_FILE);
    }

    assertThat(program.err())
        .contains("--save names the file that clusters are reached by, " + kubeconfig);
    assertThat(kubeconfig).hasContent("users: []");
  }

  @ParameterizedTest
  @ValueSource(strings = {"new", "sub/../new", "here/new", "dangling"})
  void twoResultsAreNotWrittenToOneFile(String spelling) throws IOException {
    Files.createSymbolicLink(folder.resolve("dangling"), Path.of("new"));

    assertThat(
            program.run(
                "replay",
                "--trace=" + trace,
                "--capacity=10",
                "--out=" + folder.resolve("new"),
                "--html=" + folder.resolve(spelling)))
        .isEqualTo(ExitCode.USAGE);

    assertThat(program.err()).startsWith("--out and --html name the same file; choose two.");
    assertThat(folder.resolve("new")).doesNotExist();
  }

  @Test
  void onlyOneResultGoesToStandardOutput() {
    assertThat(program.run("replay", "--demo", "--json", "--html", "-")).isEqualTo(ExitCode.USAGE);
    assertThat(program.run("replay", "--demo", "--out", "-", "--html", "-"))
        .isEqualTo(ExitCode.USAGE);
    assertThat(program.err())
        .contains(
            "--json and --html - both write to standard output; choose one.",
            "--out - and --html - both write to standard output; choose one.");
    assertThat(program.out()).isEmpty();
  }

  @Test
  void aReportOnStandardOutputIsNothingButTheReport() {
    assertThat(replay("--html", "-")).isZero();
    assertThat(program.out()).startsWith("<!doctype html>").endsWith("</html>\n");

    var again = new TestingSurroundings();
    assertThat(
            again.run(
                "replay", "--trace=" + trace, "--capacity=10", "--policies=reactive", "--out=-"))
        .isZero();
    assertThat(again.out().lines()).hasSize(601).first().asString().startsWith("timestamp,");
  }

  @Test
  void ofARepeatedOptionTheLastCountsAndANoteSaysSo() {
    assertThat(replay("--capacity=20", "--quiet", "--quiet")).isZero();

    assertThat(program.out()).contains("one replica carries 20 after");
    assertThat(program.errLines())
        .containsExactly(
            "--capacity is given 2 times; the last one counts.",
            "--quiet is given 2 times; once is enough.");
  }

  @Test
  void aRepeatedOptionKeepsTheOthersOfItsGroup() {
    assertThat(replay("--cold-start", "20m", "--max=7", "--seed", "1", "--seed", "2")).isZero();

    assertThat(program.out()).contains("after a cold start of 20 min");
    assertThat(program.errLines())
        .first()
        .isEqualTo("--seed is given 2 times; the last one counts.");
  }

  @Test
  void ofOptionsThatMayBeRepeatedEachCounts() {
    assertThat(
            replay(
                "--exclude=2026-01-01T01:00/1h",
                "--zone=Europe/Berlin",
                "--holiday=2026-01-06",
                "--exclude=2026-01-01T03:00/1h",
                "--holiday=2026-13-01"))
        .isEqualTo(2);

    assertThat(program.errLines().getFirst())
        .contains("--holiday", "\"2026-13-01\" is no day; write one such as 2026-12-25");
  }

  private int replay(String... options) {
    var all = new ArrayList<String>();
    all.addAll(List.of("replay", "--trace=" + trace));
    all.addAll(List.of("--capacity=10", "--policies=reactive"));
    all.addAll(List.of(options));
    return program.run(all.toArray(String[]::new));
  }
}
