package io.prescale.controller.cli.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.prescale.controller.input.History;
import io.prescale.forecasting.Sample;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class GriddedHistoryTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  @Test
  void reportsCorrections() throws Exception {
    var samples = new ArrayList<>(history(60, 1, 2, 3, -4, Double.NaN, 6).samples());
    samples.add(new Sample(START, 7));
    var gridded =
        GriddedHistory.byTheMinute(
            new History("load.csv", "/data/load.csv", samples, List.of("The server warns: x")));

    assertThat(gridded.series().toArray()).containsExactly(7, 2, 3, Double.NaN, Double.NaN, 6);
    assertThat(gridded.notes())
        .containsExactly(
            "load.csv: 7 samples from 2026-01-01T00:00:00Z to 2026-01-01T00:06:00Z, on a 1 min"
                + " grid.",
            "A history of 6 min shows no daily pattern: what the coming hours bring is unknown, and"
                + " forecasts of them are wide.",
            "2 steps have no value and are treated as gaps.",
            "1 sample was out of order and has been sorted.",
            "1 sample repeats a timestamp; the last one is used.",
            "1 sample is empty, NaN or infinite and is treated as missing.",
            "1 sample is negative and is treated as missing.",
            "The server warns: x");
  }

  @Test
  void oneSampleIsOne() throws Exception {
    assertThat(GriddedHistory.byTheMinute(history(60, 5)).notes().getFirst())
        .contains(": 1 sample from");
    assertThatThrownBy(() -> GriddedHistory.byTheMinute(history(60, Double.NaN)))
        .hasMessageEndingWith(": its only sample has no value.");
  }

  @Test
  void takesTheMeanOfSeveralSamplesAMinute() throws Exception {
    var gridded = GriddedHistory.byTheMinute(history(15, 1, 2, 3, 6, 10, 10, 10, 10));

    assertThat(gridded.series().toArray()).containsExactly(3, 10);
    assertThat(gridded.notes()).contains("Samples are 15 s apart; averaged over steps of 1 min.");
  }

  @Test
  void lostSamplesAreNotAveraged() throws Exception {
    var gridded = GriddedHistory.of(at(0, 60, 120, 240, 300, 360, 480, 540, 600, 720));

    assertThat(gridded.notes()).noneMatch(note -> note.contains("averaged"));
  }

  @Test
  void statesTheGridOfIrregularSamples() throws Exception {
    assertThat(GriddedHistory.of(at(0, 13, 30, 44, 61, 76, 90)).notes())
        .contains("Samples are 13–17 s apart; averaged over steps of 1 min.");

    var rare = GriddedHistory.byTheMinute(at(0, 80, 180, 275, 385, 470, 575, 660));
    assertThat(rare.notes()).contains("Samples are 80–110 s apart; averaged over steps of 2 min.");

    var varied = GriddedHistory.of(at(0, 100, 280, 400, 580, 700));
    assertThat(varied.notes())
        .contains("Samples are 1 min 40 s to 3 min apart; averaged over steps of 3 min.");
  }

  @Test
  void irregularSamplesLeaveNoStepEmpty() throws Exception {
    var random = new Random(7);
    var seconds = new int[1000];
    for (int i = 1; i < seconds.length; i++) {
      seconds[i] = seconds[i - 1] + 35 + random.nextInt(51);
    }
    var gridded = GriddedHistory.of(at(seconds));

    assertThat(gridded.series().step()).isEqualTo(Duration.ofMinutes(2));
    assertThat(gridded.series().presentCount()).isEqualTo(gridded.series().size());
    assertThat(gridded.notes())
        .anyMatch(note -> note.startsWith("Samples are ") && note.endsWith(" steps of 2 min."));
  }

  @Test
  void anOutageMakesNoGridCoarser() throws Exception {
    var seconds =
        IntStream.range(0, 1000)
            .filter(i -> i < 300 || i >= 500)
            .map(i -> 60 * i + i % 2)
            .toArray();
    var gridded = GriddedHistory.of(at(seconds));

    assertThat(gridded.series().step()).isEqualTo(Duration.ofMinutes(1));
    assertThat(gridded.notes()).noneMatch(note -> note.contains("far from the others"));
  }

  @Test
  void namesASampleWhoseYearIsWrong() throws Exception {
    var seconds = IntStream.range(0, 500).map(i -> 60 * i).toArray();
    var samples = new ArrayList<>(at(seconds).samples());
    samples.add(new Sample(Instant.parse("2027-01-01T00:00:00Z"), 1));
    var sentence =
        "The sample at 2027-01-01T00:00:00Z lies far from the others, which are from"
            + " 2026-01-01T00:00:00Z to 2026-01-01T08:19:00Z; if that time is wrong, correct it or"
            + " remove the row.";

    var gridded = GriddedHistory.of(new History("load.csv", "load.csv", samples, List.of()));
    assertThat(gridded.notes())
        .contains(sentence)
        .anyMatch(it -> it.startsWith("A history of 8 h 21 min shows no daily pattern"));

    samples.add(new Sample(Instant.parse("2062-01-01T00:00:00Z"), 1));
    samples.remove(500);
    assertThatThrownBy(
            () -> GriddedHistory.of(new History("load.csv", "load.csv", samples, List.of())))
        .isInstanceOf(UnusableTraceException.class)
        .hasMessage("load.csv: " + sentence.replace("2027", "2062"));
  }

  @Test
  void saysNothingAboutSamplesThatJitterOrAreLost() throws Exception {
    var samples = new ArrayList<Sample>();
    for (int i = 0; i < 100; i++) {
      if (i % 20 != 7) {
        samples.add(new Sample(START.plusMillis(60_000L * i + 300L * (i % 2)), 1));
      }
    }
    assertThat(GriddedHistory.of(new History("load.csv", "load.csv", samples, List.of())).notes())
        .noneMatch(note -> note.contains("apart"));
  }

  @Test
  void repeatsSamplesThatComeEveryFiveMinutes() throws Exception {
    var gridded = GriddedHistory.byTheMinute(history(300, 1, 2));

    assertThat(gridded.series().step()).isEqualTo(Duration.ofMinutes(1));
    assertThat(gridded.series().toArray()).containsExactly(1, 1, 1, 1, 1, 2, 2, 2, 2, 2);
    assertThat(gridded.notes())
        .endsWith(
            "A replay runs in steps of a minute: each sample applies for 5 min, starting when its"
                + " step is complete.");
  }

  @Test
  void aRareSampleIsNotKnownBeforeItsStepIsOver() throws Exception {
    var gridded = GriddedHistory.byTheMinute(history(300, 1, 2, 3));

    // The step from 0:05 on is over at 0:10, and so is the minute from 0:09 on.
    var ninth = Instant.parse("2026-01-01T00:09:00Z");
    assertThat(gridded.series().indexOf(ninth)).isEqualTo(5);
    assertThat(gridded.series().value(5)).isEqualTo(2);
    assertThat(gridded.series().value(4)).isEqualTo(1);
    assertThat(gridded.series().start()).isEqualTo(Instant.parse("2026-01-01T00:04:00Z"));
  }

  @Test
  void keepsLongStepsForAForecast() throws Exception {
    assertThat(GriddedHistory.of(history(3600, 1, 2)).series().step())
        .isEqualTo(Duration.ofHours(1));
  }

  @Test
  void refusesToReplaySamplesThatAreTooRare() {
    assertThatThrownBy(() -> GriddedHistory.byTheMinute(history(3600, 1, 2)))
        .isInstanceOf(UnusableTraceException.class)
        .hasMessage(
            "load.csv: has one sample every 1 h, but a replay needs one at least every 15"
                + " min; export it with a step of 1 min.");
  }

  @Test
  void refusesAHistoryWithoutValues() {
    assertThatThrownBy(() -> GriddedHistory.of(history(60, Double.NaN, -1)))
        .isInstanceOf(UnusableTraceException.class)
        .hasMessage("load.csv: none of 2 samples has a value.");
  }

  @Test
  void saysThatASeriesIsNegativeOrZeroThroughout() throws Exception {
    assertThatThrownBy(() -> GriddedHistory.of(history(60, -1, -1, -2)))
        .hasMessage(
            "load.csv: all of 3 samples are negative, and demand never is; check the query or the"
                + " column.");
    assertThat(GriddedHistory.of(history(60, 0, 0, 0)).notes())
        .last()
        .isEqualTo(
            "The demand is 0 in all samples; check the query or the column, because its figures"
                + " mean nothing.");
    assertThat(GriddedHistory.of(history(60, 0, 1, 0)).notes())
        .noneMatch(note -> note.contains("0 in all"));
  }

  private static History at(int... seconds) {
    var samples =
        Arrays.stream(seconds)
            .mapToObj(second -> new Sample(START.plusSeconds(second), 1))
            .toList();
    return new History("load.csv", "/data/load.csv", samples, List.of());
  }

  private static History history(int stepSeconds, double... values) {
    var samples = new ArrayList<Sample>();
    for (int i = 0; i < values.length; i++) {
      samples.add(new Sample(START.plusSeconds((long) i * stepSeconds), values[i]));
    }
    return new History("load.csv", "/data/load.csv", samples, List.of());
  }
}
