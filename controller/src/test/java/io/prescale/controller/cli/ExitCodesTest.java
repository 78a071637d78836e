package io.prescale.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.cli.terminal.TestingSurroundings;
import io.prescale.controller.cluster.Kubeconfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What scripts learn from the exit code; interruptions and closed pipes have tests of their own.
 */
class ExitCodesTest {
  private static final String PROMETHEUS = "--prometheus https://127.0.0.1:1 --query up";

  @TempDir private Path folder;

  private final TestingSurroundings program = new TestingSurroundings();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          0 | crd
          0 | forecast --help
          1 | forecast --demo --out NONE/result.csv
          2 | replay
          2 | replay --no-such-option
          2 | replay --demo --min many
          2 | place --nodes NODES --pods PODS --explain other
          3 | forecast --trace TEXT
          3 | place --nodes TEXT --pods PODS
          4 | forecast --trace NONE
          4 | place --nodes NONE --pods PODS
          4 | place --snapshot TEXT --manifest NONE
          4 | forecast PROMETHEUS
          4 | forecast PROMETHEUS --token-file NONE
          4 | forecast PROMETHEUS --user me --password-file NONE
          4 | forecast PROMETHEUS --ca-file NONE
          4 | check --kubeconfig NONE
          4 | check --kubeconfig KUBECONFIG
          4 | controller --prometheus http://127.0.0.1:1 --token-file NONE
          4 | controller --keda-port 9443 --keda-ca-file NONE
          4 | extender --tls-cert-file NONE --tls-key-file NONE
          4 | demo --port TAKEN
          4 | demo --port 0 --metrics-port TAKEN
          """)
  void eachKindOfFailureHasOne(int code, String arguments) throws IOException {
    var kubeconfig = Kubeconfig.in(folder, "http://127.0.0.1:1");
    var text = Files.writeString(folder.resolve("text"), "hello\n");
    var nodes = "sn,cpu_milli,memory_mib,gpu,model\nn0,64000,262144,2,T4\n";
    var pods = "name,cpu_milli,memory_mib,num_gpu,gpu_milli\np,1,1,1,1000\n";
    try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      var written =
          arguments
              .replace("PROMETHEUS", PROMETHEUS)
              .replace("KUBECONFIG", kubeconfig.toString())
              .replace("NODES", Files.writeString(folder.resolve("nodes"), nodes).toString())
              .replace("PODS", Files.writeString(folder.resolve("pods"), pods).toString())
              .replace("TAKEN", Integer.toString(taken.getLocalPort()))
              .replace("TEXT", text.toString())
              .replace("NONE", folder.resolve("none").toString());

      assertThat(program.run(written.split(" "))).as(program.err()).isEqualTo(code);
      assertThat(program.err()).doesNotContain("This is a bug");
    }
  }

  @Test
  void aFileOfPropertiesIsAFile() {
    program.with("MICRONAUT_CONFIG_FILES", folder.resolve("none.yml").toString());

    assertThat(program.run("demo")).isEqualTo(4);
    assertThat(program.err()).contains("none.yml: there is no such file.");
  }
}
