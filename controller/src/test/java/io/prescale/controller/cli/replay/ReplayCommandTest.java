package io.prescale.controller.cli.replay;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.prescale.controller.cli.terminal.TestingSurroundings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReplayCommandTest {
  private static final long START = 1_767_225_600; // 2026-01-01T00:00:00Z

  @TempDir private Path folder;

  private final TestingSurroundings program = new TestingSurroundings();

  @ParameterizedTest
  @ValueSource(strings = {"--capacity", "--capacity --json"})
  void aCapacityWithoutAValueLeadsToMeasuringItToo(String options) {
    var arguments = new ArrayList<>(List.of("replay", "--trace", "load.csv"));
    arguments.addAll(List.of(options.split(" ")));

    assertThat(program.run(arguments.toArray(String[]::new))).isEqualTo(2);

    assertThat(program.err())
        .startsWith("--capacity has no value: the demand that one ready replica can carry")
        .contains("prescale preset vllm --capacity --prometheus URL proposes it")
        .contains("--capacity p99.9/24");
  }

  @Test
  void comparesPoliciesOnATrace() throws IOException {
    assertThat(replay(steps(600), "--capacity", "10", "--policies", "reactive,mimir")).isZero();
    assertThat(program.out().lines())
        .containsExactly(
            "Scored: 300 minutes (5 h) from 2026-01-01T05:00:00Z.",
            "Demand: mean 140, peak 200; one replica carries 10 after a cold start of 5 min.",
            "",
            "              overload  unserved  replica     cost  scaled  reversed   P90   P95",
            "                % time    % load    hours  × ideal   a day     a day  held  held",
            "reactive HPA      4.00      2.00       92     1.28      29        24     –     –",
            "Mimir's rule      4.00      2.00       92     1.28      29        24     –     –",
            "clairvoyant       0.00      0.00       72     1.00      19        14     –     –");
    assertThat(program.errLines())
        .containsExactly(
            "load.csv: 600 samples from 2026-01-01T00:00:00Z to 2026-01-01T10:00:00Z, on a 1 min"
                + " grid.",
            "A history of 10 h shows no daily pattern: what the coming hours bring is unknown, and"
                + " forecasts of them are wide.");
  }

  @Test
  void readsStandardInputAndKeepsQuiet() {
    program.withInput(steps(600));

    assertThat(
            program.run(
                "replay", "--trace", "-", "--capacity", "10", "--policies", "reactive", "--quiet"))
        .isZero();
    assertThat(program.out()).contains("reactive HPA", "clairvoyant");
    assertThat(program.err()).isEmpty();
  }

  @Test
  void takesTheCapacityFromThePercentileOfTheTrace() throws IOException {
    assertThat(replay(steps(600), "--capacity", "p100/20", "--policies", "reactive")).isZero();
    assertThat(program.out()).contains("one replica carries 10 after");
  }

  @Test
  void obeysSkipMinimumAndMaximum() throws IOException {
    assertThat(
            replay(
                steps(600),
                "--capacity",
                "10",
                "--policies",
                "reactive",
                "--skip",
                "9h",
                "--min",
                "7",
                "--max",
                "7"))
        .isZero();
    assertThat(program.out()).contains("Scored: 60 minutes (1 h)", "reactive HPA").contains("  7 ");
  }

  @Test
  void concludesWhatPrescaleWouldHaveChanged() throws IOException {
    assertThat(replay(steps(4320), "--capacity", "10", "--policies", "reactive,prescale")).isZero();
    assertThat(program.out().replace("\n", " "))
        .contains("Prescale would have been short of capacity for ")
        .contains(" of the time instead of 5 % ")
        .contains(" the budget of 0.5 %), with ")
        .containsPattern(
            "scaled \\d+ times a day and reversed \\d+ times, the reactive HPA \\d+ and \\d+");
  }

  @Test
  void givesNoVerdictOnLessThanThreeDays() throws IOException {
    assertThat(replay(steps(600), "--capacity", "10", "--policies", "reactive,prescale")).isZero();
    assertThat(program.out().replace("\n", " "))
        .contains("No verdict: the load was observed for 10 h, and a verdict takes")
        .doesNotContain("Prescale would have been");
  }

  @Test
  void writesTicksAndReportAndNothingElse() throws IOException {
    var ticks = folder.resolve("ticks.csv");
    var report = folder.resolve("report.html");

    assertThat(
            replay(
                steps(600),
                "--capacity",
                "10",
                "--policies",
                "reactive",
                "--out",
                ticks.toString(),
                "--html",
                report.toString()))
        .isZero();
    assertThat(Files.readAllLines(ticks))
        .hasSize(601)
        .startsWith(
            "timestamp,observed,served,p50,p90,p95,p99,desired_replicas,ready_replicas",
            "1767225600,200.0,,,,,,1,1",
            "1767225660,200.0,200.0,,,,,25,1");
    assertThat(report).content().startsWith("<!doctype html>").contains("load.csv");
    try (var files = Files.list(folder)) {
      assertThat(files).hasSize(3);
    }
  }

  @Test
  void printsJsonAndNothingElse() throws IOException {
    assertThat(
            replay(steps(600), "--capacity", "10", "--policies", "reactive", "--json", "--quiet"))
        .isZero();
    var json = new ObjectMapper().readTree(program.out());

    assertThat(json.path("format").textValue()).isEqualTo("prescale-replay");
    assertThat(json.at("/trace/name").textValue()).isEqualTo("load.csv");
    assertThat(json.at("/trace/source").textValue()).isEqualTo("" + folder.resolve("load.csv"));
    assertThat(json.at("/policies/0/overloaded_share").doubleValue()).isEqualTo(0.04);
    assertThat(program.err()).isEmpty();
  }

  @Test
  void refusesEarlyToWriteWhereItCannot() throws IOException {
    var file = folder.resolve("absent/ticks.csv");

    assertThat(replay("timestamp,value\n", "--capacity", "10", "--out", file.toString()))
        .isEqualTo(1);
    assertThat(program.errLines())
        .containsExactly(
            "%s: there is no directory %s; create it first.".formatted(file, file.getParent()));
  }

  @Test
  void explainsTheCapacityWhenItIsMissing() throws IOException {
    assertThat(replay(steps(600))).isEqualTo(2);
    assertThat(program.err())
        .startsWith("--capacity is missing: the demand that one ready replica can carry")
        .contains("--capacity p99.9/24", "prescale preset vllm --capacity --prometheus URL")
        .endsWith("Try 'prescale replay --help'.\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --capacity 10 --budget 1% --shortage-cost 20 | --budget and --shortage-cost both state the accepted risk; choose one.
          --capacity 10 --budget 60%                   | --budget: budget must be above 0 and at most 50 % of the time: 60.0 %
          --capacity 10 --shortage-cost 0.5            | --shortage-cost: shortage cost must be above 1 and at most 1000000 idle replicas: 0.5
          --capacity 10 --target 0%                    | --target must be above 0%.
          --capacity 10 --tolerance 100%               | --tolerance must be below 100%.
          --capacity 10 --min 5 --max 4                | --max, 4, is below --min, 5; raise it or lower --min.
          --capacity 10 --exclude 2026-01-01/1h=2      | an excluded window cannot have a factor, because nothing is learned from it: "2026-01-01/1h=2"
          --capacity 10 --event 2026-01-02/2026-01-01  | event "2026-01-02/2026-01-01" must start before it ends: it starts at 2026-01-02T00:00:00Z and ends at 2026-01-01T00:00:00Z
          --capacity 10 --min -1                       | --min is -1; it must be at least 0.
          --capacity 10 --min 0 --risk-at-zero 0%      | --risk-at-zero must be above 0% and at most 50%.
          --capacity 10 --min ten                      | Invalid value for option '--min': "ten" is not a whole number
          --capacity 10 --shortage-cost much           | Invalid value for option '--shortage-cost': "much" is not a number
          --capacity 10 --cold-start 400d              | --cold-start is 400 days; it must be at most 1 day.
          --capacity 10 --cold-start p50=9m,p90=4m     | Invalid value for option '--cold-start': the p90 of the cold start is below its p50
          --capacity ten                               | Invalid value for option '--capacity': "ten" is not a capacity; write a number in the unit of the trace, such as 50, or a percentile of the trace divided by a number of replicas, such as p99.9/24
          --capacity 10 --cold-start 5                 | Invalid value for option '--cold-start': "5" is not a cold start; write a duration such as 5m, a range such as 2m..8m, or percentiles such as p50=4m,p90=9m
          --capacity 10 --policies best                | Invalid value for option '--policies' (NAME): there is no policy "best"; choose from reactive, mimir, crane, holt-winters, prescale
          --capacity 10 --zone Atlantis                | Invalid value for option '--zone': "Atlantis" is no time zone; write one such as Europe/Berlin, +02:00 or UTC
          --capacity 10 --policies crane,crane         | --policies names a policy twice; name each once.
          --capacity 10 --out x --html ./x             | --out and --html name the same file; choose two.
          --capacity 10 --demo                         | --trace, --demo and --prometheus exclude each other; choose one.
          --capacity 0.0001                            | With a capacity of 0.0001, the highest load would need 2,000,000 replicas (200); a cluster has at most 150,000 pods. Give --capacity in the unit of the load.
          --capacity 10 --query up                     | --query has no effect without --prometheus; add it, or remove --query.
          """)
  void refusesOptionsThatMakeNoSense(String options, String message) throws IOException {
    assertThat(replay(steps(600), options.split(" "))).isEqualTo(2);
    assertThat(program.errLines())
        .contains(message)
        .last()
        .isEqualTo("Try 'prescale replay --help'.");
    assertThat(program.out()).isEmpty();
  }

  @Test
  void refusesTwoAnswersBeforeItReadsTheLoad() throws IOException {
    var load = "timestamp,value\n0,much\n";
    assertThat(replay(load, "--capacity", "10", "--budget", "1%", "--shortage-cost", "20"))
        .isEqualTo(2);
    assertThat(program.errLines().getFirst()).startsWith("--budget and --shortage-cost");
  }

  @Test
  void wantsToKnowWhichLoad() {
    assertThat(program.run("replay", "--capacity", "10")).isEqualTo(2);
    assertThat(program.errLines().getFirst())
        .isEqualTo(
            "No load is given; name a file with --trace or a server with --prometheus, or use"
                + " --demo.");
  }

  @Test
  void reportsProblemsOfTheTrace() throws IOException {
    assertThat(replay("timestamp,value\n0,1\n60,x\n", "--capacity", "10")).isEqualTo(3);
    assertThat(program.errLines())
        .containsExactly(
            folder.resolve("load.csv")
                + ", line 3: column value: \"x\" is not a number; write one such as 12.5, or leave"
                + " the field empty if the value is missing.");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          'timestamp,value\n0,1\n1e9,1\n1000000060,2\n1000000120,3\n' | need 16666670 steps of 60 s, more than the limit of 2000000
          'timestamp,value\n0,1\n3600,1\n'    | has one sample every 1 h, but a replay needs one at least every 15 min
          'timestamp,value\n0,1\n60,1\n'      | The load covers 2 min
          'timestamp,value\n0,\n60,NaN\n'     | none of 2 samples has a value.
          """)
  void refusesTracesThatItCannotReplay(String csv, String message) throws IOException {
    assertThat(replay(csv.translateEscapes(), "--capacity", "10", "--policies", "reactive"))
        .isEqualTo(3);
    assertThat(program.err()).contains(message);
    assertThat(program.out()).isEmpty();
  }

  @Test
  void refusesAConstantZeroOnlyWhereItNeedsItsPercentile() throws IOException {
    var zeros = "timestamp,value\n" + rows(600, i -> 0);

    assertThat(replay(zeros, "--capacity", "p99/3", "--policies", "reactive")).isEqualTo(2);
    assertThat(program.err())
        .contains("The percentile of this load is 0, and --capacity must be above 0");
    assertThat(replay(zeros, "--capacity", "3", "--policies", "reactive")).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"absent.csv", "."})
  void saysThatTheTraceCannotBeReached(String name) {
    var file = folder.resolve(name);

    assertThat(program.run("replay", "--trace", file.toString(), "--capacity", "10")).isEqualTo(4);
    assertThat(program.err()).startsWith(file + ": ");
  }

  private int replay(String csv, String... options) throws IOException {
    var file = Files.writeString(folder.resolve("load.csv"), csv);
    var args = new ArrayList<>(List.of("replay", "--trace", file.toString()));
    args.addAll(List.of(options));
    return program.run(args.toArray(String[]::new));
  }

  /** An hour of 200, then an hour of 100, and so on. */
  private static String steps(int minutes) {
    return "timestamp,value\n" + rows(minutes, i -> i / 60 % 2 == 0 ? 200 : 100);
  }

  private static String rows(int minutes, IntToDoubleFunction value) {
    return IntStream.range(0, minutes)
        .mapToObj(i -> START + 60L * i + "," + value.applyAsDouble(i))
        .collect(Collectors.joining("\n"));
  }
}
