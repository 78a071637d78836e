package io.prescale.controller.lab;

import io.prescale.controller.demand.prometheus.Patience;
import io.prescale.controller.demand.prometheus.PrometheusClient;
import io.prescale.controller.demand.prometheus.PrometheusException;
import io.prescale.controller.demand.prometheus.PrometheusServer;
import io.prescale.controller.demand.prometheus.RangeAnswer;
import io.prescale.controller.demand.prometheus.RangeQuery;
import io.prescale.forecasting.Sample;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalDouble;

/** What a Prometheus knows of the demand that a {@link LoadExporter} shows. */
final class ScrapedDemand implements AutoCloseable {
  private final PrometheusClient client;

  ScrapedDemand(URI prometheus) throws PrometheusException {
    client = new PrometheusClient(PrometheusServer.at(prometheus), Patience.defaults());
  }

  /** The newest value; empty when there is none of the last five minutes. */
  OptionalDouble newest(Instant now) throws PrometheusException, InterruptedException {
    return ask(LoadExporter.SERIES, now, now).samples().stream()
        .mapToDouble(Sample::value)
        .findFirst();
  }

  /** Every value that was read in the steps of this time; those without one are absent. */
  List<Sample> read(Instant from, Instant to) throws PrometheusException, InterruptedException {
    // Scrapes come a few milliseconds early or late, so that a step may have its value in the next.
    var window = DailyLoad.STEP.plusSeconds(1);
    return ask(
            "last_over_time(%s[%ds])".formatted(LoadExporter.SERIES, window.toSeconds()), from, to)
        .samples();
  }

  /** How many values were read after a time, but for the first two steps, which may be lost. */
  int liveSince(Instant time, Instant now) throws PrometheusException, InterruptedException {
    var from = time.plus(DailyLoad.STEP.multipliedBy(2));
    return now.isBefore(from) ? 0 : read(from, now).size();
  }

  /** The longest time without a value, the end included. */
  Duration longestGap(Instant from, Instant to) throws PrometheusException, InterruptedException {
    var longest = Duration.ZERO;
    var before = from;
    for (var sample : read(from, to)) {
      longest = longer(longest, Duration.between(before, sample.time()));
      before = sample.time();
    }
    return longer(longest, Duration.between(before, to));
  }

  @Override
  public void close() {
    client.close();
  }

  private RangeAnswer ask(String promql, Instant from, Instant to)
      throws PrometheusException, InterruptedException {
    var answer = client.range(new RangeQuery(promql, from, to, DailyLoad.STEP));
    if (answer.series().size() > 1) {
      throw new IllegalStateException("history and live values are " + answer.series());
    }
    return answer;
  }

  private static Duration longer(Duration a, Duration b) {
    return a.compareTo(b) < 0 ? b : a;
  }
}
