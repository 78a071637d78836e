package io.prescale.controller.plan;

import static io.prescale.controller.plan.PastWeeksTest.known;
import static io.prescale.controller.plan.PastWeeksTest.weeks;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.prescale.controller.plan.DemandAhead.Bounds;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class WeeksAheadTest {
  private static final int WEEKS = 4;

  private static List<WeekDraws> draws(int past) {
    return WeekDraws.of(1000, WEEKS, past, new SplittableRandom(1));
  }

  /** One scenario for each of four past weeks, as a bootstrap without any correction has them. */
  private static List<WeekDraws> oneOfEach() {
    return IntStream.range(0, 4)
        .mapToObj(week -> new WeekDraws(List.of(week), List.of(0), List.of(0.0), List.of()))
        .toList();
  }

  private static WeeksAhead.Service service(double[] demand, int fewest, int most, double cards) {
    var bounds = List.of(new Bounds(WEEKS * PastWeeks.STEPS, fewest, most));
    return new WeeksAhead.Service(known(demand), bounds, cards);
  }

  /** Four weeks of two replicas; in some of them, ten for a quarter of an hour. */
  private static double[] peaks(int... busy) {
    var demand = weeks(1.9, 1.9, 1.9, 1.9);
    for (int week : busy) {
      demand[week * PastWeeks.STEPS + 100] = 9.9;
    }
    return demand;
  }

  @Test
  void knownGrowthIsKeptAndGrowsWithTheFactor() {
    var service = service(weeks(10, 11, 12.1, 13.31, 14.641), 1, 1000, 2);

    var asIs = WeeksAhead.of(List.of(service), draws(5), 1);
    var more = WeeksAhead.of(List.of(service), draws(5), 1.3);

    // 16.1, 17.7 and 21.4 replicas of two cards; 20.9 and 27.9 with 30 % more.
    assertThat(asIs.inWeek(1, 0.5)).isEqualTo(34);
    assertThat(asIs.inWeek(2, 0.95)).isEqualTo(36);
    assertThat(asIs.inWeek(4, 0.05)).isEqualTo(44);
    assertThat(more.inWeek(1, 0.5)).isEqualTo(42);
    assertThat(more.inWeek(4, 0.5)).isEqualTo(56);
    assertThat(asIs.within(4, 0.5)).isEqualTo(44);
    assertThat(asIs.probabilityAbove(3, 40)).isZero();
    assertThat(asIs.probabilityAbove(4, 40)).isEqualTo(1);
  }

  @Test
  void servicesThatPeakTogetherNeedMoreCardsThanThoseThatTakeTurns() {
    var one = service(peaks(0, 2), 1, 100, 1);

    var together = WeeksAhead.of(List.of(one, one), oneOfEach(), 1);
    var turns = WeeksAhead.of(List.of(one, service(peaks(1, 3), 1, 100, 1)), oneOfEach(), 1);

    assertThat(together.inWeek(1, 0.5)).isEqualTo(4);
    assertThat(together.inWeek(1, 1)).isEqualTo(24);
    assertThat(turns.inWeek(1, 0.25)).isEqualTo(14);
    assertThat(turns.inWeek(1, 1)).isEqualTo(14);
  }

  @Test
  void boundsOfReplicasAreBoundsOfCards() {
    var many = service(weeks(10, 20, 40, 80), 1, 25, 0.5);
    var few = service(weeks(1, 1, 1, 1), 4, 25, 1);

    var ahead = WeeksAhead.of(List.of(many, few), draws(4), 1);

    assertThat(ahead.inWeek(4, 0.99)).isEqualTo(16.5);
    assertThat(ahead.inWeek(1, 0.01)).isEqualTo(16.5);
  }

  @Test
  void uncertaintyGrowsWithDistanceAndReachesBeyondWhatWasSeen() {
    var service = service(weeks(100, 104, 99, 103, 98, 102, 97, 100), 1, 1000, 1);

    var ahead = WeeksAhead.of(List.of(service), draws(8), 1);

    double near = ahead.inWeek(1, 0.95) - ahead.inWeek(1, 0.05);
    double far = ahead.inWeek(4, 0.95) - ahead.inWeek(4, 0.05);
    assertThat(near).isBetween(8.0, 20.0);
    assertThat(far).isBetween(1.5 * near, 3 * near);
    assertThat(ahead.inWeek(1, 0.99)).isGreaterThan(105);
  }

  @Test
  void aServiceWithFewerWeeksThanOthersStillHasItsOwn() {
    var young = service(weeks(10, 10, 10), 1, 100, 1);
    var old = service(weeks(5, 5, 5, 5, 5, 5, 5, 5), 1, 100, 1);

    assertThat(WeeksAhead.of(List.of(young, old), draws(8), 1).within(4, 0.99)).isEqualTo(15);
  }

  @Test
  void whatMakesNoSenseIsRefused() {
    var service = service(weeks(10, 10, 10), 1, 100, 1);
    var few = new WeeksAhead.Service(known(weeks(1, 1, 1)), List.of(new Bounds(671, 1, 9)), 1);

    assertThatThrownBy(() -> WeeksAhead.of(List.of(), draws(3), 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> WeeksAhead.of(List.of(service), List.of(), 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> WeeksAhead.of(List.of(few), draws(3), 1))
        .hasMessage("bounds of 671 of 2688 steps");
    assertThatThrownBy(() -> service(weeks(1, 1, 1), 1, 1, Double.NaN))
        .hasMessage("a replica asks for NaN cards");
    assertThatThrownBy(() -> new WeekDraws(List.of(), List.of(), List.of(), List.of()))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
