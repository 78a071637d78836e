package io.prescale.controller.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.prescale.controller.api.v1alpha1.PredictiveHPASpec;
import io.prescale.controller.schedules.Cron;
import io.prescale.controller.schedules.Schedule;
import io.prescale.controller.schedules.Schedules;
import java.time.ZoneId;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScheduleReaderTest {
  @Test
  void readsFloorsAndCeilingsInTheirZonesOrThatOfTheForecast() {
    var spec =
        spec(
            """
            - {name: day, start: 0 8 * * 1-5, end: 0 20 * * 1-5, minReplicas: 10}
            - {name: night, timeZone: America/New_York, start: '@daily', end: 0 5 * * *, maxReplicas: 4}
            """);

    assertThat(SpecReader.schedules(spec).all())
        .containsExactly(
            new Schedule(
                "day",
                ZoneId.of("Europe/Berlin"),
                Cron.parse("0 8 * * 1-5"),
                Cron.parse("0 20 * * 1-5"),
                OptionalInt.of(10),
                OptionalInt.empty()),
            new Schedule(
                "night",
                ZoneId.of("America/New_York"),
                Cron.parse("@daily"),
                Cron.parse("0 5 * * *"),
                OptionalInt.empty(),
                OptionalInt.of(4)));
  }

  @Test
  void aSpecNeedsNone() {
    assertThat(SpecReader.schedules(spec("[]"))).isEqualTo(Schedules.none());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{name: a, start: 0 8 * * 1-5, end: 0 20 * * 9, minReplicas: 1} | spec.schedules: end of a:"
            + " \"9\" is no day of the week; write *, or numbers from 0 to 7 as in 5, 1-5, 1,3 or"
            + " */2",
        "{name: a, timeZone: Mars/Olympus, start: 0 8 * * *, end: 0 9 * * *, minReplicas: 1} |"
            + " spec.schedules: timeZone of a is \"Mars/Olympus\", which is no time zone; write one"
            + " such as Europe/Berlin",
        "{name: a, start: 0 8 * * *, end: 0 9 * * *} | spec.schedules: schedule a has neither a"
            + " minimum nor a maximum of replicas",
        "{name: a, start: 0 8 * * *, end: 0 9 * * *, minReplicas: 0} | spec.schedules: schedule a:"
            + " its minimum (0) must be at least 1, and its maximum (none) not below it",
      })
  void saysWhichFieldOfWhichScheduleMakesNoSense(String schedule, String message) {
    var spec = spec("- " + schedule);

    assertThatThrownBy(() -> SpecReader.schedules(spec))
        .isInstanceOf(SpecReader.InvalidFieldException.class)
        .hasMessage(message);
  }

  private static PredictiveHPASpec spec(String schedules) {
    var yaml =
        """
        scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: chat}
        maxReplicas: 40
        metrics:
          - {name: requests, prometheus: {query: load}, target: {averageValue: "4"}}
        forecast: {timeZone: Europe/Berlin}
        schedules:
        """
            + schedules.indent(2);
    return Serialization.unmarshal(yaml, PredictiveHPASpec.class);
  }
}
