package io.prescale.controller.plan.live;

import static io.prescale.controller.plan.live.BookedServices.SIX;
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
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Which forecasts are made when. */
class ServiceForecastsTest {
  private static final Duration LEAD = Duration.ofMinutes(5);

  private final ServiceForecasts forecasts =
      new ServiceForecasts(_ -> recorded(), new Silent(), Duration.ofMillis(5));

  private final PredictiveHPA a = versioned("a");
  private final PredictiveHPA b = versioned("b");

  private static PredictiveHPA versioned(String name) {
    var resource = service(name, Mode.Active, BookingMode.Book);
    resource.getMetadata().setGeneration(1L);
    return resource;
  }

  private static LiveTargets.Recorded recorded() {
    var query =
        new MetricQuery(
            "models",
            PrometheusServer.at(URI.create("http://prometheus")),
            "tokens",
            Duration.ofMinutes(1));
    return new LiveTargets.Recorded(
        List.of(query), List.of(), TargetSettings.of(new MetricSettings("tokens", 4)));
  }

  /** A server that never answers. */
  private static final class Silent implements MetricSource {
    @Override
    public CompletableFuture<Reading> read(MetricQuery query, Instant after, Instant now) {
      return new CompletableFuture<>();
    }

    @Override
    public CompletableFuture<LatestReading> latest(MetricQuery query, Instant now) {
      return new CompletableFuture<>();
    }

    @Override
    public CompletableFuture<HistoryReading> history(MetricQuery query, Instant from, Instant to) {
      return new CompletableFuture<>();
    }
  }

  private static Instant after(int minutes) {
    return SIX.plus(Duration.ofMinutes(minutes));
  }

  @Test
  void aServerThatNeverAnswersIsNotWaitedFor() throws Exception {
    forecasts.renew(a, LEAD, SIX);

    assertThat(forecasts.known(a, SIX).problem()).hasValue("The history was not read within 0 s.");
  }

  @Test
  void whatFailsIsTriedAgainEachTimeTwiceAsLate() throws Exception {
    forecasts.renew(a, LEAD, SIX);
    assertThat(forecasts.due(List.of(a), after(0))).isEmpty();
    assertThat(forecasts.due(List.of(a), after(1))).containsExactly(a);

    forecasts.renew(a, LEAD, after(1));
    assertThat(forecasts.due(List.of(a), after(2))).isEmpty();
    assertThat(forecasts.due(List.of(a), after(3))).containsExactly(a);

    for (int i = 0; i < 10; i++) {
      forecasts.renew(a, LEAD, after(3));
    }
    assertThat(forecasts.due(List.of(a), after(57))).isEmpty();
    assertThat(forecasts.due(List.of(a), after(58))).containsExactly(a);
  }

  @Test
  void anotherSpecIsTriedAtOnce() throws Exception {
    forecasts.renew(a, LEAD, SIX);
    a.getMetadata().setGeneration(2L);

    assertThat(forecasts.due(List.of(a), SIX)).containsExactly(a);
  }

  @Test
  void thoseThatHaveWaitedLongestComeFirst() throws Exception {
    assertThat(forecasts.due(List.of(a, b), SIX)).containsExactly(a, b);

    forecasts.renew(a, LEAD, SIX);

    assertThat(forecasts.due(List.of(a, b), after(1))).containsExactly(b, a);
  }
}
