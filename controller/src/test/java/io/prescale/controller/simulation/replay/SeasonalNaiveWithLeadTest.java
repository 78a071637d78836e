package io.prescale.controller.simulation.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class SeasonalNaiveWithLeadTest {

  private static final int DAY = 24 * 60;
  private static final int WEEK = 7 * DAY;

  private final SeasonalNaiveWithLead mimir = SeasonalNaiveWithLead.mimir(0.8);
  private final SeasonalNaiveWithLead bare =
      new SeasonalNaiveWithLead(0.8, Duration.ofMinutes(30), Duration.ofMinutes(1));

  @Test
  void aBareOffsetServesOneMinuteOfLastWeekHalfAnHourEarly() {
    double[] observed = flat(WEEK + 100);
    observed[100 + 29] = 8;

    assertThat(bare.next(Views.at(WEEK + 100, observed)).value()).hasValue(8);
    assertThat(bare.next(Views.at(WEEK + 99, observed)).value()).hasValue(1);
    assertThat(mimir.next(Views.at(WEEK + 99, observed)).value()).hasValue(1);
  }

  @Test
  void mimirServesTheHighestOfTheHalfHourThatFollowedAWeekAgo() {
    double[] observed = flat(WEEK + 130);
    observed[100 + 29] = 8;

    assertThat(mimir.next(Views.at(WEEK + 100, observed)).value()).hasValue(8);
    assertThat(mimir.next(Views.at(WEEK + 129, observed)).value()).hasValue(8);
    assertThat(mimir.next(Views.at(WEEK + 130, observed)).value()).hasValue(1);
  }

  @Test
  void neverServesLessThanThereIsNow() {
    double[] observed = flat(WEEK + 100);
    observed[WEEK + 99] = 12;
    observed[100 + 29] = 8;

    assertThat(bare.next(Views.after(observed)).value()).hasValue(12);
  }

  @Test
  void yesterdayStandsInBeforeAWeekHasPassed() {
    double[] observed = flat(WEEK - 1);
    observed[WEEK - 1 - DAY + 29] = 5;

    assertThat(bare.next(Views.after(observed)).value()).hasValue(5);
  }

  @Test
  void onTheFirstDayOnlyThePresentCounts() {
    double[] observed = flat(DAY - 1);
    Arrays.fill(observed, 0, DAY - 2, 100);

    assertThat(mimir.next(Views.after(observed)).value()).hasValue(1);
    assertThat(mimir.next(Views.after()).value()).isEmpty();
  }

  @Test
  void aGapLastWeekLeavesThePresentAndAGapNowLeavesLastWeek() {
    double[] observed = flat(WEEK + 100);
    Arrays.fill(observed, 100, 130, Double.NaN);
    assertThat(mimir.next(Views.after(observed)).value()).hasValue(1);

    double[] outage = flat(WEEK + 100);
    outage[WEEK + 99] = Double.NaN;
    outage[110] = 4;
    assertThat(mimir.next(Views.after(outage)).value()).hasValue(4);
  }

  @Test
  void refusesALookbackBeyondItsLead() {
    assertThatThrownBy(
            () -> new SeasonalNaiveWithLead(1, Duration.ofMinutes(30), Duration.ofMinutes(31)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () -> new SeasonalNaiveWithLead(1, Duration.ofDays(1), Duration.ofMinutes(30)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static double[] flat(int minutes) {
    double[] observed = new double[minutes];
    Arrays.fill(observed, 1);
    return observed;
  }
}
