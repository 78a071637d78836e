package io.prescale.controller.cli.replay;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.prescale.controller.cli.terminal.TestingSurroundings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Schedules and several loads in a replay of ten hours, of which the last five are scored. */
class ReplayOptionsTest {
  private static final long START = Instant.parse("2026-01-01T00:00:00Z").getEpochSecond();
  private static final int WEEK = 7 * 24 * 60;

  @TempDir private Path folder;
  private final TestingSurroundings program = new TestingSurroundings();

  /**
   * Between 10 and some 20 replicas without it; a floor of 60 from 06:00 to 08:00 adds 2 h of 45.
   */
  @Test
  void aScheduleRaisesPrescalesReplicasOnly() throws IOException {
    assertThat(replay(program)).isZero();
    var scheduled = new TestingSurroundings();
    assertThat(replay(scheduled, "--schedule", "start=0 6 * * *; end=0 8 * * *; min=60")).isZero();

    assertThat(hours(scheduled, "reactive HPA")).isEqualTo(hours(program, "reactive HPA"));
    assertThat(hours(scheduled, "Prescale") - hours(program, "Prescale")).isBetween(80.0, 110.0);
  }

  @Test
  void whoGivesNothingIsToldOfLoadsAndOfTheCapacity() {
    assertThat(program.run("replay")).isEqualTo(2);

    assertThat(program.errLines().getFirst())
        .contains("No load is given", "--trace", "--prometheus", "--demo");
    assertThat(program.errLines().get(1)).startsWith("--capacity is missing: ");
  }

  /** The second load needs half as many replicas again in every other hour. */
  @Test
  void severalLoadsAreReplayedTogetherInReplicas() throws IOException {
    var tokens = trace("tokens.csv", i -> i / 60 % 2 == 0 ? 15_000 : 1000);

    assertThat(replay(program, "--also", tokens + "=500")).isZero();

    assertThat(program.out())
        .contains("Demand: mean 18, peak 30; one replica carries 1 after a cold start of 5 min.");
    assertThat(program.err())
        .contains("tokens.csv: 600 samples", "Demand is given in replicas: that of the load");
  }

  @Test
  void saysWhereASecondLoadEndsEarly() throws IOException {
    var tokens = trace("tokens.csv", 0, 480, i -> 1000 + i % 2);

    assertThat(replay(program, "--also", tokens + "=500")).isZero();

    assertThat(program.err().replace("\n", " "))
        .contains(
            "tokens.csv covers 2026-01-01T00:00:00Z to 2026-01-01T08:00:00Z, the first load"
                + " 2026-01-01T00:00:00Z to 2026-01-01T10:00:00Z: where one of them is missing,"
                + " only the other counts.");
  }

  @Test
  void refusesASecondLoadThatEndsBeforeTheScoredPart() throws IOException {
    var tokens = trace("tokens.csv", 0, 240, i -> 1000 + i % 2);

    assertThat(replay(program, "--also", tokens + "=500")).isEqualTo(3);

    assertThat(program.err())
        .contains(
            "tokens.csv covers only 0.0 % of the time that is scored; give loads of the same");
  }

  @Test
  void saysWhatHasNoEffect() throws IOException {
    assertThat(
            replay(program, "--exclude", "2025-12-31T22:00/1h", "--event", "2026-01-01T09:59/1h"))
        .isZero();
    assertThat(program.err().replace("\n", " "))
        .contains(
            "--exclude 2025-12-31T22:00/1h has no effect: it lies outside 2026-01-01T00:00:00Z to"
                + " 2026-01-01T10:00:00Z.")
        .doesNotContain("--event 2026-01-01T09:59/1h has no effect");

    var arguments = "replay --demo --policies reactive --schedule start=@hourly;end=@daily;min=3";
    assertThat(program.run(arguments.split(" "))).isEqualTo(2);
    assertThat(program.err()).contains("--schedule is Prescale's; add prescale to --policies.");
  }

  @Test
  void asksAboutAnHourUnlikeThatOfAllOtherDays() throws IOException {
    int outage = 4 * 24 + 10;
    var days = trace("days.csv", 0, 10 * 24 * 60, i -> i / 60 == outage ? 0 : 100 + i / 60 % 24);
    var arguments = "replay --capacity 10 --policies reactive --trace " + days;
    var known = new TestingSurroundings();
    var outageAsked = "2026-01-05T10:00:00Z/2026-01-05T11:00:00Z";

    assertThat(program.run(arguments.split(" "))).isZero();
    assertThat(known.run((arguments + " --exclude " + outageAsked).split(" "))).isZero();

    assertThat(program.err().replace("\n", " "))
        .contains(
            "From 2026-01-05T10:00:00Z to 2026-01-05T11:00:00Z demand was 0.00 times what is usual",
            "exclude it: --exclude " + outageAsked);
    assertThat(known.err()).doesNotContain("what is usual");
  }

  @Test
  void doubtsACapacityOfWhichTheHighestLoadIsATrifle() throws IOException {
    assertThat(replay(program, "--capacity", "1e6")).isZero();

    assertThat(program.err().replace("\n", " "))
        .contains(
            "The highest load is 0.02 % of what one replica carries, 1,000,000: is --capacity");
  }

  @Test
  void saysWhatKeepingToTheBudgetWouldCost() throws IOException {
    var days = trace("days.csv", 0, 3 * 24 * 60, i -> i / 60 % 2 == 0 ? 200 : 100);
    var arguments =
        "replay --capacity 10 --policies prescale --budget-curve --budget 0.01% --trace ";

    assertThat(program.run((arguments + days).split(" "))).isZero();

    assertThat(program.out())
        .contains("Prescale ", "cost limit 1 ", "cost limit 4 ", "cost limit 32 ")
        .doesNotContain("cost limit 2 ");
    var text = program.out().replace("\n", " ").strip();
    assertThat(text)
        .containsPattern("cost limit (that keeps|up to 32 keeps) to the budget of 0.01 %");

    var page = folder.resolve("report.html");
    var reporting = new TestingSurroundings();
    assertThat(reporting.run((arguments + days + " --json --html " + page).split(" "))).isZero();
    var sentence = new ObjectMapper().readTree(reporting.out()).get("budget_curve").asText();
    assertThat(text).endsWith(sentence);
    assertThat(Files.readString(page)).contains("<li>" + sentence.replace("'", "&#39;") + "</li>");
  }

  @Test
  void borrowsFromWhatWasKnownOfRelatives() throws IOException {
    var relative = trace("relative.csv", -WEEK, WEEK, i -> i / 60 % 2 == 0 ? 9 : 4.5);
    var longer =
        trace("longer.csv", -WEEK, WEEK + 600, i -> i >= WEEK ? 1e6 : i / 60 % 2 == 0 ? 9 : 4.5);

    var alone = decisions("alone.csv");
    var borrowing = decisions("borrowing.csv", "--relatives", relative.toString());

    assertThat(program.err()).contains("relative.csv: 10,080 samples");
    assertThat(borrowing).as("forecasts of the first hour").isNotEqualTo(alone);
    assertThat(decisions("longer-out.csv", "--relatives", longer.toString()))
        .as("what came later was not known")
        .isEqualTo(borrowing);
  }

  @Test
  void learnsFromALeadingSeries() throws IOException {
    var gateway = trace("gateway.csv", -15, 615, i -> i / 60 % 2 == 0 ? 600 : 300);

    var led = decisions("led.csv", "--leading", gateway.toString());

    assertThat(program.err()).contains("gateway.csv: 615 samples");
    assertThat(led).isNotEqualTo(decisions("not-led.csv"));
  }

  @Test
  void aLeadingSeriesIsOfTheSameTimeAndOfASingleLoad() throws IOException {
    var before = trace("before.csv", -1440, 1440, _ -> 1).toString();
    assertThat(replay(program, "--leading", before)).isNotZero();
    assertThat(program.err().replace("\n", " "))
        .contains("before.csv, from 2025-12-31T00:00:00Z to 2026-01-01T00:00:00Z, says nothing");
    assertThat(replay(program, "--leading", before, "--also", before + "=5")).isNotZero();
    assertThat(program.err()).contains("--leading and --also exclude each other");
    var five = Collections.nCopies(5, "--leading=" + before).toArray(String[]::new);
    assertThat(replay(program, five)).isNotZero();
    assertThat(program.err()).contains("--leading is given 5 times; give at most 4.");
  }

  private String decisions(String file, String... options) throws IOException {
    var out = folder.resolve(file);
    var all = new ArrayList<>(List.of(options));
    all.addAll(List.of("--out", out.toString()));
    assertThat(replay(program, all.toArray(String[]::new))).isZero();
    return Files.readString(out);
  }

  @Test
  void aRelativeTakesAWeek() throws IOException {
    var day = trace("day.csv", -1440, 2 * WEEK, _ -> 1);
    assertThat(replay(program, "--relatives", day.toString())).isNotZero();
    assertThat(program.err())
        .contains("day.csv is no relative to borrow from: that takes a week of demand before");
  }

  @Test
  void relativesAreForASingleLoad() throws IOException {
    var other = trace("other.csv", i -> 5 + i % 2).toString();
    assertThat(replay(program, "--relatives", other, "--also", other + "=5")).isNotZero();
    assertThat(program.err()).contains("--relatives and --also exclude each other");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --schedule | start=@hourly;end=@daily        | schedule start=@hourly;end=@daily has neither a minimum nor a maximum of replicas
          --schedule | start=@hourly;end=@never;min=3  | "@never" is no cron expression
          --schedule | start=@hourly;end=@daily;min=-3 | min of the schedule is "-3"; write a number of replicas, such as 10
          --schedule | start=@hourly;end=@daily;min=3;zone=Mars | "Mars" is no time zone
          --schedule | min=3                           | "min=3" has no start or no end; write 'start=0 8 * * 1-5; end=0 20 * * 1-5; min=10'
          --schedule | hello                           | "hello" is no schedule; write
          --schedule | start=@hourly;end=@daily;min=3;max=2 | its minimum (3) must be at least 1, and its maximum (2) not below it
          --risk-at-zero | 10%                          | --risk-at-zero is about a minimum of 0; add --min 0.
          --start-cost | 61                             | --start-cost: start cost must be from 0 to 60 replica-minutes: 61.0
          --cost-limit | 101                            | --cost-limit: cost limit must be from 1 to 100: 101.0
          --skip     | 400d                            | --skip is 400 days, and the load covers only
          --also     | tokens.csv                      | "tokens.csv" is no load with a capacity
          --also     | tokens.csv=0                    | "tokens.csv=0" is no load with a capacity
          --also     | tokens.csv=NaN                  | "tokens.csv=NaN" is no load with a capacity
          --also     | nowhere.csv=5                   | nowhere.csv
          --relatives | nowhere.csv                    | nowhere.csv
          --leading  | nowhere.csv                     | nowhere.csv
          """)
  void refusesWhatMakesNoSense(String option, String value, String message) throws IOException {
    assertThat(replay(program, option, value)).isNotZero();
    assertThat(program.err()).contains(message);
  }

  private int replay(TestingSurroundings to, String... options) throws IOException {
    var load = trace("load.csv", i -> i / 60 % 2 == 0 ? 200 : 100);
    var arguments =
        new ArrayList<>(List.of("replay", "--trace", load.toString(), "--capacity", "10"));
    arguments.addAll(List.of("--policies", "reactive,prescale"));
    arguments.addAll(List.of(options));
    return to.run(arguments.toArray(String[]::new));
  }

  private Path trace(String name, IntToDoubleFunction value) throws IOException {
    return trace(name, 0, 600, value);
  }

  /**
   * A trace by the minute.
   *
   * @param first its first minute; 0 is that of the replayed load
   */
  private Path trace(String name, int first, int minutes, IntToDoubleFunction value)
      throws IOException {
    var rows =
        IntStream.range(0, minutes)
            .mapToObj(i -> START + 60L * (first + i) + "," + value.applyAsDouble(i))
            .collect(Collectors.joining("\n"));
    return Files.writeString(folder.resolve(name), "timestamp,value\n" + rows);
  }

  /** The replica-hours in the row of a policy. */
  private static double hours(TestingSurroundings program, String policy) {
    var row = program.out().lines().filter(it -> it.startsWith(policy)).findFirst().orElseThrow();
    var columns = row.substring(policy.length()).strip().split(" +", -1);
    return Double.parseDouble(columns[2].replace(",", ""));
  }
}
