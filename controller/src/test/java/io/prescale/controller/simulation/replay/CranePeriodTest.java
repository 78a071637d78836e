package io.prescale.controller.simulation.replay;

import static io.prescale.controller.simulation.replay.Demands.DAY;
import static io.prescale.controller.simulation.replay.Demands.WEEK;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CranePeriodTest {

  @ParameterizedTest
  @ValueSource(ints = {3, 5, 13, 14, 15})
  void findsADay(int days) {
    assertThat(CranePeriod.of(Demands.wave(days * DAY, DAY, 1))).isEqualTo(DAY);
  }

  @Test
  void findsAWeekInTwoWeeksWhenDaysDiffer() {
    double[] signal =
        Demands.of(
            2 * WEEK,
            i -> {
              boolean weekend = i % WEEK >= 5 * DAY;
              return 100 + (weekend ? 5 : 50) * Math.sin(2 * Math.PI * i / DAY);
            });

    assertThat(CranePeriod.of(signal)).isEqualTo(WEEK);
  }

  @Test
  void findsThePeriodsThatCraneThenIgnores() {
    assertThat(CranePeriod.of(Demands.wave(4 * DAY, DAY / 2, 1))).isEqualTo(DAY / 2);
    assertThat(CranePeriod.of(Demands.wave(4 * DAY, 60, 1))).isEqualTo(60);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void findsNoneInNoise(long seed) {
    assertThat(CranePeriod.of(Demands.noise(7 * DAY, seed))).isEqualTo(CranePeriod.NONE);
  }

  @Test
  void findsNoneWhereThereIsNothingToFind() {
    assertThat(CranePeriod.of(new double[0])).isEqualTo(CranePeriod.NONE);
    assertThat(CranePeriod.of(Demands.wave(2 * DAY - 1, DAY, 1))).isEqualTo(CranePeriod.NONE);
    assertThat(CranePeriod.of(Demands.of(3 * DAY, i -> 7))).isEqualTo(CranePeriod.NONE);
  }
}
