package io.prescale.controller.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.cli.options.ExitCode;
import io.prescale.controller.cli.terminal.TestingSurroundings;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CompletionCommandTest {
  private final TestingSurroundings program = new TestingSurroundings();

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({
    "prescale pre, preset",
    "prescale completion z, zsh",
    "prescale replay --policies ho, holt-winters",
    "prescale place --policy be, bestfit",
    "prescale preset tg, tgi",
    "prescale preset vllm --signal t, tokens",
    "prescale replay --pro, --prometheus",
    "prescale demo --wor, --workloads",
    "prescale controller --page, --page-port",
  })
  void bashCompletes(String typed, String completed) throws IOException, InterruptedException {
    assertThat(completions(typed)).containsExactly(completed);
  }

  @Test
  void bashOffersTheChoicesAndNothingElse() throws IOException, InterruptedException {
    assertThat(completions("prescale completion ")).containsExactly("bash", "zsh", "fish");
    assertThat(completions("prescale replay --policies "))
        .containsExactly("reactive", "mimir", "crane", "holt-winters", "prescale");
    assertThat(completions("prescale preset vllm --signal ")).containsExactly("requests", "tokens");
  }

  @Test
  void bashOffersEveryCommand() throws IOException, InterruptedException {
    assertThat(completions("prescale ")).containsAll(CommandReference.commands());
  }

  /** Completions of bash for the last word of a line. */
  private List<String> completions(String typed) throws IOException, InterruptedException {
    Assumptions.assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "there is no bash");
    assertThat(program.run("completion", "bash")).isEqualTo(ExitCode.OK);
    var script = Files.writeString(folder.resolve("completion"), program.out());
    var ask =
        """
        source "$1"
        read -r -a COMP_WORDS <<<"$2"
        [[ $2 == *" " ]] && COMP_WORDS+=("")
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMP_LINE=$2 COMP_POINT=${#2}
        _complete_prescale
        printf '%s\\n' "${COMPREPLY[@]}"
        """;
    var bash =
        new ProcessBuilder("/bin/bash", "-c", ask, "bash", script.toString(), typed)
            .redirectError(Redirect.DISCARD) // compopt works only in a shell of a person
            .start();
    var offered = new String(bash.getInputStream().readAllBytes(), UTF_8).lines().toList();
    assertThat(bash.waitFor()).as(offered.toString()).isZero();
    return offered.stream().map(String::strip).toList();
  }

  @Test
  void fishGetsCommandsOptionsAndTheirChoices() {
    assertThat(program.run("completion", "fish")).isEqualTo(ExitCode.OK);

    assertThat(program.out().lines())
        .startsWith("complete -c prescale -f")
        .contains(
            "complete -c prescale -n '__fish_use_subcommand' -a demo -d 'Shows Prescale at work in"
                + " a simulated cluster, with a web page.'",
            "complete -c prescale -n '__fish_seen_subcommand_from demo' -l nodes -x -d 'How many"
                + " nodes of eight GPUs, at most 1000 (default: 7).'",
            "complete -c prescale -n '__fish_seen_subcommand_from demo' -s h -l help -d 'Show this"
                + " help.'",
            "complete -c prescale -n '__fish_seen_subcommand_from replay' -l policies -x -a"
                + " 'reactive mimir crane holt-winters prescale' -d 'Policies to compare (default:"
                + " all): reactive, mimir, crane, holt-winters, prescale.'",
            "complete -c prescale -n '__fish_seen_subcommand_from completion' -x -a 'bash zsh"
                + " fish' -d 'The shell: bash, zsh, fish.'")
        .anyMatch(line -> line.contains("from forecast' -l trace -r -F -d 'CSV"))
        .anyMatch(line -> line.contains("from forecast' -l out -r -F -d 'Writes CSV"))
        .noneMatch(line -> line.contains("HOLT_WINTERS"));
  }

  @ParameterizedTest
  @CsvSource({
    "prescale help pla, place plan",
    "prescale place --policy be, bestfit",
    "prescale completion z, zsh",
    "prescale demo --wor, --workloads",
  })
  void fishCompletes(String typed, String completed) throws IOException, InterruptedException {
    var shell = Path.of("/usr/bin/fish");
    Assumptions.assumeTrue(
        Files.isExecutable(shell), "there is no fish: that its script completes is not shown");
    assertThat(program.run("completion", "fish")).isEqualTo(ExitCode.OK);
    var script = Files.writeString(folder.resolve("prescale.fish"), program.out());
    var ask = "source $argv[1]; complete -C $argv[2]";
    var fish =
        new ProcessBuilder(shell.toString(), "--no-config", "-c", ask, script.toString(), typed)
            .redirectError(Redirect.DISCARD)
            .start();
    var offered = new String(fish.getInputStream().readAllBytes(), UTF_8).lines().toList();
    assertThat(fish.waitFor()).isZero();
    assertThat(offered)
        .extracting(it -> it.split("\t", 2)[0])
        .containsExactlyInAnyOrder(completed.split(" "));
  }

  @Test
  void zshGetsTheSameScriptAndOtherShellsNone() {
    program.run("completion", "zsh");
    var zsh = program.out();
    var again = new TestingSurroundings();
    again.run("completion", "bash");
    assertThat(zsh).isEqualTo(again.out()).contains("bashcompinit");

    var tcsh = new TestingSurroundings();
    assertThat(tcsh.run("completion", "tcsh")).isEqualTo(ExitCode.USAGE);
    assertThat(tcsh.err()).contains("tcsh");
    assertThat(new TestingSurroundings().run("completion")).isEqualTo(ExitCode.USAGE);
  }
}
