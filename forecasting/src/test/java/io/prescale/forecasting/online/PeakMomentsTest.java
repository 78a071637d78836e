package io.prescale.forecasting.online;

import static io.prescale.forecasting.SyntheticSeries.DAY;
import static io.prescale.forecasting.SyntheticSeries.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.prescale.forecasting.EventCalendar;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PeakMomentsTest {
  private static final PeakSettings SETTINGS = TestingSettings.refittedEvery(Duration.ofHours(24));

  @Test
  void aShortHistoryIsLearnedWhole() {
    assertThat(moments(3)).containsExactly(IntStream.range(0, 3 * DAY).toArray());
  }

  @Test
  void ofALongOneTheMinutesBeforeAMorningAreLearnedMoreThanThoseOfANight() {
    int[] moments = moments(14);

    assertThat(moments).hasSize(7000);
    assertThat(share(moments, minute -> minute >= 535 && minute < 540)).isGreaterThan(0.9);
    assertThat(share(moments, minute -> minute < 300)).isCloseTo(0.3, within(0.03));
  }

  /** Demand of whole numbers, such as running requests, moves equally far again and again. */
  @Test
  void ofEqualMovesTheNewestAreLearnedAfterAllThatAreLarger() {
    double[] moves = {2, 9, 2, 0, 2, 9, 2, 0};

    assertThat(PeakMoments.largest(moves, 4)).containsExactly(1, 4, 5, 6);
    assertThat(PeakMoments.largest(moves, 2)).containsExactly(1, 5);
    assertThat(PeakMoments.largest(moves, 7)).containsExactly(0, 1, 2, 4, 5, 6);
  }

  @Test
  void aMorningThatBeginsInAMinuteIsForecastBeforeItDoes() {
    double[] values = Mornings.values(16, Mornings.RAMP);
    var run = PeakRun.of(SETTINGS, START, values);

    int nine = 15 * DAY + 9 * 60;
    assertThat(highest(values, nine - 5)).isCloseTo(33, within(3.0));
    assertThat(run.after(nine - 5).orElseThrow().quantile(0.5)).isCloseTo(33, within(4.0));
    assertThat(highest(values, nine)).isCloseTo(46, within(3.0));
    assertThat(run.after(nine).orElseThrow().quantile(0.5)).isGreaterThan(32);
  }

  /** In the window from five to ten minutes after so many are known. */
  private static double highest(double[] values, int known) {
    return Arrays.stream(values, known + 5, known + 10).max().orElseThrow();
  }

  private static int[] moments(int days) {
    var history =
        new DemandHistory(
            START, Duration.ofMinutes(1), ZoneOffset.UTC, EventCalendar.empty(), 28 * DAY);
    for (double value : Mornings.values(days, Mornings.RAMP)) {
      history.add(value);
    }
    return PeakMoments.of(history, new PeakFeatures(history, 5, 5, new int[0]), 0, days * DAY, 1);
  }

  /** Of the minutes of working days after the first week, the share that is learned. */
  private static double share(int[] moments, IntPredicate minuteOfTheDay) {
    var learned = Arrays.stream(moments).boxed().toList();
    int[] all =
        IntStream.range(8 * DAY, 13 * DAY).filter(i -> minuteOfTheDay.test(i % DAY)).toArray();
    return Arrays.stream(all).filter(learned::contains).count() / (double) all.length;
  }
}
