package io.prescale.controller.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.cli.terminal.TestingSurroundings;
import java.util.stream.Stream;
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
        "--queues=slurm | --queues: there is no system \"slurm\"; choose from prescale, kueue, kai,"
            + " volcano",
        "--queues=kueu | Did you mean kueue?",
        "--queues= | --queues: there is no system \"\"; choose from prescale",
        "--candidates=11 | --candidates is 11; it must be from 1 to 10.",
        "--port=99999 | --port is 99999; it must be from 0 to 65535.",
        "--metrics-port=99999 | --metrics-port is 99999; it must be from 0 to 65535.",
        "--metrics-port=8888 | --port and --metrics-port are both 8888; give different ones.",
        "--longest-hand-over=0s | --longest-hand-over must be longer than 0s.",
        "--moves=on | --moves: there is no mode \"on\"; choose from off, advise, act",
        "--moves=advice | Did you mean advise?",
        "--moves=Act --moves-interval=0s | --moves-interval must be longer than 0s.",
        "--moves=act --moves-per-hour=-1 | --moves-per-hour is -1; it must be at least 0.",
        "--warm=yes | --warm: there is no mode \"yes\"; choose from off, on",
        "--warm=On | --warm=On needs --warm-image; add it.",
        "--warm=On --warm-image=a --warm-at-once=0 | --warm-at-once is 0; it must be at least 1.",
        "--warm=On --warm-image=a --warm-ahead=2h | --warm-ahead is 2 h; it must be from 0 s to 1"
            + " h.",
        "--warm=On --warm-image=a --warm-patience=30s | --warm-patience is 30 s; it must be from"
            + " 1 min to 1 h.",
        "--prometheus=http://p --exporters-selector=job=dcgm | --exporters-selector: \"job=dcgm\""
            + " is not a list of label matchers of at most 1,000 characters; write label=\"value\""
            + " with =, !=, =~ or !~, several with commas, such as"
            + " namespace=\"gpu-operator\",job=~\"dcgm.*\"",
        "--prometheus=http://p --exporters-selector=job=\"x\"} or up{a=\"b\" |"
            + " --exporters-selector: \"job=\"x\"} or up{a=\"b\"\" is not a list",
        "--exporters-selector=job=\"x\" | --exporters-selector has no effect without --prometheus;"
            + " add it, or remove --exporters-selector.",
        "--lease=here | --lease is \"here\"; write NAMESPACE/NAME",
      })
  void saysWhatIsWrongWithAnOption(String options, String sentence) {
    var arguments = Stream.concat(Stream.of("extender"), Stream.of(options.split(" (?=--)")));
    assertThat(program.run(arguments.toArray(String[]::new))).isEqualTo(2);
    assertThat(program.err())
        .contains(sentence)
        .endsWith("Try 'prescale extender --help'.%n".formatted());
  }
}
