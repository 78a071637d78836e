package io.prescale.controller.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;
import static org.awaitility.Awaitility.await;

import io.prescale.controller.demand.prometheus.RealPrometheus;
import io.prescale.forecasting.Sample;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A history that was written in advance and what Prometheus reads afterwards are one series. */
class ScrapedLoadTest {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  @TempDir private Path folder;

  @Test
  void historyAndLiveValuesJoin() throws Exception {
    var written = Instant.now();
    var from = written.minus(Duration.ofMinutes(50));
    var load = new DailyLoad(1, written.minusSeconds(120), Duration.ofMinutes(10), 200);
    try (var exporter = LoadExporter.start(load, InstantSource.system());
        var prometheus =
            RealPrometheus.scraping(
                folder, LoadExporter.history(load, from, written), exporter.prometheusConfig());
        var scraped = new ScrapedDemand(prometheus.url())) {
      await().atMost(PATIENCE).until(() -> scraped.liveSince(written, Instant.now()) > 2);

      var now = Instant.now();
      assertThat(scraped.longestGap(from, now)).isLessThan(PATIENCE);
      assertThat(scraped.longestGap(from, written))
          .isLessThanOrEqualTo(DailyLoad.STEP.multipliedBy(2));
      var samples = scraped.read(from, now);
      assertThat(samples).hasSizeGreaterThan(600);
      assertThat(samples.stream().filter(sample -> !isOf(load, sample)).toList()).isEmpty();
      assertThat(scraped.newest(now)).hasValueCloseTo(samples.getLast().value(), withPercentage(5));
    }
  }

  /** A scrape comes at any moment of a step, so a value may be one of the step before. */
  private static boolean isOf(DailyLoad load, Sample sample) {
    return Stream.of(sample.time(), sample.time().minus(DailyLoad.STEP))
        .anyMatch(at -> Math.abs(sample.value() - load.at(at)) < 0.001);
  }
}
