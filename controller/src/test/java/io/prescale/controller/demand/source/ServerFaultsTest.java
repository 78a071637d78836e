package io.prescale.controller.demand.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.autoscaling.Reading.Missing;
import io.prescale.controller.autoscaling.Reading.Reason;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ServerFaultsTest {
  private static final Instant NOON = Instant.parse("2026-11-26T12:00:00Z");
  private static final Missing REFUSED = new Missing(Reason.UNREACHABLE, "No connection.");
  private static final Missing LATE = new Missing(Reason.TIMEOUT, "No answer within 5 s.");

  private final ServerFaults faults = new ServerFaults("prometheus:9090");

  @Test
  void aQueryThatAlwaysFailsHidesNoLaterOutage() {
    var denied = new Missing(Reason.ACCESS_DENIED, "Refused.");
    assertThat(faults.failed("team", denied, NOON)).isEmpty();
    assertThat(faults.failed("team", REFUSED, NOON)).isPresent();
    for (int i = 0; i < 100; i++) {
      faults.failed("slow", LATE, NOON.plusSeconds(30L * i));
      faults.succeeded(NOON.plusSeconds(30L * i));
    }

    assertThat(faults.failed("other", REFUSED, NOON.plusSeconds(3_000))).isPresent();
    assertThat(faults.failed("slow", LATE, NOON.plusSeconds(3_000))).isEmpty();
  }

  @Test
  void anOutageOfManyMetricsIsALineWhenItBeginsChangesAndEnds() {
    assertThat(faults.succeeded(NOON)).isEmpty();
    assertThat(faults.failed("team", REFUSED, NOON))
        .hasValue(
            "Prometheus at prometheus:9090 fails, first for namespace team: No connection."
                + " Further failures are only counted.");
    for (int i = 1; i < 2_000; i++) {
      assertThat(faults.failed("team-" + i, REFUSED, NOON.plusMillis(i))).isEmpty();
    }
    assertThat(faults.failed("other", LATE, NOON.plusSeconds(60)).orElseThrow())
        .contains("for namespace other: No answer within 5 s.");
    assertThat(faults.failed("team", REFUSED, NOON.plusSeconds(61))).isEmpty();

    assertThat(faults.succeeded(NOON.plusSeconds(90))).as("others may still fail").isEmpty();
    assertThat(faults.succeeded(NOON.plusSeconds(182)))
        .hasValue("Prometheus at prometheus:9090 answers again, after 2002 failures within 61 s.");
    assertThat(faults.succeeded(NOON.plusSeconds(183))).isEmpty();
    assertThat(faults.failed("team", REFUSED, NOON.plusSeconds(300))).isPresent();
  }
}
