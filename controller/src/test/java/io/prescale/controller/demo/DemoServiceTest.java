package io.prescale.controller.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.prescale.controller.demand.prometheus.PrometheusException;
import io.prescale.controller.demand.prometheus.TlsContext;
import io.prescale.controller.demand.prometheus.TlsOptions;
import io.prescale.controller.web.WebServer;
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
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.MethodName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.TestMethodOrder;

/** The demo as a whole, over its ports; its time passes when a test says so. */
@TestInstance(Lifecycle.PER_CLASS)
@TestMethodOrder(MethodName.class)
class DemoServiceTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  private DemoService service;
  private HttpClient http;

  @BeforeAll
  void start() throws IOException, PrometheusException {
    var anybody = new TlsOptions(Optional.empty(), true, Optional.empty());
    http = HttpClient.newBuilder().sslContext(TlsContext.of(anybody)).build();
    service =
        new DemoService(
            DemoSettings.of(2, 7, 1),
            WebServer.bind(0),
            0,
            480,
            Instant.parse("2026-01-19T00:00:00Z"));
    Awaitility.await().atMost(Duration.ofMinutes(2)).until(service.demo()::isWarm);
    for (int i = 0; i < 90; i++) {
      service.demo().step();
    }
  }

  @AfterAll
  void stop() {
    service.close();
  }

  private HttpResponse<String> get(String url) throws IOException, InterruptedException {
    return http.send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.ofString());
  }

  private JsonNode page(String path) throws IOException, InterruptedException {
    var response = get(service.pageUrl() + "api/v1/" + path);
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    return JSON.readTree(response.body());
  }

  private HttpResponse<String> post(String path, String body, String... headers)
      throws IOException, InterruptedException {
    return http.send(
        HttpRequest.newBuilder(URI.create(service.pageUrl() + "api/v1/" + path))
            .headers(headers)
            .POST(BodyPublishers.ofString(body))
            .build(),
        BodyHandlers.ofString());
  }

  @Test
  void aForecastIsActedOnAfterAnHourAndAHalf() throws IOException, InterruptedException {
    var overview = page("overview");

    assertThat(overview.at("/about/now").asText()).isEqualTo("2026-01-19T08:00:00Z");
    assertThat(overview.at("/workloads")).hasSize(2);
    for (var workload : overview.at("/workloads")) {
      assertThat(workload.at("/state").asText()).isEqualTo("TRUSTED");
      assertThat(workload.at("/served").asDouble())
          .isGreaterThan(workload.at("/demand").asDouble());
      assertThat(workload.at("/shortSeconds").asLong()).isLessThan(20 * 60);
      assertThat(workload.at("/leadSeconds").asLong()).isBetween(200L, 700L);
    }
  }

  @Test
  void bTheMetricsApiServesWhatThePageShows() throws IOException, InterruptedException {
    var answer = JSON.readTree(get(service.metricsUrl() + "chat-8b-demand").body());
    var shown = page("overview").at("/workloads/1");

    assertThat(answer.at("/kind").asText()).isEqualTo("ExternalMetricValueList");
    assertThat(answer.at("/items/0/metricName").asText()).isEqualTo("chat-8b-demand");
    assertThat(answer.at("/items/0/value").asText())
        .isEqualTo(Long.toString(shown.at("/served").asLong()));
  }

  @Test
  void cEveryMinuteSaysWhy() throws IOException, InterruptedException {
    long at = Instant.parse("2026-01-19T07:40:00Z").getEpochSecond();
    var why = page("workloads/chat-8b/why?at=" + at);
    var series = page("workloads/chat-8b/series?minutes=60");

    int index = -1;
    for (int i = 0; i < series.at("/time").size(); i++) {
      index = series.at("/time/" + i).asLong() == at ? i : index;
    }
    assertThat(why.at("/served").asDouble()).isEqualTo(series.at("/served/" + index).asDouble());
    assertThat(why.at("/observed").asDouble())
        .isEqualTo(series.at("/demand/" + (index - 1)).asDouble());
    var forecast = why.at("/forecast");
    assertThat(
            forecast.at("/level").asDouble()
                + forecast.at("/season").asDouble()
                + forecast.at("/correction").asDouble()
                + forecast.at("/event").asDouble())
        .isCloseTo(forecast.at("/p50").asDouble(), offset(0.001));
    assertThat(why.at("/hpa/wanted").asInt()).isPositive();
    assertThat(why.at("/hpa/gate").asText()).isNotEqualTo("NOT_READ_YET");
    assertThat(why.at("/sentences")).hasSizeGreaterThan(4);
    assertThat(page("workloads/chat-8b/why?at=0").isNull()).isTrue();
  }

  @Test
  void dForecastsReachOneLeadTimeAhead() throws IOException, InterruptedException {
    var series = page("workloads/chat-70b/series?minutes=30");
    long now = Instant.parse(series.at("/now").asText()).getEpochSecond();
    int last = series.at("/time").size() - 1;

    // A forecaster follows a shorter lead time only when it is much shorter.
    assertThat(series.at("/time/" + last).asLong() - now)
        .isBetween(series.at("/leadSeconds").asLong() - 60, 700L);
    assertThat(series.at("/demand/" + last).isNull()).isTrue();
    assertThat(series.at("/p95/" + last).asDouble())
        .isGreaterThanOrEqualTo(series.at("/p50/" + last).asDouble());
    assertThat(series.at("/demand/29").asDouble()).isPositive();
  }

  @Test
  void eWhatChangesSomethingNeedsAPageOfThisServer() throws IOException, InterruptedException {
    assertThat(post("actions/spike", "{}", "Content-Type", "text/plain").statusCode())
        .isEqualTo(415);
    assertThat(
            post("actions/spike", "{}", "Content-Type", "application/json", "Origin", "http://evil")
                .statusCode())
        .isEqualTo(403);
    assertThat(post("actions/spike", "{", "Content-Type", "application/json").statusCode())
        .isEqualTo(400);
    assertThat(post("actions/fly", "{}", "Content-Type", "application/json").statusCode())
        .isEqualTo(409);
    assertThat(
            post("actions/spike", "x".repeat(70_000), "Content-Type", "application/json")
                .statusCode())
        .isEqualTo(413);
    assertThat(get(service.pageUrl() + "api/v1/gpus?limit=x%20y").statusCode()).isEqualTo(400);
    assertThat(page("overview").at("/events")).isEmpty();
  }

  @Test
  void fWithoutPrometheusTheLastValueStandsAndThenTheHpaKeepsItsReplicas()
      throws IOException, InterruptedException {
    double before = page("overview").at("/workloads/1/served").asDouble();
    assertThat(
            post(
                    "actions/stop-prometheus",
                    "{}",
                    "Content-Type",
                    "application/json",
                    "Origin",
                    service.pageUrl().replaceAll("/$", ""))
                .body())
        .isEqualTo("{\"done\":\"Prometheus is stopped.\"}");

    for (int i = 0; i < 5; i++) {
      service.demo().step();
    }
    var blind = page("overview").at("/workloads/1");
    assertThat(blind.at("/state").asText()).isEqualTo("BLIND");
    assertThat(blind.at("/served").asDouble()).isEqualTo(before);
    assertThat(blind.at("/note").asText()).contains("broke off the connection");

    for (int i = 0; i < 15; i++) {
      service.demo().step();
    }
    int replicas = page("overview").at("/workloads/1/wanted").asInt();
    var refused = get(service.metricsUrl() + "chat-8b-demand");
    assertThat(refused.statusCode()).isEqualTo(503);
    for (int i = 0; i < 10; i++) {
      service.demo().step();
    }
    assertThat(page("overview").at("/workloads/1/wanted").asInt()).isEqualTo(replicas);

    assertThat(
            post("actions/start-prometheus", "{}", "Content-Type", "application/json").statusCode())
        .isEqualTo(200);
    for (int i = 0; i < 3; i++) {
      service.demo().step();
    }
    assertThat(page("overview").at("/workloads/1/state").asText()).isNotEqualTo("BLIND");
    assertThat(get(service.metricsUrl() + "chat-8b-demand").statusCode()).isEqualTo(200);
  }

  /** That it also ends, and how, is seen in the browser. */
  @Test
  void gBeginsAReplayAndRefusesASecondOne() throws IOException, InterruptedException {
    assertThat(page("workloads/chat-8b/replay").isNull()).isTrue();
    assertThat(startReplay("nothing").body())
        .isEqualTo("{\"error\":\"There is no workload nothing.\"}");
    assertThat(startReplay("chat-8b").statusCode()).isEqualTo(202);
    assertThat(startReplay("chat-70b").body())
        .isEqualTo("{\"error\":\"A replay of chat-8b is running; only one runs at a time.\"}");

    Awaitility.await()
        .atMost(Duration.ofMinutes(2))
        .until(() -> page("workloads/chat-8b/replay").at("/done").asDouble() > 0.02);
    assertThat(page("workloads/chat-8b/replay").at("/state").asText()).isEqualTo("RUNNING");
    assertThat(get(service.pageUrl() + "api/v1/workloads/chat-8b/replay/report").statusCode())
        .isEqualTo(404);
  }

  private HttpResponse<String> startReplay(String workload)
      throws IOException, InterruptedException {
    return post("workloads/" + workload + "/replay", "{}", "Content-Type", "application/json");
  }
}
