package io.prescale.controller.demand.source;

import static io.prescale.controller.demand.prometheus.ScriptedServer.json;
import static io.prescale.controller.demand.prometheus.ScriptedServer.matrix;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.prescale.controller.autoscaling.Reading.Missing;
import io.prescale.controller.autoscaling.Reading.Observed;
import io.prescale.controller.demand.prometheus.Credentials;
import io.prescale.controller.demand.prometheus.Header;
import io.prescale.controller.demand.prometheus.PrometheusServer;
import io.prescale.controller.demand.prometheus.ScriptedServer;
import io.prescale.controller.demand.prometheus.ScriptedServer.Answer;
import io.prescale.controller.demand.prometheus.TlsOptions;
import io.prescale.controller.demand.source.MetricSource.HistoryReading;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Queries whose server is to find series of one namespace alone. */
class EnforcedNamespaceTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:10Z");

  private final PrometheusSource source =
      new PrometheusSource(SourceSettings.defaults(), new SplittableRandom(1));

  @AfterEach
  void close() {
    source.close();
  }

  /** As a proxy would: what is found depends on the header alone. */
  private static final Answer PROXY =
      exchange -> {
        var namespaces = exchange.getRequestHeaders().get("X-Prescale-Namespace");
        assertThat(namespaces).hasSize(1);
        var value = namespaces.getFirst().length();
        json(matrix("{\"metric\":{},\"values\":[[1767225600,\"%d\"]]}".formatted(value)))
            .to(exchange);
      };

  @Test
  void noNamespaceIsGivenTheAnswerOfAnother() throws Exception {
    try (var server = new ScriptedServer(PROXY)) {
      for (String namespace : List.of("a", "bcd", "a")) {
        var query = query(server.url(), namespace, "sum(load)");

        assertThat(read(query)).isEqualTo(namespace.length());
        assertThat(history(query)).isEqualTo(namespace.length());
      }
      assertThat(server.requests()).as("equal reads are sent once").hasSize(2 + 3);
    }
  }

  @Test
  void aQueryTooLongForAUrlCarriesItToo() throws Exception {
    try (var server = new ScriptedServer(PROXY)) {
      var query =
          query(server.url(), "team", "sum(load{path!=\"%s\"})".formatted("x".repeat(5000)));

      assertThat(read(query)).isEqualTo(4);
      assertThat(server.requests().getFirst()).startsWith("POST /api/v1/query_range");
    }
  }

  @Test
  void itsTenantAndItsCredentialsStay() {
    var tenants =
        new PrometheusServer(
            URI.create("http://mimir"),
            new Credentials.Bearer("token"),
            List.of(Header.tenant("all")),
            TlsOptions.system());
    var enforced = tenants.withEnforcedNamespace("team");

    assertThat(tenants.enforcedNamespace()).isEmpty();
    assertThat(enforced.enforcedNamespace()).contains("team");
    assertThat(enforced.credentials()).isEqualTo(tenants.credentials());
    assertThat(enforced.headers())
        .containsExactly(Header.tenant("all"), new Header("X-Prescale-Namespace", "team"));
  }

  @Test
  void whatFindsNothingSaysWhatIsFoundAtAll() throws Exception {
    try (var server = new ScriptedServer(json(matrix("")))) {
      var query = query(server.url(), "team", "sum(gateway_requests)");
      var reading = source.read(query, NOW.minusSeconds(70), NOW).get(30, TimeUnit.SECONDS);

      assertThat(((Missing) reading).message())
          .isEqualTo(
              "The query \"sum(gateway_requests)\" finds nothing; look at it in Prometheus' own"
                  + " graph, and whether its targets are up. An administrator lets it find only"
                  + " series with the label namespace=\"team\".");
    }
  }

  /** Real servers show with prom-label-proxy 0.15 that the parameter reads every namespace. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "quantile(scalar(sum(load{namespace=\"b\"})) / 100, load)",
        "TOPK by (pod) (scalar # a comment\n (load), load)",
        "limit_ratio without () (scalar(load), load)",
        "load + (bottomk(((scalar(load))), load))",
      })
  void refusesSelectorsThatNoProxyReaches(String promql) {
    var open = PrometheusServer.at(URI.create("http://prometheus"));
    var enforced = open.withEnforcedNamespace("team");

    assertThat(new MetricQuery("team", open, promql, Duration.ofMinutes(1)).promql())
        .isEqualTo(promql);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new MetricQuery("team", enforced, promql, Duration.ofMinutes(1)))
        .withMessageContaining("cannot combine scalar() with topk, bottomk, quantile");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "load / scalar(sum(limit))",
        "quantile(0.9, load)",
        "histogram_quantile(scalar(sum(share)), load)",
        "quantile_over_time(scalar(sum(share)), load[5m])",
        "sum(load{topk_scalar=\"x\"})",
      })
  void takesWhatAProxyReaches(String promql) {
    assertThat(query(URI.create("http://prometheus"), "team", promql).promql()).isEqualTo(promql);
  }

  private double read(MetricQuery query) throws Exception {
    var reading = source.read(query, NOW.minusSeconds(70), NOW).get(30, TimeUnit.SECONDS);
    return ((Observed) reading).samples().getFirst().value();
  }

  private double history(MetricQuery query) throws Exception {
    var history = source.history(query, NOW.minusSeconds(600), NOW).get(30, TimeUnit.SECONDS);
    var series = ((HistoryReading.Found) history).series();
    return series.value(series.size() - 1);
  }

  private static MetricQuery query(URI url, String namespace, String promql) {
    var server = PrometheusServer.at(url).withEnforcedNamespace(namespace);
    return new MetricQuery(namespace, server, promql, Duration.ofMinutes(1));
  }
}
