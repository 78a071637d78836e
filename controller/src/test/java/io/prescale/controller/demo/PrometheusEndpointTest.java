package io.prescale.controller.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.demo.PrometheusEndpoint.Reply;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PrometheusEndpointTest {
  private static final Instant START = Instant.parse("2026-01-05T00:00:00Z");

  private final MetricStore store = new MetricStore(START);
  private final PrometheusEndpoint endpoint = new PrometheusEndpoint(store);

  PrometheusEndpointTest() {
    for (int minute = 0; minute < 4; minute++) {
      store.add("chat", START.plusSeconds(60L * minute), 10 + minute);
    }
    store.add("speech", START, 2.5);
  }

  private Reply range(String query, long from, long to, String step) {
    return endpoint.answer(
        "query_range",
        Map.of(
            "query",
            query,
            "start",
            Long.toString(START.getEpochSecond() + from),
            "end",
            Long.toString(START.getEpochSecond() + to),
            "step",
            step),
        START);
  }

  @Test
  void answersARangeAsPrometheusDoes() {
    assertThat(range("sum(demo_concurrent_requests{workload=\"chat\"})", 0, 120, "60"))
        .isEqualTo(
            new Reply(
                200,
                """
                {"status":"success","data":{"resultType":"matrix","result":[{"metric":{},\
                "values":[[1767571200.000,"10.0"],[1767571260.000,"11.0"],[1767571320.000,"12.0"]]}]}}\
                """));
  }

  @Test
  void namesTheSeriesThatAreNotAddedUp() {
    assertThat(range("demo_concurrent_requests", 0, 0, "1m").json())
        .contains("\"metric\":{\"__name__\":\"demo_concurrent_requests\",\"workload\":\"chat\"}")
        .contains("\"workload\":\"speech\"");
    assertThat(range("sum( demo_concurrent_requests )", 0, 0, "1m").json())
        .contains("[[1767571200.000,\"12.5\"]]");
  }

  @Test
  void answersAnInstantQueryWithTheNewestOfFiveMinutes() {
    var parameters = new HashMap<>(Map.of("query", "demo_concurrent_requests{workload=\"chat\"}"));

    assertThat(endpoint.answer("query", parameters, START.plusSeconds(400)).json())
        .contains("\"vector\"")
        .contains("[1767571600.000,\"13.0\"]");
    assertThat(endpoint.answer("query", parameters, START.plusSeconds(600)).json())
        .contains("\"result\":[]");
  }

  @Test
  void knowsNothingBeforeTheFirstSample() {
    assertThat(range("demo_concurrent_requests", -3600, -60, "60").json())
        .contains("\"result\":[]");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "up",
        "sum(demo_concurrent_requests",
        "demo_concurrent_requests)",
        "rate(demo_concurrent_requests[1m])",
        "demo_concurrent_requests{workload=~\".*\"}",
        "demo_concurrent_requests{workload=\"\\\"\"}"
      })
  void refusesWhatItDoesNotKnow(String query) {
    var reply = range(query, 0, 60, "60");

    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.json()).contains("\"errorType\":\"bad_data\"", "the demo's Prometheus knows");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0", "-1", "NaN", "1y", "999999999999"})
  void refusesAStepThatIsNone(String step) {
    assertThat(range("demo_concurrent_requests", 0, 60, step).json())
        .contains("invalid parameter \\\"step\\\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "now", "1e999999999", "2026-13-01T00:00:00Z", "NaN"})
  void refusesATimeThatIsNone(String time) {
    var reply =
        endpoint.answer(
            "query_range",
            Map.of("query", "demo_concurrent_requests", "start", time, "end", "0", "step", "60"),
            START);

    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.json()).contains("invalid parameter");
  }

  @Test
  void refusesMorePointsThanPrometheusGives() {
    assertThat(range("demo_concurrent_requests", 0, 60 * 11_001L, "60").json())
        .contains("exceeded maximum resolution of 11,000 points");
    assertThat(range("demo_concurrent_requests", 60, 0, "60").json())
        .contains("end timestamp must not be before start time");
    assertThat(endpoint.answer("labels", Map.of(), START).status()).isEqualTo(404);
  }
}
