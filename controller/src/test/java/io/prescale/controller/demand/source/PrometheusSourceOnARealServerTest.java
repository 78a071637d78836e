package io.prescale.controller.demand.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.autoscaling.Reading.Missing;
import io.prescale.controller.autoscaling.Reading.Observed;
import io.prescale.controller.autoscaling.Reading.Reason;
import io.prescale.controller.demand.prometheus.PrometheusServer;
import io.prescale.controller.demand.prometheus.RealPrometheus;
import io.prescale.controller.demand.source.MetricSource.HistoryReading;
import io.prescale.forecasting.Sample;
import io.prescale.forecasting.TimeSeries;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ten days of minutes: sample i has the value i at minute i. Skipped without Prometheus. */
class PrometheusSourceOnARealServerTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final int MINUTES = 10 * 24 * 60;
  private static final Instant END = START.plus(Duration.ofMinutes(MINUTES - 1));

  @TempDir private static Path folder;

  @SuppressWarnings("NullAway.Init")
  private static RealPrometheus prometheus;

  private static final PrometheusSource SOURCE =
      new PrometheusSource(SourceSettings.defaults(), new SplittableRandom(1));

  @BeforeAll
  static void start() throws Exception {
    prometheus =
        RealPrometheus.start(
            folder,
            Stream.concat(
                Stream.of("# TYPE load gauge"),
                IntStream.range(0, MINUTES)
                    .boxed()
                    .flatMap(
                        i ->
                            Stream.of(
                                "load{pod=\"a\"} %d %d".formatted(i, seconds(i)),
                                "load{pod=\"b\"} 0 %d".formatted(seconds(i))))));
  }

  @AfterAll
  static void stop() {
    SOURCE.close();
    if (prometheus != null) {
      prometheus.close();
    }
  }

  @Test
  void readsWhatCameSince() throws Exception {
    var reading =
        SOURCE.read(query("sum(load)"), END.minusSeconds(150), END).get(30, TimeUnit.SECONDS);

    assertThat(((Observed) reading).samples())
        .containsExactly(
            new Sample(END.minusSeconds(120), MINUTES - 3),
            new Sample(END.minusSeconds(60), MINUTES - 2),
            new Sample(END, MINUTES - 1));
  }

  @Test
  void aHistoryIsOnTheGridOfTheLoop() throws Exception {
    TimeSeries series = history("sum(load)");

    assertThat(series.size()).isEqualTo(MINUTES);
    assertThat(series.end()).as("the newest sample closes the last step").isEqualTo(END);
    assertThat(series.value(MINUTES - 1)).isEqualTo(MINUTES - 1);
    assertThat(series.start()).isEqualTo(START.minusSeconds(60));
    assertThat(series.presentCount()).isEqualTo(MINUTES);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      textBlock =
          """
          absent_metric   | NO_DATA
          load            | MANY_SERIES
          sum(load) / 0 * 0 | NOT_A_NUMBER
          "idle"          | QUERY_REFUSED
          sum(load        | QUERY_REFUSED
          load[5m]        | QUERY_REFUSED
          """)
  void whatIsNoDemandIsMissing(String promql, Reason reason) throws Exception {
    var reading = SOURCE.read(query(promql), END.minusSeconds(120), END).get(30, TimeUnit.SECONDS);

    assertThat(((Missing) reading).reason()).as(reading.toString()).isEqualTo(reason);
    assertThat(((Missing) reading).message()).endsWith(".");
    var history =
        SOURCE.history(query(promql), END.minusSeconds(600), END).get(30, TimeUnit.SECONDS);
    if (reason != Reason.NOT_A_NUMBER) {
      assertThat(((HistoryReading.NotFound) history).missing().reason()).isEqualTo(reason);
    } else {
      assertThat(((HistoryReading.Found) history).series().presentCount()).isZero();
    }
  }

  private static TimeSeries history(String promql) throws Exception {
    var reading = SOURCE.history(query(promql), START, END).get(60, TimeUnit.SECONDS);
    return ((HistoryReading.Found) reading).series();
  }

  private static MetricQuery query(String promql) {
    return new MetricQuery(
        "team", PrometheusServer.at(prometheus.url()), promql, Duration.ofMinutes(1));
  }

  private static long seconds(int minute) {
    return START.plus(Duration.ofMinutes(minute)).getEpochSecond();
  }
}
