package io.prescale.controller.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.prescale.controller.lab.DailyLoad.Rise;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DailyLoadTest {
  private static final Instant DAWN = Instant.parse("2026-11-21T12:00:00Z");
  private static final Duration DAY = Duration.ofMinutes(10);
  private static final DailyLoad LOAD = new DailyLoad(1, DAWN, DAY, 200);

  @Test
  void isTheSameWheneverItIsAsked() {
    var again = new DailyLoad(1, DAWN, DAY, 200);
    for (int second = -4000; second < 4000; second += 7) {
      assertThat(again.at(DAWN.plusSeconds(second))).isEqualTo(LOAD.at(DAWN.plusSeconds(second)));
    }
  }

  @Test
  void holdsEachValueForOneStep() {
    var step = DAWN.plusSeconds(200);
    assertThat(LOAD.at(step.plusMillis(4999))).isEqualTo(LOAD.at(step));
    assertThat(LOAD.at(step.plusMillis(5000))).isNotEqualTo(LOAD.at(step));
  }

  @Test
  void hasADayBeforeAndAfterDawn() {
    for (int day = -20; day < 20; day++) {
      var dawn = DAWN.plus(DAY.multipliedBy(day));
      assertThat(mean(dawn.plusSeconds(5), 20)).as("night %s", day).isBetween(20.0, 62.0);
      assertThat(mean(dawn.plusSeconds(400), 20)).as("afternoon %s", day).isBetween(180.0, 245.0);
    }
  }

  @Test
  void noTwoDaysAreAlike() {
    long afternoons =
        IntStream.range(0, 20)
            .mapToObj(day -> mean(DAWN.plus(DAY.multipliedBy(day)).plusSeconds(400), 20))
            .distinct()
            .count();
    assertThat(afternoons).isEqualTo(20);
  }

  @Test
  void anotherSeedIsAnotherLoadOfTheSameShape() {
    var other = new DailyLoad(2, DAWN, DAY, 200);
    assertThat(other.at(DAWN)).isNotEqualTo(LOAD.at(DAWN)).isCloseTo(LOAD.at(DAWN), within(10.0));
  }

  @Test
  void tellsWhenTheNextMorningRises() {
    var morning = new Rise(DAWN.plusSeconds(150), DAWN.plusSeconds(198));
    assertThat(LOAD.nextMorning(DAWN)).isEqualTo(morning);
    assertThat(LOAD.nextMorning(morning.begins())).isEqualTo(morning);
    assertThat(LOAD.nextMorning(morning.begins().plusMillis(1)).begins())
        .isEqualTo(morning.begins().plus(DAY));
    assertThat(LOAD.nextMorning(DAWN.minusSeconds(451)).begins())
        .isEqualTo(morning.begins().minus(DAY));
    assertThat(LOAD.at(morning.ends())).isGreaterThan(4 * LOAD.at(morning.begins()));
  }

  @Test
  void refusesADayOfHalfStepsAndAPeakOfNothing() {
    assertThatThrownBy(() -> new DailyLoad(1, DAWN, Duration.ofSeconds(12), 1))
        .hasMessage("a day must have whole steps of PT5S: PT12S");
    assertThatThrownBy(() -> new DailyLoad(1, DAWN, Duration.ZERO, 1))
        .hasMessageStartingWith("a day must");
    assertThatThrownBy(() -> new DailyLoad(1, DAWN, DAY, Double.NaN))
        .hasMessage("the peak must be positive: NaN");
  }

  private static double mean(Instant from, int seconds) {
    return IntStream.range(0, seconds)
        .mapToDouble(second -> LOAD.at(from.plusSeconds(second)))
        .average()
        .orElseThrow();
  }
}
