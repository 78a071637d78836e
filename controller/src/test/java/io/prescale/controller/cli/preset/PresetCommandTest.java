package io.prescale.controller.cli.preset;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.prescale.controller.cli.terminal.TestingSurroundings;
import io.prescale.controller.demand.prometheus.RealPrometheus;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PresetCommandTest {
  /** The program's clock stands half a minute later. */
  private static final Instant END = Instant.parse("2026-01-17T00:00:00Z");

  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path folder;

  private final TestingSurroundings program = new TestingSurroundings();

  @Test
  void listsAllPresets() {
    assertThat(program.run("preset")).isZero();
    assertThat(program.out().lines().map(line -> line.split(" ", 2)[0]))
        .containsExactly("vllm", "triton", "tgi", "sglang", "nim", "dcgm", "llm-d", "http-add-on");
  }

  @Test
  void listsThemForPrograms() throws Exception {
    assertThat(program.run("preset", "--json")).isZero();
    assertThat(JSON.readTree(program.out()).at("/presets/5/name").asText()).isEqualTo("dcgm");
  }

  @Test
  void printsTheQueryFirstAndThenWhatToKnow() {
    assertThat(program.run("preset", "vllm", "--model", "org/m", "--namespace", "team")).isZero();
    assertThat(program.out().lines())
        .startsWith(
            "sum({__name__=~\"vllm:num_requests_(running|waiting)\",model_name=\"org/m\",namespace=\"team\"})",
            "")
        .contains("Unit of target.averageValue: requests carried by one replica.", "Pitfalls:")
        .anyMatch(line -> line.startsWith("Measures: running and waiting requests"))
        .anyMatch(line -> line.startsWith("- The pattern matches exactly these two metrics:"));
  }

  @Test
  void printsOneForPrograms() throws Exception {
    assertThat(program.run("preset", "tgi", "--signal", "tokens", "--json")).isZero();
    var preset = JSON.readTree(program.out());
    assertThat(preset.get("query").asText())
        .isEqualTo(
            "sum(rate(tgi_request_generated_tokens_sum[5m])) *"
                + " sum({__name__=~\"tgi_(queue_size|batch_current_size)\"}) /"
                + " clamp_min(sum(tgi_batch_current_size),1)");
    assertThat(preset.get("unit").asText()).isEqualTo("tokens/s");
    assertThat(preset.get("traps")).hasSize(5);
  }

  @Test
  void proposesACapacityWithItsEvidence() throws Exception {
    try (var prometheus = RealPrometheus.start(folder, history())) {
      var url = prometheus.url().toString();
      String[] ask = {"preset", "vllm", "--capacity", "--prometheus", url, "--window", "2h"};

      assertThat(program.run(with(ask, "--model", "busy"))).isZero();
      assertThat(program.out())
          .isEqualTo(
              """
              One replica seems to carry 123.5 requests; confidence: medium.
              In the last 2 h, work queued at 1 replica for 1 h in total; while full, they
              carried 123.5 to 123.5.
              This is what full replicas carried. If full replicas respond too slowly for you,
              choose a lower value.

                  target:
                    averageValue: "123"
              """);

      var json = new TestingSurroundings();
      assertThat(json.run(with(ask, "--model", "calm", "--json"))).isZero();
      var proposal = JSON.readTree(json.out());
      assertThat(proposal.get("average_value").isNull()).isTrue();
      assertThat(proposal.get("confidence").asText()).isEqualTo("none");
      assertThat(proposal.get("most_seen").asDouble()).isEqualTo(17);

      var calm = new TestingSurroundings();
      assertThat(calm.run(with(ask, "--model", "calm"))).isZero();
      assertThat(calm.out())
          .startsWith("No proposal: no replica was full in the last 2 h. The most that a replica");

      var absent = new TestingSurroundings();
      assertThat(absent.run(with(ask, "--model", "absent"))).isEqualTo(3);
      assertThat(absent.errLines())
          .containsExactly(
              "Prometheus has no series of the preset vllm for this model and namespace; check"
                  + " the query with: prescale preset vllm.");
    }
  }

  @Test
  void saysThatTheServerCannotBeReached() {
    assertThat(
            program.run(
                "preset",
                "vllm",
                "--capacity",
                "--prometheus",
                "http://127.0.0.1:1",
                "--timeout",
                "1s"))
        .isEqualTo(4);
    assertThat(program.errLines().getLast()).contains("http://127.0.0.1:1");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "vlm | there is no preset \"vlm\"; choose from vllm, triton, tgi, sglang, nim, dcgm, llm-d,"
            + " http-add-on. Did you mean vllm?",
        "llamacpp | there is no preset \"llamacpp\"; choose from vllm, triton, tgi, sglang, nim,"
            + " dcgm, llm-d, http-add-on",
        "vllm --signal rps | there is no signal \"rps\"; choose from requests, tokens",
        "--model m | name it, as in: prescale preset vllm.",
        "--capacity | name it, as in: prescale preset vllm.",
        "vllm --capacity | --capacity needs --prometheus",
        "vllm --prometheus http://p | --prometheus is used only with --capacity",
        "dcgm --capacity --prometheus http://p | measure the capacity with a load test.",
        "dcgm --signal tokens | The preset dcgm has no --signal tokens; leave it out.",
        "vllm --namespace= | The namespace must have 1 to 253 characters; it has 0.",
        "vllm --capacity --prometheus p | --prometheus: The URL p is not the URL of a server; write"
            + " one such as http://localhost:9090",
        "vllm --capacity --prometheus http://p --window 10s | --window, --resolution: the"
            + " resolution is 1 min; it must be at least 1 s and at most the window, 10 s",
      })
  void refusesOptionsThatMakeNoSense(String options, String complaint) {
    assertThat(
            program.run(
                Stream.concat(Stream.of("preset"), Stream.of(options.split(" ")))
                    .toArray(String[]::new)))
        .isEqualTo(2);
    assertThat(program.err()).contains(complaint);
    assertThat(program.out()).isEmpty();
  }

  private static String[] with(String[] options, String... more) {
    return Stream.concat(Stream.of(options), Stream.of(more)).toArray(String[]::new);
  }

  /** Two hours: one model whose replica is full in the first hour, and one that is never full. */
  private static Stream<String> history() {
    return Stream.of(
            Stream.of("# TYPE vllm:num_requests_running gauge"),
            lines("running", "busy", 123.5, 20),
            lines("running", "calm", 17, 17),
            Stream.of("# TYPE vllm:num_requests_waiting gauge"),
            lines("waiting", "busy", 4, 0),
            lines("waiting", "calm", 0, 0))
        .flatMap(lines -> lines);
  }

  private static Stream<String> lines(String metric, String model, double first, double second) {
    return IntStream.rangeClosed(1, 120)
        .mapToObj(
            minute ->
                "vllm:num_requests_%s{model_name=\"%s\",pod=\"a\"} %s %d"
                    .formatted(
                        metric,
                        model,
                        minute <= 60 ? first : second,
                        END.minus(Duration.ofMinutes(120 - minute)).getEpochSecond()));
  }
}
