package io.prescale.controller.operator;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import io.prescale.controller.api.v1alpha1.ConditionReason;
import io.prescale.controller.operator.ServedSecond.State;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;

/**
 * What is served in each second while a Prometheus that answers says something strange, on a clock
 * of the test's own.
 */
class ChangedSeriesTest {
  private static final int BEFORE = 8;
  private static final Duration THREE_DAYS = Duration.ofDays(3);
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** Pods that begin anew: rates are nearly 0 for a minute, and all series are there. */
  @Test
  void aCounterThatIsResetLowersNoReplicas() throws Exception {
    try (var served = new ServedUnderFaults(THREE_DAYS, PATIENCE)) {
      served.pass(BEFORE, null);
      served.multiplyLoad(0.05);
      served.pass(1, null);
      served.multiplyLoad(1);
      served.pass(BEFORE, null);

      assertGoesOn(served);
    }
  }

  /** Two Prometheus servers scrape the same pods for three minutes, and a sum counts both. */
  @Test
  void aSumThatIsDoubledIsFollowedAndGivenUpAgain() throws Exception {
    try (var served = new ServedUnderFaults(THREE_DAYS, PATIENCE)) {
      served.pass(BEFORE, null);
      double before = served.newest().readable();
      served.multiplyLoad(2);
      served.pass(3, null);
      assertThat(served.newest().value()).isGreaterThanOrEqualTo(1.9 * before);
      served.multiplyLoad(1);
      served.pass(BEFORE, null);

      assertThat(served.observed()).isLessThan(1.2 * before);
      assertGoesOn(served);
    }
  }

  @Test
  void aSeriesThatIsRenamedIsReadOn() throws Exception {
    try (var served = new ServedUnderFaults(Duration.ofHours(12), PATIENCE)) {
      served.pass(BEFORE, null);
      served.rename();
      served.pass(BEFORE, null);

      assertGoesOn(served);
    }
  }

  @Test
  void aZeroOfAllSeriesIsDemandOfZero() throws Exception {
    try (var served = new ServedUnderFaults(THREE_DAYS, PATIENCE)) {
      served.pass(BEFORE, null);
      served.multiplyLoad(0);
      served.pass(3, null);

      assertThat(served.observed()).isZero();
      assertThat(served.isAvailable()).isTrue();
      served.multiplyLoad(1);
      served.pass(BEFORE, null);
      assertGoesOn(served);
    }
  }

  @Test
  void aZeroOfNoSeriesIsUnknown() throws Exception {
    try (var served = new ServedUnderFaults(THREE_DAYS, PATIENCE)) {
      served.pass(BEFORE, null);
      assertThat(served.isTrusted()).isTrue();
      double before = served.newest().value();
      int known = served.seconds().size();
      served.loseSeries(0);
      served.pass(9, null);

      assertThat(served.whyNotAvailable()).contains(ConditionReason.SeriesLost);
      assertThat(served.seconds().subList(known, served.seconds().size()))
          .allSatisfy(second -> assertThat(second.value()).isGreaterThanOrEqualTo(before));
      served.findSeries();
      served.pass(2, null);
      assertThat(served.isAvailable()).isTrue();
      assertThat(served.replicasFell()).isFalse();
    }
  }

  @Test
  void daylightSavingBeginsAndEnds() throws Exception {
    for (var change : new String[] {"2026-03-08T07:00:00Z", "2026-11-01T06:00:00Z"}) {
      var at = Instant.parse(change);
      try (var served =
          new ServedUnderFaults(
              THREE_DAYS,
              PATIENCE,
              ZoneId.of("America/New_York"),
              at.minus(Duration.ofMinutes(10)))) {
        served.pass(90, null);

        assertThat(served.newest().time()).isAfter(at.plus(Duration.ofHours(1)));
        assertServed(served);
      }
    }
  }

  @Test
  void twoHoursOfHistoryServeAtLeastWhatWasRead() throws Exception {
    try (var served = new ServedUnderFaults(Duration.ofHours(2), PATIENCE)) {
      served.pass(60, null);

      assertGoesOn(served);
    }
  }

  @Test
  void aServerThatIsDeadDelaysNoMetricOfAnother() throws Exception {
    try (var good = new ServedUnderFaults(Duration.ofHours(12), PATIENCE);
        var bad = good.beside(Duration.ofHours(12))) {
      for (int minute = 0; minute < 20; minute++) {
        bad.pass(1, HttpExchange::close);
        good.pass(1, null);
      }

      assertThat(bad.newest().state()).isEqualTo(State.ERROR);
      assertThat(bad.replicasFell()).isFalse();
      assertGoesOn(good);
    }
  }

  /** No replica fell, and every second was fresh or the last known good. */
  private static void assertGoesOn(ServedUnderFaults served) {
    assertServed(served);
    assertThat(served.replicasFell()).isFalse();
  }

  /** Never an error, and never below what was read. */
  private static void assertServed(ServedUnderFaults served) {
    assertThat(served.seconds())
        .noneMatch(second -> second.state() == State.ERROR)
        .allSatisfy(
            second -> assertThat(second.value()).isGreaterThanOrEqualTo(second.readable() - 0.001));
    assertThat(served.newest().state()).isEqualTo(State.FRESH);
    assertThat(served.isAvailable()).isTrue();
  }
}
