package io.prescale.forecasting.online;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RefitScheduleTest {
  private static final Duration FOUR_HOURS = Duration.ofHours(4);
  private static final Duration WEEK = Duration.ofDays(7);
  private static final Duration MINUTE = Duration.ofMinutes(1);

  @Test
  void comesAfterAnHourThenAsHistoryGrowsThenEveryFourHours() {
    assertThat(refits(new RefitSchedule(FOUR_HOURS, MINUTE), 2000, 1))
        .startsWith(60, 120, 180, 270, 405, 608)
        .endsWith(1808);
    List<Integer> refits = refits(new RefitSchedule(FOUR_HOURS, MINUTE), 3000, 1);
    for (int i = 6; i < refits.size(); i++) {
      assertThat(refits.get(i) - refits.get(i - 1)).isEqualTo(240);
    }
  }

  @Test
  void neverWithoutAnHourOfHistory() {
    var schedule = new RefitSchedule(MINUTE, MINUTE);
    for (int i = 0; i < 59; i++) {
      schedule.step(1e9);
      assertThat(schedule.due(i + 1)).isFalse();
    }
  }

  @Test
  void comesEarlyWhenErrorsGrow() {
    var schedule = new RefitSchedule(WEEK, MINUTE);
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
    var schedule = new RefitSchedule(WEEK, MINUTE);
    refits(schedule, 5000, 1);
    schedule.started();
    for (int i = 0; i < 1000; i++) {
      schedule.step(i % 3 == 0 ? Double.NaN : 2);
      assertThat(schedule.due(5000)).isFalse();
    }
  }

  @ParameterizedTest
  @CsvSource({
    // step, first refit, usual distance between refits, all in steps
    "PT15S, 240, 960",
    "PT1M, 60, 240",
    "PT10M, 24, 24",
    "PT1H, 24, 4",
  })
  void countsTimeAndAtLeastAFewSteps(Duration step, int first, int usual) {
    var refits = refits(new RefitSchedule(FOUR_HOURS, step), 5000, 1);
    assertThat(refits.getFirst()).isEqualTo(first);
    assertThat(refits.getLast() - refits.get(refits.size() - 2)).isEqualTo(usual);
  }

  @ParameterizedTest
  @CsvSource({"PT15S, 120, 480", "PT1H, 4, 8"})
  void driftIsJudgedByTheSameTimesAtEveryStep(Duration step, int earliest, int latest) {
    var schedule = new RefitSchedule(WEEK, step);
    int known = (int) Duration.ofDays(6).dividedBy(step);
    for (int i = 0; i < known; i++) {
      schedule.step(1);
    }
    schedule.started();
    int waited = 0;
    while (!schedule.due(known)) {
      schedule.step(20);
      waited++;
    }
    assertThat(waited).isBetween(earliest, latest);
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
