package io.prescale.forecasting.online;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RefitScheduleTest {
  private static final int FOUR_HOURS = 240;

  @Test
  void comesAfterAnHourThenAsHistoryGrowsThenEveryFourHours() {
    assertThat(refits(new RefitSchedule(FOUR_HOURS), 2000, 1))
        .startsWith(60, 120, 180, 270, 405, 608)
        .endsWith(1808);
    List<Integer> refits = refits(new RefitSchedule(FOUR_HOURS), 3000, 1);
    for (int i = 6; i < refits.size(); i++) {
      assertThat(refits.get(i) - refits.get(i - 1)).isEqualTo(FOUR_HOURS);
    }
  }

  @Test
  void neverWithoutAnHourOfHistory() {
    var schedule = new RefitSchedule(1);
    for (int i = 0; i < 59; i++) {
      schedule.step(1e9);
      assertThat(schedule.due(i + 1)).isFalse();
    }
  }

  @Test
  void comesEarlyWhenErrorsGrow() {
    var schedule = new RefitSchedule(10_000);
    int known = 5000;
    refits(schedule, known, 1);
    schedule.started();
    int waited = 0;
    while (!schedule.due(known)) {
      schedule.step(20);
      waited++;
    }
    assertThat(waited).isBetween(30, 120);
  }

  @Test
  void staysCalmWhenErrorsDouble() {
    var schedule = new RefitSchedule(10_000);
    refits(schedule, 5000, 1);
    schedule.started();
    for (int i = 0; i < 1000; i++) {
      schedule.step(i % 3 == 0 ? Double.NaN : 2);
      assertThat(schedule.due(5000)).isFalse();
    }
  }

  private static List<Integer> refits(RefitSchedule schedule, int steps, double loss) {
    var refits = new ArrayList<Integer>();
    for (int i = 1; i <= steps; i++) {
      schedule.step(loss);
      if (schedule.due(i)) {
        refits.add(i);
        schedule.started();
      }
    }
    return refits;
  }
}
