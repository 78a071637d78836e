package io.prescale.controller.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.prescale.controller.cli.options.ExitCode;
import io.prescale.controller.cli.terminal.TestingSurroundings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
            "The kubeconfig cannot be used: there is none ($KUBECONFIG, ~/.kube/config), and this"
                + " is not a pod; give --kubeconfig FILE.");
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
