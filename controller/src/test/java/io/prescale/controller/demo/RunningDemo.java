package io.prescale.controller.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.prescale.controller.demand.prometheus.PrometheusException;
import io.prescale.controller.demand.prometheus.TlsContext;
import io.prescale.controller.demand.prometheus.TlsOptions;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;
import org.awaitility.Awaitility;

/** A demo on ports of its own that is warm and 90 minutes old; time passes when a test says so. */
final class RunningDemo implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final DemoService service;
  private final HttpClient http;
  private final JsonNode atFirst;

  private RunningDemo(DemoService service, HttpClient http)
      throws IOException, InterruptedException {
    this.service = service;
    this.http = http;
    this.atFirst = page("overview");
  }

  static RunningDemo start() throws IOException, PrometheusException, InterruptedException {
    var anyCertificate = new TlsOptions(Optional.empty(), true, Optional.empty());
    var demo =
        new RunningDemo(
            DemoService.start(
                DemoSettings.of(2, 7, false, 1),
                0,
                0,
                480,
                Instant.parse("2026-01-19T00:00:00Z"),
                OptionalDouble.empty()),
            HttpClient.newBuilder().sslContext(TlsContext.of(anyCertificate)).build());
    Awaitility.await().atMost(Duration.ofMinutes(2)).until(demo.service.demo()::isWarm);
    demo.pass(90);
    return demo;
  }

  /** The overview before anything was learned. */
  JsonNode atFirst() {
    return atFirst;
  }

  void pass(int minutes) {
    for (int i = 0; i < minutes; i++) {
      service.demo().step();
    }
  }

  String pageUrl() {
    return service.pageUrl();
  }

  /** What the page's API answers. */
  JsonNode page(String path) throws IOException, InterruptedException {
    var response = get(pageUrl() + "api/v1/" + path);
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    return JSON.readTree(response.body());
  }

  HttpResponse<String> metric(String name) throws IOException, InterruptedException {
    return get(service.metricsUrl() + name);
  }

  HttpResponse<String> get(String url) throws IOException, InterruptedException {
    return http.send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.ofString());
  }

  HttpResponse<String> post(String path, String body, String... headers)
      throws IOException, InterruptedException {
    return http.send(
        HttpRequest.newBuilder(URI.create(pageUrl() + "api/v1/" + path))
            .headers(headers)
            .POST(BodyPublishers.ofString(body))
            .build(),
        BodyHandlers.ofString());
  }

  @Override
  public void close() {
    service.close();
    http.close();
  }
}
