package io.prescale.controller.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.cli.terminal.TestingSurroundings;
import io.prescale.controller.cluster.Kubeconfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a user gets to read who mistypes something; what it does is tested in the laboratory. */
class ControllerCommandTest {
  @TempDir private Path folder;

  private final TestingSurroundings program = new TestingSurroundings();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--promethus=http://x | Did you mean --prometheus?",
        "--prometheus=nonsense | --prometheus: The URL nonsense is not the URL of a server",
        "--allow-prometheus=http://x | http://x names no servers; write a host, host:port",
        "--enforce-namespace | --enforce-namespace needs --prometheus, the URL of the",
        "--port=99999 | --port is 99999; it must be from 1 to 65535.",
        "--service-port=0 | --service-port is 0; it must be from 1 to 65535.",
        "--metrics-port=70000 | --metrics-port is 70000; it must be from 0 to 65535.",
        "--namespace=Team_A | --namespace is \"Team_A\"; write lower-case letters",
        "--lease-namespace= | --lease-namespace is \"\"; write lower-case letters",
        "--review-ttl=10m | --review-ttl is 10 min; it must be from 0 s to 5 min.",
        "--plan --plan-every=0s | --plan-every is 0 s; it must be at least 1 s.",
        "--bookings --bookings-every=10ms | --bookings-every is 10 ms; it must be at least 1 s.",
        "--bookings --buffers --buffers-cards=-1 | --buffers-cards is -1; it must be at least 0.",
        "--shortest-step=0s | --shortest-step must be longer than 0s.",
        "--objects-per-namespace=0 | --objects-per-namespace is 0; it must be at least 1.",
        "--pass-through=verifed | --pass-through: there is no mode \"verifed\"; choose from none,"
            + " verified, unverified. Did you mean verified?",
        "--identity= | identity must be given",
        "--service=prescale | write NAMESPACE/NAME, such as prescale/prescale.",
        "--tls-cert-file=x.pem | --tls-cert-file and --tls-key-file belong together; give both.",
        "--keda-port=70000 | --keda-port is 70000; it must be from 0 to 65535.",
        "--keda-port=9443 | --keda-port needs --keda-ca-file: KEDA is known by its client",
        "--keda-ca-file=ca.crt | --keda-ca-file needs --keda-port.",
      })
  void saysWhatIsWrongWithAnOption(String options, String sentence) {
    var arguments = Stream.concat(Stream.of("controller"), Stream.of(options.split(" (?=--)")));
    assertThat(program.run(arguments.toArray(String[]::new))).isEqualTo(2);
    assertThat(program.err())
        .contains(sentence)
        .endsWith("Try 'prescale controller --help'.%n".formatted());
  }

  @Test
  void aFileWithoutACertificateIsNoCaOfKedas() throws Exception {
    var empty = Files.writeString(folder.resolve("ca.crt"), "");

    assertThat(program.run("controller", "--keda-port=9443", "--keda-ca-file=" + empty))
        .isEqualTo(2);
    assertThat(program.err())
        .contains("there is no CA certificate to know KEDA's operator by; give one in PEM");
    assertThat(program.run("controller", "--keda-port=9443", "--keda-ca-file=" + folder))
        .isEqualTo(4);
    assertThat(program.err()).contains("--keda-ca-file " + folder + ": Is a directory.");
  }

  @Test
  void refusesAContextThatTheKubeconfigDoesNotHave() throws Exception {
    assertThat(program.run("controller", "--kubeconfig=" + kubeconfig(), "--context=nope"))
        .isEqualTo(4);
    assertThat(program.err()).contains(" has no context nope, only here.");
  }

  @Test
  void saysThatNobodyAnswers() throws Exception {
    assertThat(program.run("controller", "--kubeconfig=" + kubeconfig())).isEqualTo(4);
    assertThat(program.err())
        .startsWith("The API server at http://127.0.0.1:1/ (of ")
        .doesNotContain("should not happen");
  }

  private Path kubeconfig() throws Exception {
    return Kubeconfig.in(folder, "http://127.0.0.1:1");
  }
}
