package io.prescale.controller.cli.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import io.prescale.controller.cli.options.ExitCode;
import io.prescale.controller.cli.terminal.TestingSurroundings;
import io.prescale.controller.cluster.Kubeconfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CheckCommandTest {
  private final TestingSurroundings program = new TestingSurroundings();

  @TempDir private Path folder;
  private @Nullable HttpServer server;

  @AfterEach
  void stop() {
    if (server != null) {
      server.stop(0);
    }
  }

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
        .isEqualTo(ExitCode.UNREACHABLE);
    assertThat(program.err())
        .startsWith("--kubeconfig " + folder.resolve("none") + ": there is no such file.");
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

    for (var command : List.of("check", "explain", "controller", "extender", "plan", "give-back")) {
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

  @ParameterizedTest
  @CsvSource({
    "http://127.0.0.1:1, connection refused",
    "https://nowhere.invalid, unknown host name",
  })
  void saysOnceWhyNoApiServerAnswers(String server, String reason) throws IOException {
    var kubeconfig = kubeconfig(server);

    for (var command : List.of("check", "plan", "give-back")) {
      var again = new TestingSurroundings();
      assertThat(again.run(command, "--kubeconfig=" + kubeconfig)).isEqualTo(ExitCode.UNREACHABLE);
      assertThat(again.errLines())
          .as(command)
          .containsExactly(
              "The API server at %s/ (of %s): %s".formatted(server, kubeconfig, reason));
      assertThat(again.out()).isEmpty();
    }
  }

  @Test
  void saysOfAnotherServerThatItIsNoApiServer() throws IOException {
    var url = serve(_ -> Optional.empty());

    assertThat(program.run("check", "--kubeconfig=" + kubeconfig(url)))
        .isEqualTo(ExitCode.UNREACHABLE);

    assertThat(program.errLines())
        .containsExactly(
            url
                + "/ does not answer /version as a Kubernetes API server does; check the"
                + " kubeconfig.");
  }

  @Test
  void printsItsFindingsAsJson() throws IOException {
    var url =
        serve(
            path ->
                path.equals("/version")
                    ? Optional.of("{\"gitVersion\": \"v1.36.3\"}")
                    : Optional.empty());

    assertThat(program.run("check", "--json", "--kubeconfig=" + kubeconfig(url)))
        .isEqualTo(ExitCode.FAILED);

    var json = new ObjectMapper().readTree(program.out());
    assertThat(json.get("well").asBoolean()).isFalse();
    assertThat(json.get("findings")).hasSize(4);
    assertThat(json.at("/findings/0/subject").asText()).isEqualTo("definition of PredictiveHPA");
    assertThat(json.at("/findings/0/problem").asText()).startsWith("It is not there; apply it: ");
  }

  /** A server that answers with what there is at a path, and else with 404; returns its URL. */
  private String serve(Function<String, Optional<String>> answers) throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          var answer = answers.apply(exchange.getRequestURI().getPath());
          var body = answer.orElse("").getBytes(UTF_8);
          exchange.sendResponseHeaders(
              answer.isPresent() ? 200 : 404, body.length == 0 ? -1 : body.length);
          if (body.length > 0) {
            exchange.getResponseBody().write(body);
          }
          exchange.close();
        });
    server.start();
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  private Path kubeconfig(String server) throws IOException {
    return Kubeconfig.in(folder, server);
  }
}
