package io.prescale.controller.plan;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.prescale.controller.plan.PastWeeks.Known;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PastWeeksTest {
  private static final WeekDraws FIRST =
      new WeekDraws(List.of(0), List.of(0), List.of(0.0), List.of());

  /** Weeks of an even demand, the newest last. */
  static double[] weeks(double... levels) {
    return Arrays.stream(levels)
        .flatMap(
            level -> {
              var week = new double[PastWeeks.STEPS];
              Arrays.fill(week, level);
              return Arrays.stream(week);
            })
        .toArray();
  }

  static PastWeeks known(double[] demand) {
    return ((Known.Enough) PastWeeks.of(demand)).weeks();
  }

  @Test
  void aSteadyGrowthGoesOn() {
    var past = known(weeks(100, 110, 121, 133.1));

    assertThat(past.level()).isEqualTo(133.1);
    assertThat(Math.exp(past.growth(FIRST, 0))).isBetween(1.0999, 1.1001);
  }

  /** 5 %, -5 %, 5 % …: the mean of five changes, 1 %, is 0.4 of its standard error. */
  @Test
  void aGrowthThatMayBeChanceIsMostlyLeftOut() {
    var past = known(weeks(100, 105, 100, 105, 100, 105));
    var growths =
        List.of(0, 1, 2, 3, 4).stream()
            .mapToDouble(
                k -> past.growth(new WeekDraws(List.of(0), List.of(k), List.of(0.0), List.of()), 0))
            .summaryStatistics();

    assertThat(growths.getAverage()).isBetween(0.0013, 0.0015);
    assertThat(growths.getMax()).as("0.039 above the mean, of few").isBetween(0.044, 0.046);
  }

  @Test
  void widthOfFewWeeksIsStudents() {
    var draws = WeekDraws.of(10_000, 1, 8, new SplittableRandom(3));

    var widths = draws.stream().mapToDouble(it -> it.width(8)).sorted().toArray();
    var ofThree = draws.stream().mapToDouble(it -> it.width(3)).sorted().toArray();

    // The root of 7 / 6.35 and of 7 / 2.17; of 2 / 1.39 and of 2 / 0.103, which is more than 3.
    assertThat(widths[5_000]).isBetween(1.04, 1.06);
    assertThat(widths[9_500]).isBetween(1.74, 1.86);
    assertThat(ofThree[5_000]).isBetween(1.18, 1.22);
    assertThat(ofThree[9_500]).isEqualTo(3);
    assertThat(draws.getFirst().width(1)).isEqualTo(1);
  }

  @Test
  void gapsAreFilledFromTheSameStepsOfOtherWeeks() {
    var demand = weeks(10, 10, 10);
    for (int week = 0; week < 3; week++) {
      demand[week * PastWeeks.STEPS + 5] = 30;
    }
    demand[2 * PastWeeks.STEPS + 5] = Double.NaN;

    var profile = known(demand).profile(FIRST, 0);

    assertThat(profile[5] / profile[4]).isBetween(2.99, 3.01);
  }

  @Test
  void aWeekOfWhichATenthIsUnknownIsLeftOut() {
    var demand = weeks(10, 20, 40, 80);
    Arrays.fill(demand, PastWeeks.STEPS, PastWeeks.STEPS + 70, Double.NaN);

    assertThat(known(demand).count()).isEqualTo(3);
    Arrays.fill(demand, 0, 70, Double.NaN);
    assertThat(PastWeeks.of(demand))
        .isInstanceOfSatisfying(
            Known.Assumed.class,
            it -> {
              assertThat(it.sentence())
                  .isEqualTo(
                      "2 whole weeks of demand are known and 3 are needed; its highest, of 80.0"
                          + " replicas, is assumed at all times.");
              assertThat(it.weeks().level()).isEqualTo(80);
              assertThat(it.weeks().growth(FIRST, 0)).isZero();
              assertThat(it.weeks().stretch(FIRST, 0)).isEqualTo(1);
            });
  }

  /** Of eight weeks it knows the newest three, each of which is drawn as often. */
  @Test
  void aServiceWithFewerWeeksDrawsEachOfItsOwnAsOften() {
    var demand = weeks(10, 10, 10);
    for (int week = 0; week < 3; week++) {
      demand[week * PastWeeks.STEPS] = 20 + week;
    }
    var past = known(demand);

    var drawn =
        WeekDraws.of(9000, 1, 8, new SplittableRandom(5)).stream()
            .collect(groupingBy(it -> past.profile(it, 0)[0], counting()));

    assertThat(drawn.values()).hasSize(3).allSatisfy(it -> assertThat(it).isBetween(2850L, 3150L));
  }

  /** Its busy week stays the one that was busy for others, and its growth is that of two weeks. */
  @Test
  void aWeekThatIsUnknownShiftsNoOther() {
    var demand = weeks(10, 20, 40, 40);
    demand[0] = 500; // the oldest of four, three weeks back
    Arrays.fill(demand, PastWeeks.STEPS, 2 * PastWeeks.STEPS, Double.NaN);
    var past = known(demand);

    var oldest = new WeekDraws(List.of(3), List.of(1), List.of(0.0), List.of());
    assertThat(past.profile(oldest, 0)[0]).isGreaterThan(20);
    var newest = new WeekDraws(List.of(0), List.of(0), List.of(0.0), List.of());
    double mean = (past.growth(oldest, 0) + past.growth(newest, 0)) / 2;
    assertThat(past.growth(oldest, 0) - mean)
        .as("about half of ln 4 a week, less the mean, of few")
        .isBetween(0.3, 0.6);
  }

  @Test
  void oneWeekIsNotEnough() {
    assertThat(PastWeeks.of(weeks(7)))
        .isInstanceOfSatisfying(
            Known.Assumed.class,
            it -> assertThat(it.sentence()).startsWith("1 whole week of demand is known and 3 "));
  }

  @Test
  void whatIsNoDemandIsUnknown() {
    for (double wrong : new double[] {Double.NaN, -1, Double.POSITIVE_INFINITY}) {
      assertThat(PastWeeks.of(weeks(wrong, wrong, wrong)))
          .isEqualTo(new Known.Nothing("no demand is known."));
    }
    assertThatThrownBy(() -> PastWeeks.of(new double[0]))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> PastWeeks.of(new double[671]))
        .hasMessage("671 steps are no whole weeks");
  }

  @Test
  void demandThatHasGoneMayComeBackAndHugeDemandIsNotBelieved() {
    var gone = known(weeks(50, 50, 0));
    assertThat(gone.level()).isEqualTo(5);
    assertThat(known(weeks(0, 0, 0)).growth(FIRST, 0)).isZero();
    assertThat(known(weeks(1e300, 1e300, 1e300)).level()).isBetween(0.99e9, 1.01e9);
  }
}
