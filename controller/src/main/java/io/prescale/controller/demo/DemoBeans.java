package io.prescale.controller.demo;

import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.prescale.adapter.api.ExternalMetricsApi;
import io.prescale.adapter.api.Health;
import io.prescale.adapter.identity.AccessReviewer;
import io.prescale.adapter.identity.Authenticator;
import io.prescale.adapter.identity.Authorizer;
import io.prescale.adapter.identity.ReviewTtl;
import io.prescale.adapter.identity.TrustSettings;
import io.prescale.adapter.server.TlsSettings;
import io.prescale.controller.certificates.LoopbackCertificate;
import io.prescale.controller.demand.prometheus.Patience;
import io.prescale.controller.demand.prometheus.PrometheusServer;
import io.prescale.controller.demand.source.PrometheusSource;
import io.prescale.controller.demand.source.SourceSettings;
import io.prescale.controller.web.About;
import io.prescale.controller.web.Gatekeeper;
import io.prescale.controller.web.WebViews;
import io.prescale.controller.web.WorkloadSummary;
import io.prescale.controller.web.live.DayForecasts;
import io.prescale.controller.web.live.HistoryReplays;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/** The parts of {@link DemoService}. */
@Factory
@Requires(env = DemoService.NAME)
final class DemoBeans {
  /** From this number on, learning the workloads takes minutes. */
  private static final int MANY = 20;

  /** A workload's load repeats from week to week. */
  private static final HistoryReplays.Pace REPLAYS =
      new HistoryReplays.Pace(Duration.ofSeconds(20), Duration.ofDays(7));

  @Singleton
  @Bean(preDestroy = "close")
  Fits fits(DemoSettings settings) {
    return new Fits(settings.workloads() > MANY ? 1 : 2);
  }

  @Singleton
  @Bean(preDestroy = "close")
  PrometheusSource source(DemoSettings settings) {
    return new PrometheusSource(sourceSettings(), new SplittableRandom(settings.seed()));
  }

  /** One attempt on loopback, without the pauses that a busy server deserves. */
  private static SourceSettings sourceSettings() {
    var patience =
        new Patience(
            Duration.ofSeconds(2), Duration.ofSeconds(10), 1, Duration.ZERO, Duration.ZERO);
    return new SourceSettings(
        16, 16, patience, patience, Duration.ZERO, Duration.ofSeconds(1), Duration.ofSeconds(30));
  }

  @Singleton
  PrometheusServer prometheus(DemoService.Appearance appearance) {
    return PrometheusServer.at(appearance.prometheus());
  }

  @Singleton
  Demo demo(DemoSettings settings, PrometheusSource source, PrometheusServer server, Fits fits) {
    return new Demo(settings, source, server, fits);
  }

  @Singleton
  @Bean(preDestroy = "close")
  HistoryReplays replays(Demo demo, PrometheusSource source, PrometheusServer server) {
    return new HistoryReplays(
        it -> demo.replaySubject(server, it), source, demo::now, () -> fleet(demo), REPLAYS);
  }

  /** Before time begins, the processors are for learning. */
  private static List<String> fleet(Demo demo) {
    return demo.doing().isPresent()
        ? List.of()
        : demo.workloads().stream().map(WorkloadSummary::id).toList();
  }

  @Singleton
  @Bean(preDestroy = "close")
  DayForecasts forecasts(Demo demo, PrometheusSource source, PrometheusServer server) {
    return new DayForecasts(it -> demo.replaySubject(server, it), source, demo::now);
  }

  @Singleton
  WebViews views(
      Demo demo,
      HistoryReplays replays,
      DayForecasts forecasts,
      DemoService.Appearance appearance) {
    return new WebViews(
        () ->
            new About(
                "Prescale demo",
                true,
                demo.now(),
                appearance.speed(),
                appearance.cardHourPrice(),
                demo.doing()),
        demo,
        Optional.of(demo),
        Optional.empty(),
        replays,
        forecasts,
        demo);
  }

  @Singleton
  Gatekeeper gatekeeper() {
    return Gatekeeper.open();
  }

  @Singleton
  TlsSettings tls(DemoService.Appearance appearance) {
    var certificate = LoopbackCertificate.made(appearance.today());
    return TlsSettings.ofApi(() -> certificate, () -> Optional.of(TrustSettings.none()));
  }

  /** On loopback every caller may read. */
  @Singleton
  ExternalMetricsApi externalMetrics(Demo demo) {
    var requests = new AtomicLong();
    return new ExternalMetricsApi(
        demo.model(),
        Optional.empty(),
        new Authenticator(
            () -> Optional.of(TrustSettings.none()),
            _ -> Optional.empty(),
            ReviewTtl.usual(),
            demo::now),
        new Authorizer(_ -> new AccessReviewer.Decision(true, ""), ReviewTtl.usual(), demo::now),
        new Health(List.of(), List.of()),
        Optional.ofNullable(DemoBeans.class.getPackage().getImplementationVersion())
            .orElse("0.0.0"),
        demo::now,
        () -> new UUID(0, requests.incrementAndGet()).toString());
  }
}
