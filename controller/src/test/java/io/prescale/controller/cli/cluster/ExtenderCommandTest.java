package io.prescale.controller.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.cli.terminal.TestingSurroundings;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a user gets to read who mistypes an option; what it does is tested in the laboratory. */
class ExtenderCommandTest {
  private final TestingSurroundings program = new TestingSurroundings();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--topology-levels=a b | --topology-levels: \"a b\" is not the key of a label; list keys,"
            + " the largest level first, such as example.com/block,example.com/rack.",
        "--topology-levels= | --topology-levels: \"\" is not the key of a label",
        "--topology-levels=zone,rack,zone | --topology-levels: two levels have one name in",
        "--queues=slurm | --queues is \"slurm\"; write prescale, kueue, kai or volcano",
        "--queues= | --queues is \"\"; write prescale",
        "--candidates=11 | 11 candidates; give 1 to 10",
        "--lease=here | --lease is \"here\"; write NAMESPACE/NAME",
      })
  void saysWhatIsWrongWithAnOption(String option, String sentence) {
    assertThat(program.run("extender", option)).isEqualTo(2);
    assertThat(program.err())
        .contains(sentence)
        .endsWith("Try 'prescale extender --help'.%n".formatted());
  }
}
