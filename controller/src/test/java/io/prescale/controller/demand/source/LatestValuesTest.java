package io.prescale.controller.demand.source;

import static io.prescale.controller.demand.prometheus.ScriptedServer.json;
import static io.prescale.controller.demand.prometheus.ScriptedServer.matrix;
import static io.prescale.controller.demand.prometheus.ScriptedServer.status;
import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.autoscaling.Reading.Reason;
import io.prescale.controller.demand.prometheus.Labels;
import io.prescale.controller.demand.prometheus.PrometheusServer;
import io.prescale.controller.demand.prometheus.RangeAnswer.Latest;
import io.prescale.controller.demand.prometheus.ScriptedServer;
import io.prescale.controller.demand.prometheus.ScriptedServer.Answer;
import io.prescale.controller.demand.source.MetricSource.LatestReading;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The newest value of each pod. */
class LatestValuesTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:10Z");

  @Test
  void readsTheNewestValueOfManySeries() throws Exception {
    var reading = latest(json(matrix(pods(1_000))));

    assertThat(reading)
        .isInstanceOfSatisfying(
            LatestReading.Found.class,
            found -> {
              assertThat(found.series()).hasSize(1_000);
              assertThat(found.series().getLast())
                  .isEqualTo(new Latest(new Labels(Map.of("pod", "pod-999")), 999));
            });
  }

  @Test
  void findsNothingWhereThereIsNothing() throws Exception {
    assertThat(latest(json(matrix("")))).isEqualTo(new LatestReading.Found(List.of()));
  }

  @Test
  void saysWhyThereIsNoAnswer() throws Exception {
    assertThat(missing(latest(status(401, "no")))).isEqualTo(Reason.ACCESS_DENIED);
    assertThat(missing(latest(json("lorem ipsum")))).isEqualTo(Reason.UNUSABLE_ANSWER);
    assertThat(missing(latest(json(matrix(pods(5_001)))))).isEqualTo(Reason.MANY_SERIES);
  }

  private static Reason missing(LatestReading reading) {
    return ((LatestReading.NotFound) reading).missing().reason();
  }

  private static String pods(int number) {
    return IntStream.range(0, number)
        .mapToObj(
            i ->
                "{\"metric\":{\"pod\":\"pod-%1$d\"},\"values\":[[1767225600,\"%1$d\"]]}"
                    .formatted(i))
        .collect(Collectors.joining(","));
  }

  private static LatestReading latest(Answer answer) throws Exception {
    try (var server = new ScriptedServer(answer);
        var source = new PrometheusSource(SourceSettings.defaults(), new SplittableRandom(1))) {
      var at = PrometheusServer.at(server.url());
      var query = new MetricQuery("team", at, "sum by (pod) (load)", Duration.ofMinutes(1));
      return source.latest(query, NOW).get(30, TimeUnit.SECONDS);
    }
  }
}
