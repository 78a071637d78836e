package io.prescale.controller.cli.replay;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.prescale.controller.cli.options.ExitCode;
import io.prescale.controller.cli.terminal.TestingSurroundings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReplayOutputTest {
  @TempDir private Path folder;

  private final TestingSurroundings program = new TestingSurroundings();

  @Test
  void writesTicksAndReportAndPrintsJson() throws IOException {
    var ticks = folder.resolve("ticks.csv");
    var html = folder.resolve("report.html");
    assertThat(replay("--json", "--out", ticks.toString(), "--html", html.toString())).isZero();

    var rows = Files.readAllLines(ticks);
    assertThat(rows.getFirst())
        .isEqualTo("timestamp,observed,served,p50,p90,p95,p99,desired_replicas,ready_replicas");
    assertThat(rows).hasSize(1 + 600);
    assertThat(rows.get(1)).startsWith("1767225600,");
    assertThat(Files.readString(html)).startsWith("<!doctype html>").contains("Prescale");
    var json = new ObjectMapper().readTree(String.join("\n", program.out().lines().toList()));
    assertThat(json.findValuesAsText("policy")).contains("Prescale", "clairvoyant");
  }

  @Test
  void saysOfAMinimumOf0WhatItSavesAndWhatItCosts() throws IOException {
    assertThat(replay("--policies", "reactive", "--min", "0")).isZero();
    assertThat(program.out()).contains("no replica", "first requests", "that waited", "longest");
  }

  @Test
  void saysInGpuHoursWhatAMinimumOf0Saves() throws IOException {
    var load = Files.writeString(folder.resolve("night.csv"), sleepingAfterAnHour());
    var options = "--capacity 10 --skip 0m --policies reactive --min 0 --gpus-per-replica 8";
    var arguments = new ArrayList<>(List.of("replay", "--trace", load.toString()));
    arguments.addAll(List.of(options.split(" ")));
    assertThat(program.run(arguments.toArray(String[]::new))).isZero();
    assertThat(program.out()).contains("GPU-hours").containsPattern("reactive[^\n]* 4 +31 +0 ");
  }

  /** An hour of work, and four of none. */
  private static String sleepingAfterAnHour() {
    var rows = new StringBuilder("timestamp,value\n");
    for (int i = 0; i < 300; i++) {
      rows.append(1_767_225_600L + 60L * i).append(',').append(i < 60 ? 10 : 0).append('\n');
    }
    return rows.toString();
  }

  @Test
  void refusesGpusOfWhatNeverGoesToZero() throws IOException {
    assertThat(replay("--gpus-per-replica", "8")).isEqualTo(ExitCode.USAGE);
    assertThat(program.errLines())
        .contains("--gpus-per-replica is about a minimum of 0; add --min 0.");
    for (var wrong : List.of("0", "-1", "NaN", "10001")) {
      assertThat(replay("--min", "0", "--gpus-per-replica", wrong)).isEqualTo(ExitCode.USAGE);
    }
  }

  @Test
  void saysNothingOfZeroWithAReplicaAtLeast() throws IOException {
    assertThat(replay("--policies", "reactive")).isZero();
    assertThat(program.out()).doesNotContain("that waited");
  }

  @Test
  void refusesAMaximumOf0() throws IOException {
    assertThat(replay("--min", "0", "--max", "0")).isEqualTo(ExitCode.USAGE);
    assertThat(program.errLines()).contains("--max is 0; it must be at least 1.");
  }

  @Test
  void theJsonHasWhatCameOfZero() throws IOException {
    assertThat(replay("--policies", "reactive", "--min", "0", "--json")).isZero();
    var atZero = new ObjectMapper().readTree(program.out()).at("/policies/0/at_zero");
    assertThat(atZero.get("hours").asDouble()).isZero();
    assertThat(atZero.get("first_requests").asInt()).isZero();
  }

  @Test
  void theTicksAreThoseOfPrescaleWhateverTheOrder() throws IOException {
    var first = folder.resolve("first.csv");
    var last = folder.resolve("last.csv");
    assertThat(replay("--policies", "prescale,reactive", "--out", first.toString())).isZero();
    assertThat(replay("--policies", "reactive,prescale", "--out", last.toString())).isZero();
    assertThat(Files.readAllLines(first)).isEqualTo(Files.readAllLines(last));
  }

  @Test
  void refusesAFileThatCannotBeWrittenBeforeAnythingIsRead() {
    var nowhere = folder.resolve("no/such/folder/ticks.csv").toString();
    int exit = program.run("replay", "--trace", "absent.csv", "--capacity", "10", "--out", nowhere);
    assertThat(exit).isNotZero();
    assertThat(String.join(" ", program.errLines())).contains("there is no directory");
  }

  @Test
  void refusesOneFileForTwoContents() throws IOException {
    var file = folder.resolve("both").toString();
    assertThat(replay("--out", file, "--html", file)).isEqualTo(ExitCode.USAGE);
    assertThat(String.join(" ", program.errLines())).contains("name the same file");
    assertThat(Path.of(file)).doesNotExist();
  }

  private int replay(String... options) throws IOException {
    var load = folder.resolve("load.csv");
    var rows = new StringBuilder("timestamp,value\n");
    for (int i = 0; i < 600; i++) {
      rows.append(1_767_225_600L + 60L * i).append(',').append(100 + i % 60).append('\n');
    }
    Files.writeString(load, rows);
    var arguments =
        new ArrayList<>(List.of("replay", "--trace", load.toString(), "--capacity", "10"));
    arguments.addAll(Arrays.asList(options));
    return program.run(arguments.toArray(String[]::new));
  }
}
