package io.prescale.controller.operator;

import static io.prescale.controller.demand.prometheus.ScriptedServer.hanging;
import static io.prescale.controller.demand.prometheus.ScriptedServer.json;
import static io.prescale.controller.demand.prometheus.ScriptedServer.matrix;
import static io.prescale.controller.demand.prometheus.ScriptedServer.status;
import static io.prescale.controller.demand.prometheus.ScriptedServer.truncated;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.sun.net.httpserver.HttpExchange;
import io.prescale.controller.api.v1alpha1.ConditionReason;
import io.prescale.controller.demand.prometheus.ScriptedServer.Answer;
import io.prescale.controller.operator.FaultyPrometheus.After;
import io.prescale.controller.operator.ServedSecond.State;
import java.io.IOException;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What is served in each second of a fault of Prometheus, from its HTTP answers to what the HPA
 * reads, on a clock of the test's own.
 */
class PrometheusFaultsTest {
  private static final int BEFORE = 8;
  private static final int SHORTER_THAN_THE_TTL = 8;
  private static final int LONGER = 12;
  private static final Duration HALF_A_DAY = Duration.ofHours(12);
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** Each tick waits for so long in those faults that never answer. */
  private static final Duration SOME_HANG = Duration.ofMillis(100);

  static Stream<Arguments> faults() {
    return Stream.of(
        arguments("stopped", (Answer) HttpExchange::close),
        arguments("slow", hanging("")),
        arguments("right, but too late", new After(SOME_HANG.multipliedBy(4), false)),
        arguments("500", status(500, "out of memory")),
        arguments("503", status(503, "starting")),
        arguments("429", status(429, "slow down")),
        arguments("credentials refused", status(401, "no")),
        arguments("redirect", status(302, "", "Location", "http://127.0.0.1:9/elsewhere")),
        arguments("truncated", truncated(matrix("{\"metric\":{},\"values\":[[1,\"7\"]"))),
        arguments("hangs in the middle", hanging("{\"status\":\"success\",\"data\":{")),
        arguments("no JSON", json("lorem ipsum")),
        arguments("a web page", status(200, "<html><title>Sign in</title>")),
        arguments("a string", json(result("string", "[1767225600,\"idle\"]"))),
        arguments("a scalar", json(result("scalar", "[1767225600,\"1\"]"))),
        arguments("an instant vector", json(result("vector", "[]"))),
        arguments("without end", (Answer) PrometheusFaultsTest::endless),
        arguments("empty", json(matrix(""))),
        arguments("another time's samples", json(sample("1", "7"))),
        arguments("two series", json(matrix(series("a", "7") + "," + series("b", "9")))),
        arguments("NaN", json(newest("NaN"))),
        arguments("infinite", json(newest("+Inf"))),
        arguments("negative", json(newest("-5"))),
        arguments("beyond 64 bits", json(newest("1e300"))));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("faults")
  void theLastValueStandsAndThenAnErrorOnWhichTheHpaKeepsItsReplicas(String name, Answer fault)
      throws Exception {
    try (var served = new ServedUnderFaults(HALF_A_DAY, SOME_HANG)) {
      served.pass(BEFORE, null);
      assertThat(served.newest().state()).isEqualTo(State.FRESH);
      served.pass(SHORTER_THAN_THE_TTL, fault);
      assertThat(served.newest().state()).isEqualTo(State.LAST_KNOWN_GOOD);
      assertThat(served.isAvailable()).isFalse();
      served.pass(LONGER, fault);
      assertThat(served.newest().state()).isEqualTo(State.ERROR);
      assertThat(served.seconds()).allSatisfy(second -> assertKept(second, served.timeToLive()));

      served.recover();

      assertThat(served.isAvailable()).isTrue();
      assertThat(served.newest().state()).isEqualTo(State.FRESH);
      assertThat(served.replicasFell()).isFalse();
    }
  }

  @Test
  void anAnswerThatIsSlowAndInTimeCounts() throws Exception {
    try (var served = new ServedUnderFaults(HALF_A_DAY, PATIENCE)) {
      served.pass(BEFORE, new After(Duration.ofMillis(300), true));

      assertThat(served.seconds())
          .allSatisfy(second -> assertThat(second.state()).isEqualTo(State.FRESH))
          .allSatisfy(second -> assertKept(second, served.timeToLive()));
      assertThat(served.isAvailable()).isTrue();
      assertThat(served.replicasFell()).isFalse();
    }
  }

  /** Never 0 for unknown, never below the last demand that was read, never beyond the TTL. */
  private static void assertKept(ServedSecond second, Duration timeToLive) {
    if (second.state() == State.ERROR) {
      assertThat(second.sinceKnown()).isGreaterThanOrEqualTo(timeToLive);
    } else {
      assertThat(second.value()).isPositive().isGreaterThanOrEqualTo(second.readable() - 0.001);
      assertThat(second.age()).isLessThanOrEqualTo(timeToLive);
    }
  }

  @Test
  void aNewLeaderGoesOnFromWhatWasSavedAndReadsOnlyWhatIsNewer() throws Exception {
    try (var served = new ServedUnderFaults(HALF_A_DAY, PATIENCE)) {
      served.pass(BEFORE, null);
      double before = served.newest().value();

      int samples = served.failOver();

      assertThat(served.isTrusted()).isTrue();
      assertThat(served.newest().state()).isEqualTo(State.FRESH);
      assertThat(served.newest().value()).isCloseTo(before, withinPercentage(10));
      assertThat(samples).as("minutes, not the half day of its history").isBetween(1, 30);
      served.pass(BEFORE, null);
      assertThat(served.seconds()).allSatisfy(it -> assertKept(it, served.timeToLive()));
      assertThat(served.replicasFell()).isFalse();
    }
  }

  /** Prescale's clock jumps, and back after 20 minutes; Prometheus' own goes on. */
  @ParameterizedTest
  @ValueSource(ints = {-5, 5})
  void aClockThatIsFiveMinutesOffLowersNothing(int minutes) throws Exception {
    try (var served = new ServedUnderFaults(HALF_A_DAY, PATIENCE)) {
      served.pass(BEFORE, null);
      served.shiftClock(Duration.ofMinutes(minutes));
      served.pass(20, null);
      served.shiftClock(Duration.ofMinutes(-minutes));
      served.pass(BEFORE, null);

      assertThat(served.seconds())
          .noneMatch(second -> second.state() == State.ERROR)
          .allSatisfy(second -> assertKept(second, served.timeToLive()));
      assertThat(served.newest().state()).isEqualTo(State.FRESH);
      assertThat(served.replicasFell()).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {3, 10})
  void aLevelThatShiftsIsServedAtTheNextStep(double factor) throws Exception {
    try (var served = new ServedUnderFaults(HALF_A_DAY, PATIENCE)) {
      served.pass(BEFORE, null);
      served.multiplyLoad(factor);
      served.pass(2, null);

      assertThat(served.newest().value()).isGreaterThanOrEqualTo(served.newest().readable());
      assertThat(served.newest().readable()).isGreaterThan((factor - 0.5) * 8);
      assertThat(served.replicasFell()).isFalse();
    }
  }

  @Test
  void aSumWhoseSeriesAreHalfGoneIsNotBelievedForTenMinutes() throws Exception {
    try (var served = new ServedUnderFaults(Duration.ofDays(3), PATIENCE)) {
      served.pass(BEFORE, null);
      assertThat(served.isTrusted()).isTrue();
      double before = served.newest().value();
      int known = served.seconds().size();

      served.loseSeries(0.5);
      served.pass(9, null);
      assertThat(served.whyNotAvailable()).contains(ConditionReason.SeriesLost);
      assertThat(served.seconds().subList(known, served.seconds().size()))
          .allSatisfy(second -> assertThat(second.value()).isGreaterThanOrEqualTo(before));
      served.pass(4, null);

      assertThat(served.isAvailable()).as("it lasts, so it is believed").isTrue();
      assertThat(served.newest().state()).isEqualTo(State.FRESH);
      assertThat(served.observed()).isLessThan(0.6 * before);
      assertThat(served.seconds()).noneMatch(second -> second.state() == State.ERROR);
    }
  }

  @Test
  void aSumIsBelievedAgainAsSoonAsItsSeriesAreBack() throws Exception {
    try (var served = new ServedUnderFaults(Duration.ofDays(3), PATIENCE)) {
      served.pass(BEFORE, null);
      assertThat(served.isTrusted()).isTrue();
      served.loseSeries(0.5);
      served.pass(3, null);
      assertThat(served.whyNotAvailable()).contains(ConditionReason.SeriesLost);
      served.findSeries();
      served.pass(2, null);

      assertThat(served.isAvailable()).isTrue();
      assertThat(served.newest().state()).isEqualTo(State.FRESH);
      assertThat(served.replicasFell()).isFalse();
    }
  }

  /** The leader and half of what it measures were on the node that died. */
  @ParameterizedTest
  @ValueSource(ints = {2, BEFORE, 3 * BEFORE})
  void aSumWhoseSeriesAreHalfGoneIsNotBelievedByANewLeaderEither(int afterTheStart)
      throws Exception {
    try (var served = new ServedUnderFaults(Duration.ofDays(3), PATIENCE)) {
      served.pass(afterTheStart, null);
      assertThat(served.isTrusted()).isTrue();
      double before = served.newest().value();
      int known = served.seconds().size();

      served.loseSeries(0.5);
      served.pass(2, null);
      served.failOver(); // and up to four minutes in which the metric is not read again
      assertThat(served.whyNotAvailable()).contains(ConditionReason.SeriesLost);
      served.pass(2, null);
      assertThat(served.seconds().subList(known, served.seconds().size()))
          .allSatisfy(second -> assertThat(second.state()).isNotEqualTo(State.ERROR))
          .allSatisfy(second -> assertThat(second.value()).isGreaterThanOrEqualTo(0.9 * before));
      assertThat(served.replicasFell()).isFalse();
      served.pass(6, null);

      assertThat(served.isAvailable()).as("it lasts, so it is believed").isTrue();
      assertThat(served.observed()).isLessThan(0.6 * before);
    }
  }

  /** Demand that falls by itself, with all of its series there. */
  @Test
  void halfOfTheLoadIsBelievedAtOnce() throws Exception {
    try (var served = new ServedUnderFaults(Duration.ofDays(3), PATIENCE)) {
      served.pass(BEFORE, null);
      assertThat(served.isTrusted()).isTrue();
      double before = served.observed();
      served.multiplyLoad(0.5);
      served.pass(3, null);

      assertThat(served.isAvailable()).isTrue();
      assertThat(served.observed()).isLessThan(0.6 * before);
      assertThat(served.newest().state()).isEqualTo(State.FRESH);
    }
  }

  private static String result(String type, String result) {
    return "{\"status\":\"success\",\"data\":{\"resultType\":\"%s\",\"result\":%s}}"
        .formatted(type, result);
  }

  private static String series(String pod, String value) {
    return "{\"metric\":{\"pod\":\"%s\"},\"values\":[[%d,\"%s\"]]}"
        .formatted(pod, ServedUnderFaults.FAULT_BEGINS.getEpochSecond() + 60, value);
  }

  private static String newest(String value) {
    return sample(String.valueOf(ServedUnderFaults.FAULT_BEGINS.getEpochSecond() + 60), value);
  }

  private static String sample(String time, String value) {
    return matrix("{\"metric\":{},\"values\":[[%s,\"%s\"]]}".formatted(time, value));
  }

  private static void endless(HttpExchange exchange) throws IOException {
    exchange.sendResponseHeaders(200, 0);
    var body = exchange.getResponseBody();
    var head = matrix("{\"metric\":{},\"values\":[");
    body.write(head.substring(0, head.length() - 3).getBytes(UTF_8));
    for (int i = 0; i < 1_000_000; i++) {
      body.write("[1767225600,\"1\"],".getBytes(UTF_8));
    }
  }
}
