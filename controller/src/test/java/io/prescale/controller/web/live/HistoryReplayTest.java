package io.prescale.controller.web.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.autoscaling.ForecastSettings;
import io.prescale.controller.autoscaling.Reading;
import io.prescale.controller.demand.prometheus.PrometheusServer;
import io.prescale.controller.demand.source.MetricQuery;
import io.prescale.controller.demand.source.MetricSource;
import io.prescale.controller.operator.LeadingQuery;
import io.prescale.controller.web.Savings;
import io.prescale.controller.web.live.ReplaySubject.RecordedMetric;
import io.prescale.forecasting.Event;
import io.prescale.forecasting.EventCalendar;
import io.prescale.forecasting.TimeSeries;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class HistoryReplayTest {
  private static final Instant MONDAY = Instant.parse("2026-03-02T00:00:00Z");
  private static final Instant END = MONDAY.plus(Duration.ofDays(4));
  private static final Event SALE =
      new Event(
          "sale",
          END.minus(Duration.ofHours(24)),
          END.minus(Duration.ofHours(12)),
          OptionalDouble.of(3));
  private static final LeadingQuery GATEWAY =
      new LeadingQuery(
          "requests",
          "gateway",
          new MetricQuery(
              "team",
              PrometheusServer.at(URI.create("http://a.b")),
              "gateway",
              Duration.ofMinutes(1),
              true));

  @Test
  void knowsTheDeclaredEventsOfItsSubject() throws InterruptedException {
    var plain = replicaHours(ForecastSettings.defaults());
    var withSale = replicaHours(withEvents(ForecastSettings.defaults(), SALE));

    assertThat(withSale - plain).as("replicas for a sale that is not seen").isGreaterThan(20);
  }

  @Test
  void goesByTheMinuteWhateverTheStepOfItsSubject() throws InterruptedException {
    var it = ForecastSettings.defaults();
    var coarse =
        new ForecastSettings(
            Duration.ofMinutes(5),
            Duration.ofMinutes(25),
            it.remember(),
            it.refitEvery(),
            it.zone(),
            it.calendar(),
            it.seed(),
            it.members());

    assertThat(replicaHours(coarse)).isEqualTo(replicaHours(it));
  }

  @Test
  void followsASeriesThatLeads() throws InterruptedException {
    var alone = lastDays(new Bursts(true), List.of());
    var led = lastDays(new Bursts(true), List.of(GATEWAY));
    assertThat(led.overloadedMinutes()).isLessThan(0.6 * alone.overloadedMinutes());

    assertThat(lastDays(new Bursts(false), List.of(GATEWAY)))
        .as("where it cannot be read")
        .isEqualTo(alone);
  }

  /** Bursts at random times that a gateway, where it can be read, sees twelve minutes before. */
  private record Bursts(boolean isGatewayRead) implements OnlyHistories {
    private static final int STEPS = 4 * 1440;

    @Override
    public CompletableFuture<HistoryReading> history(MetricQuery query, Instant from, Instant to) {
      boolean isGateway = query.isSpare();
      if (isGateway && !isGatewayRead) {
        var missing = new Reading.Missing(Reading.Reason.STALE, "It is away.");
        return CompletableFuture.completedFuture(new HistoryReading.NotFound(missing));
      }
      var random = new SplittableRandom(5);
      var values = new double[STEPS];
      Arrays.fill(values, 100);
      for (int burst = 0; burst < STEPS / 120; burst++) {
        int at = random.nextInt(STEPS) + (isGateway ? 0 : 12);
        Arrays.fill(values, Math.min(STEPS, at), Math.min(STEPS, at + 30), 300);
      }
      return CompletableFuture.completedFuture(
          new HistoryReading.Found(TimeSeries.of(MONDAY, Duration.ofMinutes(1), values)));
    }
  }

  private static ForecastSettings withEvents(ForecastSettings it, Event... events) {
    return new ForecastSettings(
        it.step(),
        it.window(),
        it.remember(),
        it.refitEvery(),
        ZoneOffset.UTC,
        new EventCalendar(List.of(events), List.of()),
        it.seed(),
        it.members());
  }

  private static double replicaHours(ForecastSettings forecast) throws InterruptedException {
    return lastDays(new Histories(MONDAY, () -> END), forecast, List.of()).replicaHours();
  }

  private static Savings.Usage lastDays(MetricSource source, List<LeadingQuery> leading)
      throws InterruptedException {
    return lastDays(source, ForecastSettings.defaults(), leading);
  }

  private static Savings.Usage lastDays(
      MetricSource source, ForecastSettings forecast, List<LeadingQuery> leading)
      throws InterruptedException {
    var plain = Histories.subject();
    var load = plain.metrics().getFirst();
    var subject =
        new ReplaySubject(
            List.of(
                new RecordedMetric(load.name(), load.query(), load.capacityPerReplica(), leading)),
            plain.settings(),
            plain.caution(),
            forecast,
            plain.schedules(),
            plain.cardsPerReplica(),
            plain.source());
    var outcome = new HistoryReplay(subject, 1, (_, _) -> {}).until(END, source);
    var finished = (HistoryReplay.Finished) outcome;
    return ((Savings.Week.Judged) finished.week()).prescale();
  }
}
