package io.prescale.controller.plan.live;

import static io.prescale.controller.plan.live.BookedServices.service;
import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.api.v1alpha1.BookingMode;
import io.prescale.controller.api.v1alpha1.Mode;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.autoscaling.MetricSettings;
import io.prescale.controller.autoscaling.Reading;
import io.prescale.controller.autoscaling.TargetSettings;
import io.prescale.controller.demand.prometheus.PrometheusServer;
import io.prescale.controller.demand.source.MetricQuery;
import io.prescale.controller.demand.source.MetricSource;
import io.prescale.controller.operator.LiveTargets;
import io.prescale.forecasting.TimeSeries;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** How long the forecast of a service counts whose Prometheus no longer answers. */
class ValidityOfForecastsTest {
  private static final Instant NOON = Instant.parse("2026-11-24T12:00:00Z");
  private static final Duration LEAD = Duration.ofMinutes(5);

  private final PredictiveHPA chat = service("chat", Mode.Active, BookingMode.Book);
  private boolean isDown;
  private final ServiceForecasts forecasts =
      new ServiceForecasts(_ -> recorded(), new TwoLevelDays(), Duration.ofSeconds(30));

  /** A day and a half by the minute, up to what is asked for. */
  private final class TwoLevelDays implements MetricSource {
    @Override
    public CompletableFuture<Reading> read(MetricQuery query, Instant after, Instant now) {
      throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<LatestReading> latest(MetricQuery query, Instant now) {
      throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<HistoryReading> history(MetricQuery query, Instant from, Instant to) {
      var values = new double[36 * 60];
      Arrays.setAll(values, i -> i % 1440 < 720 ? 3 : 9);
      var begin = to.minus(Duration.ofMinutes(values.length));
      return CompletableFuture.completedFuture(
          isDown
              ? new HistoryReading.NotFound(
                  new Reading.Missing(Reading.Reason.UNREACHABLE, "Prometheus is down."))
              : new HistoryReading.Found(TimeSeries.of(begin, Duration.ofMinutes(1), values)));
    }
  }

  private static LiveTargets.Recorded recorded() {
    var server = PrometheusServer.at(URI.create("http://prometheus"));
    return new LiveTargets.Recorded(
        List.of(new MetricQuery("models", server, "tokens", Duration.ofMinutes(1))),
        List.of(),
        TargetSettings.of(new MetricSettings("tokens", 4)));
  }

  private ServiceForecasts.Known knownAfter(Duration passed) {
    return forecasts.known(chat, NOON.plus(passed));
  }

  private void renewAfter(Duration passed) throws InterruptedException {
    forecasts.renew(chat, LEAD, NOON.plus(passed));
  }

  private static Duration hours(int hours) {
    return Duration.ofHours(hours);
  }

  @Test
  void theLastOneCountsForFourHoursWhileNoNewerOneCanBeMade() throws InterruptedException {
    chat.getMetadata().setGeneration(1L);
    renewAfter(Duration.ZERO);
    isDown = true;
    renewAfter(hours(2));

    assertThat(knownAfter(hours(4).minusSeconds(1)).forecast()).isPresent();
    assertThat(knownAfter(hours(4).minusSeconds(1)).isOver()).isFalse();
    assertThat(knownAfter(hours(4)).forecast()).isEmpty();
    assertThat(knownAfter(hours(4)).isOver()).isTrue();
    assertThat(knownAfter(hours(4)).problem()).contains("Prometheus is down.");

    isDown = false;
    renewAfter(hours(5));
    assertThat(knownAfter(hours(5)).forecast()).isPresent();
    assertThat(knownAfter(hours(5)).isOver()).isFalse();
  }

  /** A new leader does not know how old the forecast is that the one before acted on. */
  @Test
  void withoutAnyForecastTheFourHoursBeginWithTheFirstTry() throws InterruptedException {
    chat.getMetadata().setGeneration(1L);
    assertThat(knownAfter(Duration.ZERO).isOver()).isFalse();
    isDown = true;
    renewAfter(hours(1));
    renewAfter(hours(3));

    assertThat(knownAfter(hours(5).minusSeconds(1)).isOver()).isFalse();
    assertThat(knownAfter(hours(5)).isOver()).isTrue();

    forecasts.retain(Set.of());
    assertThat(knownAfter(hours(5)).isOver()).isFalse();
  }
}
