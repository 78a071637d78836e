package io.prescale.controller.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.prescale.controller.cli.options.ExitCode;
import io.prescale.controller.cli.terminal.TestingSurroundings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CheckCommandTest {
  private final TestingSurroundings program = new TestingSurroundings();

  @TempDir private Path folder;

  @Test
  void saysWhatToGiveWhereThereIsNoKubeconfig() {
    var before = System.setProperty("kubeconfig", folder.resolve("none").toString());
    try {
      assertThat(program.run("check")).isEqualTo(ExitCode.UNREACHABLE);
    } finally {
      if (before == null) {
        System.clearProperty("kubeconfig");
      } else {
        System.setProperty("kubeconfig", before);
      }
    }
    assertThat(program.err())
        .contains(
            "There is no kubeconfig ($KUBECONFIG, ~/.kube/config), and this is not a pod; give"
                + " --kubeconfig FILE.");
  }

  @Test
  void refusesAServiceWithoutANamespace() {
    assertThat(program.run("check", "--service=prescale")).isEqualTo(ExitCode.USAGE);
    assertThat(program.err())
        .contains("--service is \"prescale\"; write NAMESPACE/NAME, such as prescale/prescale.");
  }

  @Test
  void refusesAKubeconfigThatIsNotThere() {
    assertThat(program.run("check", "--kubeconfig=" + folder.resolve("none")))
        .isEqualTo(ExitCode.USAGE);
    assertThat(program.err()).contains("--kubeconfig: there is no file ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "password: hunter2\n- broken: [\n",
        "{\"apiVersion\": \"v1\", \"token\": \"hunter2\"",
        "token hunter2 of the payment service\n",
        "timestamp,value\n1767225600,50.00\nhunter2,1\n",
        "- hunter2\n- hunter2\n",
        "password: hunter2\n",
        "users: [{name: me, user: {token: hunter2}}]\ncontexts: hunter2\n",
        "\0\1hunter2",
        "",
      })
  void saysOfAFileThatIsNoKubeconfigOnlyItsName(String content) throws IOException {
    var file = Files.writeString(folder.resolve("secret.txt"), content);

    for (var command : List.of("check", "explain", "controller", "extender")) {
      var again = new TestingSurroundings();
      var arguments = new ArrayList<>(List.of(command, "--kubeconfig=" + file));
      arguments.addAll(
          switch (command) {
            case "explain" -> List.of("team-a/chat");
            case "controller" -> List.of("--prometheus=http://127.0.0.1:1");
            default -> List.of();
          });

      assertThat(again.run(arguments.toArray(String[]::new))).isEqualTo(ExitCode.UNREACHABLE);

      assertThat(again.errLines())
          .as(command)
          .containsExactly(
              file
                  + " is not a kubeconfig; give one that 'kubectl config view' can read, with"
                  + " --kubeconfig.");
      assertThat(again.out()).isEmpty();
    }
  }

  @Test
  void everythingFailsWhereNoApiServerAnswers() throws IOException {
    var kubeconfig =
        Files.writeString(
            folder.resolve("kubeconfig"),
            """
            apiVersion: v1
            kind: Config
            current-context: nobody
            contexts: [{name: nobody, context: {cluster: nobody, user: nobody}}]
            clusters: [{name: nobody, cluster: {server: "http://127.0.0.1:1"}}]
            users: [{name: nobody, user: {}}]
            """);

    assertThat(program.run("check", "--kubeconfig=" + kubeconfig)).isEqualTo(ExitCode.FAILED);
    assertThat(program.out().lines())
        .hasSize(4)
        .allSatisfy(line -> assertThat(line).matches("fails {2}[a-zA-Z ]+: The API server: .+"));

    var scripted = new TestingSurroundings();
    assertThat(scripted.run("check", "--json", "--kubeconfig=" + kubeconfig))
        .isEqualTo(ExitCode.FAILED);
    var json = new ObjectMapper().readTree(scripted.out());
    assertThat(json.get("well").asBoolean()).isFalse();
    assertThat(json.get("findings")).hasSize(4);
    assertThat(json.at("/findings/0/subject").asText()).isEqualTo("definition of PredictiveHPA");
    assertThat(json.at("/findings/0/problem").asText()).startsWith("The API server: ");
  }
}
