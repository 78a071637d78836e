package io.prescale.controller.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.autoscaling.ForecastSettings;
import io.prescale.controller.autoscaling.Reading;
import io.prescale.controller.demand.prometheus.PrometheusServer;
import io.prescale.controller.demand.source.MetricQuery;
import io.prescale.controller.demand.source.MetricSource;
import io.prescale.forecasting.Sample;
import io.prescale.forecasting.TimeSeries;
import io.prescale.forecasting.online.LeadingSeries;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A gateway's arrivals beside a metric, from a scripted server. */
class LeadingReadsTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Instant NOW = Instant.parse("2026-11-27T08:00:20Z");
  private static final Instant STEP = Instant.parse("2026-11-27T08:00:00Z");

  private final Server server = new Server();
  private final LeadingReads reads =
      new LeadingReads(
          List.of(query("requests", "gateway"), query("tokens", "sessions")),
          server,
          ForecastSettings.defaults(),
          NOW);

  @BeforeEach
  void begin() {
    reads.requestHistories(NOW);
  }

  @Test
  @Timeout(30)
  void aServerThatHangsHoldsUpNoDecisionForLong() {
    server.hangs = true;
    reads.read(NOW.plus(MINUTE));
    assertThat(next()).isEqualTo(STEP);
  }

  @Test
  void seriesBelongToTheirMetrics() {
    assertThat(reads.series().keySet()).containsExactly("requests", "tokens");
    assertThat(series("tokens").name()).isEqualTo("sessions");
  }

  @Test
  void aHistoryAndWhatCameMeanwhileMakeOneSeries() {
    tick(NOW, new Reading.Observed(List.of()));
    tick(NOW.plus(MINUTE), observed(STEP.plus(MINUTE), 7));
    assertThat(next()).isEqualTo(STEP.plus(MINUTE));
    server
        .histories
        .getFirst()
        .complete(
            new MetricSource.HistoryReading.Found(
                TimeSeries.of(STEP.minus(MINUTE), MINUTE, new double[] {-1})));

    tick(NOW.plus(MINUTE.multipliedBy(2)), observed(STEP.plus(MINUTE.multipliedBy(2)), 9));

    assertThat(next()).isEqualTo(STEP.plus(MINUTE.multipliedBy(2)));
    assertThat(server.after.getLast()).as("asked for what is new").isEqualTo(STEP.plus(MINUTE));
  }

  @Test
  void whatCannotBeReadIsMissingAndAskedForAgain() {
    var missing = new Reading.Missing(Reading.Reason.TIMEOUT, "No answer.");
    tick(NOW.plus(MINUTE), missing);
    server.histories.forEach(it -> it.complete(new MetricSource.HistoryReading.NotFound(missing)));
    tick(NOW.plus(MINUTE.multipliedBy(2)), missing);
    assertThat(next()).isEqualTo(STEP);
    assertThat(server.histories).hasSize(2);

    tick(NOW.plus(MINUTE.multipliedBy(11)), observed(STEP.plus(MINUTE.multipliedBy(11)), 9));
    assertThat(server.histories).as("after ten steps").hasSize(4);
    assertThat(next()).isEqualTo(STEP.plus(MINUTE.multipliedBy(11)));
  }

  @Test
  void whatIsMissingForMinutesIsSaidUntilItIsBack() {
    var refused = new Reading.Missing(Reading.Reason.QUERY_REFUSED, "The query is refused.");
    for (int minute = 1; minute <= 4; minute++) {
      assertThat(missingAfter(minute, refused)).isEmpty();
    }
    assertThat(missingAfter(5, refused)).contains("gateway of requests: The query is refused.");

    tick(NOW.plus(MINUTE.multipliedBy(6)), observed(STEP.plus(MINUTE.multipliedBy(6)), 7));
    assertThat(reads.missing(NOW.plus(MINUTE.multipliedBy(6))))
        .contains(
            "sessions of tokens: The newest usable sample of the series is older than 6 min 20 s.");
  }

  private Optional<String> missingAfter(int minutes, Reading gateway) {
    var now = NOW.plus(MINUTE.multipliedBy(minutes));
    tick(now, gateway);
    return reads.missing(now);
  }

  @Test
  void nonsenseIsNoStep() {
    var values = new double[] {Double.NaN, -1, Double.POSITIVE_INFINITY, 1e31};
    for (int i = 0; i < values.length; i++) {
      var at = MINUTE.multipliedBy(i + 1);
      tick(NOW.plus(at), observed(STEP.plus(at), values[i]));
    }
    assertThat(next()).isEqualTo(STEP);
  }

  private Instant next() {
    return series("requests").next();
  }

  private LeadingSeries series(String metric) {
    return Objects.requireNonNull(reads.series().get(metric)).getFirst();
  }

  private void tick(Instant now, Reading gateway) {
    server.answer = gateway;
    reads.read(now);
  }

  private static Reading observed(Instant time, double value) {
    return new Reading.Observed(List.of(new Sample(time, value)));
  }

  private static LeadingQuery query(String metric, String name) {
    var server = PrometheusServer.at(URI.create("http://127.0.0.1:1"));
    return new LeadingQuery(metric, name, new MetricQuery("team", server, name, MINUTE));
  }

  private static final class Server implements MetricSource {
    Reading answer = new Reading.Observed(List.of());
    boolean hangs;
    final List<Instant> after = new ArrayList<>();
    final List<CompletableFuture<HistoryReading>> histories = new ArrayList<>();

    @Override
    public CompletableFuture<Reading> read(MetricQuery query, Instant newest, Instant now) {
      if (hangs) {
        return new CompletableFuture<>();
      }
      boolean isGateway = query.promql().equals("gateway");
      if (isGateway) {
        after.add(newest);
      }
      return CompletableFuture.completedFuture(
          isGateway ? answer : new Reading.Observed(List.of()));
    }

    @Override
    public CompletableFuture<LatestReading> latest(MetricQuery query, Instant now) {
      return CompletableFuture.completedFuture(new LatestReading.Found(List.of()));
    }

    @Override
    public CompletableFuture<HistoryReading> history(MetricQuery query, Instant from, Instant to) {
      var history = new CompletableFuture<HistoryReading>();
      histories.add(history);
      return history;
    }
  }
}
