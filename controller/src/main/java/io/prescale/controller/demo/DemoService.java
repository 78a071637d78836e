package io.prescale.controller.demo;

import com.sun.net.httpserver.HttpExchange;
import io.micronaut.http.server.exceptions.ServerStartupException;
import io.prescale.adapter.api.ExternalMetricsApi;
import io.prescale.adapter.api.Health;
import io.prescale.adapter.identity.AccessReviewer;
import io.prescale.adapter.identity.Authenticator;
import io.prescale.adapter.identity.Authorizer;
import io.prescale.adapter.identity.TrustSettings;
import io.prescale.adapter.server.HttpsServer;
import io.prescale.adapter.server.HttpsSettings;
import io.prescale.controller.certificates.LoopbackCertificate;
import io.prescale.controller.demand.prometheus.Patience;
import io.prescale.controller.demand.prometheus.PrometheusServer;
import io.prescale.controller.demand.source.PrometheusSource;
import io.prescale.controller.demand.source.SourceSettings;
import io.prescale.controller.web.About;
import io.prescale.controller.web.Gatekeeper;
import io.prescale.controller.web.WebServer;
import io.prescale.controller.web.WebViews;
import io.prescale.controller.web.live.HistoryReplays;
import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The demo on ports of this machine: the page, the Prometheus that the controller reads, and the
 * external metrics API.
 */
public final class DemoService implements AutoCloseable {
  /** So many workloads are learned for minutes. */
  private static final int MANY = 20;

  private static final String PROMETHEUS = "/prometheus/api/v1/";

  private final WebServer web;
  private final HttpsServer metrics;
  private final PrometheusSource source;
  private final Fits fits;
  private final Demo demo;
  private final HistoryReplays replays;

  /**
   * Begins to answer; time stands still until somebody steps.
   *
   * @param web bound to its port; closed with this
   * @param metricsPort of the external metrics API; 0 takes a free one
   * @param speed of the clock, to tell
   * @param today for the certificate
   * @throws IOException if the port of the metrics API is taken; then nothing is left open
   */
  public DemoService(
      DemoSettings settings, WebServer web, int metricsPort, double speed, Instant today)
      throws IOException {
    this.web = web;
    this.fits = new Fits(settings.workloads() > MANY ? 1 : 2);
    this.source = new PrometheusSource(sourceSettings(), new SplittableRandom(settings.seed()));
    var server =
        PrometheusServer.at(URI.create("http://127.0.0.1:%d/prometheus".formatted(web.port())));
    this.demo = new Demo(settings, source, server, fits);
    this.replays = new HistoryReplays(it -> demo.replaySubject(server, it), source, demo::now);
    web.add(PROMETHEUS, this::answerPrometheus);
    this.metrics = startMetrics(metricsPort, today);
    web.serve(
        new WebViews(
            () -> new About("Prescale demo", true, demo.now(), speed, Optional.of(metricsUrl())),
            demo,
            Optional.of(demo),
            replays,
            demo),
        Gatekeeper.open());
  }

  private HttpsServer startMetrics(int port, Instant today) throws IOException {
    try {
      return HttpsServer.start(api(), httpsSettings(port, today));
    } catch (ServerStartupException e) {
      web.close();
      source.close();
      fits.close();
      throw new IOException(
          "Port %d cannot be used for the external metrics API (%s)."
              .formatted(port, e.getMessage()),
          e);
    }
  }

  /** One attempt on loopback, without the pauses that a busy server deserves. */
  private static SourceSettings sourceSettings() {
    var patience =
        new Patience(
            Duration.ofSeconds(2), Duration.ofSeconds(10), 1, Duration.ZERO, Duration.ZERO);
    return new SourceSettings(
        8, patience, patience, Duration.ZERO, Duration.ofSeconds(1), Duration.ofSeconds(30));
  }

  private static HttpsSettings httpsSettings(int port, Instant today) {
    var certificate = LoopbackCertificate.made(today);
    return new HttpsSettings(
        "127.0.0.1",
        port,
        () -> certificate,
        () -> Optional.of(TrustSettings.none()),
        HttpsSettings.DEFAULT_IN_FLIGHT);
  }

  /** On loopback everybody may read. */
  private ExternalMetricsApi api() {
    var requests = new AtomicLong();
    return new ExternalMetricsApi(
        demo.model(),
        new Authenticator(
            () -> Optional.of(TrustSettings.none()), _ -> Optional.empty(), demo::now),
        new Authorizer(_ -> new AccessReviewer.Decision(true, ""), demo::now),
        new Health(List.of(), List.of()),
        Optional.ofNullable(DemoService.class.getPackage().getImplementationVersion())
            .orElse("0.0.0"),
        demo::now,
        () -> new UUID(0, requests.incrementAndGet()).toString());
  }

  /** A stopped Prometheus hangs up without a word. */
  private void answerPrometheus(HttpExchange exchange) throws IOException {
    try (exchange) {
      var parameters = new HashMap<String, String>();
      read(String.valueOf(exchange.getRequestURI().getRawQuery()), parameters);
      read(
          new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8), parameters);
      var path = exchange.getRequestURI().getPath().substring(PROMETHEUS.length());
      var reply = demo.prometheus(path, parameters);
      if (reply.isPresent()) {
        byte[] body = reply.get().json().getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(reply.get().status(), body.length);
        exchange.getResponseBody().write(body);
      }
    }
  }

  private static void read(String form, Map<String, String> parameters) {
    for (String pair : form.split("&", -1)) {
      int equals = pair.indexOf('=');
      if (equals > 0) {
        parameters.put(
            URLDecoder.decode(pair.substring(0, equals), StandardCharsets.UTF_8),
            URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8));
      }
    }
  }

  public Demo demo() {
    return demo;
  }

  public String pageUrl() {
    return "http://127.0.0.1:%d/".formatted(web.port());
  }

  /** Where the values of all workloads are. */
  public String metricsUrl() {
    return "https://127.0.0.1:%d/apis/external.metrics.k8s.io/v1beta1/namespaces/%s/"
        .formatted(metrics.port(), Workload.NAMESPACE);
  }

  public String prometheusUrl() {
    return "http://127.0.0.1:%d/prometheus".formatted(web.port());
  }

  @Override
  public void close() {
    web.close();
    metrics.close();
    replays.close();
    source.close();
    fits.close();
  }
}
