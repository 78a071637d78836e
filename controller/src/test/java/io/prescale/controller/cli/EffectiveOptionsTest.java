package io.prescale.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.cli.terminal.TestingSurroundings;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EffectiveOptionsTest {
  private final TestingSurroundings program = new TestingSurroundings();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          replay --demo --since 1d                   | --since    | --prometheus
          replay --demo --header=a:b                 | --header   | --prometheus
          replay --demo --insecure                   | --insecure | --prometheus
          forecast --demo --password-env=P           | --password-env | --prometheus
          forecast --demo --query-step=1m            | --query-step | --prometheus
          forecast --demo --timeout=1s               | --timeout  | --prometheus
          forecast --demo --oauth2-scope=a           | --oauth2-scope | --oauth2-token-url
          forecast --demo --oauth2-token-url=https://a/t | --oauth2-token-url | --prometheus
          preset vllm --window 1h                    | --window   | --capacity
          preset vllm --ca-file=a                    | --ca-file  | --prometheus
          plan --token-file=a                        | --token-file | --prometheus
          place --nodes=n --pods=p --fair            | --fair     | --queues
          controller --ca-file=a                     | --ca-file  | --prometheus
          controller --plan-every=1m                 | --plan-every | --plan
          controller --bookings --buffers-cards=1    | --buffers-cards | --buffers
          extender --token-file=a                    | --token-file | --prometheus
          extender --overcommit-window=1d            | --overcommit-window | --overcommit
          extender --scheduler-lease=a/b --identity=c | --identity | --lease
          extender --moves-notice=1m                 | --moves-notice | --moves
          extender --warm-image=a                    | --warm-image | --warm
          """)
  void anOptionWithoutTheOneThatItNeedsIsRefused(String arguments, String option, String needed) {
    assertRefused(
        arguments,
        "%s has no effect without %s; add it, or remove %s.".formatted(option, needed, option));
  }

  @ParameterizedTest
  @CsvSource({
    "plan --timeout=1s, --timeout, --prometheus or --weeks",
    "plan --node-lead=1h, --node-lead, --growth or --without or --level",
    "place --nodes=n --pods=p --seed=1, --seed, --arrivals or --lifetimes"
  })
  void oneOfSeveralIsEnough(String arguments, String option, String needed) {
    assertRefused(
        arguments,
        "%s has no effect without %s; add one, or remove %s.".formatted(option, needed, option));
  }

  private void assertRefused(String arguments, String sentence) {
    assertThat(program.run(arguments.split(" "))).isEqualTo(2);
    assertThat(program.err()).startsWith(sentence + "\n");
  }

  @Test
  void whatOnlyAClusterOrPrescaleHeedsIsRefusedWithoutThem() {
    assertThat(program.run("place", "--nodes=n", "--pods=p", "--context=c")).isEqualTo(2);
    assertThat(program.run("replay", "--demo", "--policies=reactive", "--budget=1%")).isEqualTo(2);
    assertThat(program.run("preset", "--signal=tokens")).isEqualTo(2);
    assertThat(program.err())
        .contains(
            "--kubeconfig and --context have no effect without --cluster; add it, or remove them.",
            "The options of the accepted risk are Prescale's; add prescale to --policies, or",
            "--model, --namespace, --signal and --capacity apply to one preset; name it");
  }

  /** A file is shared by replicas that are started differently. */
  @Test
  void aPropertyMayBeThereForNothing(@TempDir Path folder) throws Exception {
    var file = Files.writeString(folder.resolve("a.yml"), "prescale.controller.plan-every: 5m");
    program.with("MICRONAUT_CONFIG_FILES", file.toString()).with("PRESCALE_CONTROLLER_TENANT", "a");

    assertThat(program.run("controller", "--kubeconfig=" + folder.resolve("none"))).isEqualTo(4);
    assertThat(program.err()).contains("none: there is no such file.");
  }
}
