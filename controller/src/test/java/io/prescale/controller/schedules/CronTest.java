package io.prescale.controller.schedules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.LocalDateTime;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CronTest {
  /** A Sunday. */
  private static final LocalDateTime NOW = LocalDateTime.parse("2026-03-29T02:15:20");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0 8 * * 1-5      | 2026-03-27T08:00 | 2026-03-30T08:00",
        "0 8 * * MON-fri  | 2026-03-27T08:00 | 2026-03-30T08:00",
        "15 2 * * *       | 2026-03-29T02:15 | 2026-03-29T02:15",
        "0 0 29 2 *       | 2024-02-29T00:00 | 2028-02-29T00:00",
        "0 0 13 * 5       | 2026-03-27T00:00 | 2026-04-03T00:00",
        "0 0 13 * ?       | 2026-03-13T00:00 | 2026-04-13T00:00",
        "*/7 * * * *      | 2026-03-29T02:14 | 2026-03-29T02:21",
        "5/10 * * * *     | 2026-03-29T02:15 | 2026-03-29T02:15",
        "0 8 * * 7        | 2026-03-22T08:00 | 2026-03-29T08:00",
        "0 8 * * sun      | 2026-03-22T08:00 | 2026-03-29T08:00",
        "0 8 * * 5-7      | 2026-03-28T08:00 | 2026-03-29T08:00",
        "0 9-17/2 1,15 * *| 2026-03-15T17:00 | 2026-04-01T09:00",
        "0 0 1 Jan *      | 2026-01-01T00:00 | 2027-01-01T00:00",
        "@daily           | 2026-03-29T00:00 | 2026-03-30T00:00",
        "@weekly          | 2026-03-29T00:00 | 2026-04-05T00:00",
        "@hourly          | 2026-03-29T02:00 | 2026-03-29T03:00",
      })
  void knowsTheMinuteBeforeAndAfterAsACronJobDoes(
      String text, LocalDateTime before, LocalDateTime after) {
    var cron = Cron.parse(text);

    assertThat(cron.latest(NOW)).contains(before);
    assertThat(cron.earliest(NOW)).contains(after);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "*/13 3-5 * * *",
        "0 0 1,15 * *",
        "15 10 */2 * 1",
        "59 23 31 12 *",
        "0 0 * 3-5 6,0",
        "30 6 1-7 * 1"
      })
  void findsTheMinuteThatAWalkByTheMinuteFinds(String text) {
    var cron = Cron.parse(text);
    var random = new SplittableRandom(7);
    for (int i = 0; i < 20; i++) {
      var time = LocalDateTime.parse("2024-01-01T00:00").plusMinutes(random.nextInt(4 * 525_600));
      var before = cron.latest(time).orElseThrow();
      var next = cron.earliest(before.plusMinutes(1)).orElseThrow();

      assertThat(before).as("%s at %s", text, time).isBeforeOrEqualTo(time);
      assertThat(next).as("%s at %s", text, time).isAfter(time);
      assertThat(cron.latest(next.minusMinutes(1))).contains(before);
      for (var it = before.plusMinutes(1); it.isBefore(next); it = it.plusMinutes(1)) {
        assertThat(cron.earliest(it)).contains(next);
        it = it.plusMinutes(random.nextInt(5000));
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "60 8 * * *   | \"60\" is no minute; write *, or numbers from 0 to 59",
        "0 24 * * *   | \"24\" is no hour",
        "0 8 0 * *    | \"0\" is no day of the month",
        "0 8 * 13 *   | \"13\" is no month",
        "0 8 * * 8    | \"8\" is no day of the week",
        "0 22-6 * * * | \"22-6\" is no hour",
        "0 8 L * *    | \"L\" is no day of the month",
        "*/0 8 * * *  | \"*/0\" is no minute",
        "0 8, * * *   | \"\" is no hour",
        "-1 8 * * *   | \"-1\" is no minute",
        "0 8 * *      | is no cron expression; write five fields",
        "0 0 8 * * *  | is no cron expression; write five fields",
        "@reboot      | is no cron expression; write five fields",
        "TZ=UTC 0 8 * * * | is no cron expression; write five fields",
        "0 0 31 2 *   | names a day that no month has",
        "99999999999 8 * * * | \"99999999999\" is no minute",
      })
  void refusesWhatIsNoExpressionAndSaysWhatToWrite(String text, String message) {
    assertThatThrownBy(() -> Cron.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @Test
  void refusesNothingAndTheEndless() {
    assertThatThrownBy(() -> Cron.parse("")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Cron.parse("0 8 * * " + "1,".repeat(100_000)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
