package io.prescale.controller.demand.prometheus;

import static io.prescale.controller.demand.prometheus.ScriptedServer.ONE_SAMPLE;
import static io.prescale.controller.demand.prometheus.ScriptedServer.json;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The request that each recipe of docs/prometheus.md makes: its path and its headers. */
class PrometheusRecipesTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final RangeQuery QUERY =
      new RangeQuery("sum(load)", START, START, Duration.ofMinutes(1));

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          Thanos                | /                       |           |            | /api/v1/query_range
          Mimir                 | /prometheus             | team-a    |            | /prometheus/api/v1/query_range
          VictoriaMetrics       | /                       |           | token      | /api/v1/query_range
          VictoriaMetrics, many | /select/0/prometheus/   |           |            | /select/0/prometheus/api/v1/query_range
          Grafana Cloud         | /api/prom               |           | 1234:glc_x | /api/prom/api/v1/query_range
          Amazon, by its proxy  | /workspaces/ws-0123-abc |           |            | /workspaces/ws-0123-abc/api/v1/query_range
          Azure                 | /                       |           | token      | /api/v1/query_range
          """)
  void asksWhatTheServiceExpects(
      String service,
      String base,
      @Nullable String tenant,
      @Nullable String credentials,
      String path)
      throws Exception {
    try (var server = new ScriptedServer(json(ONE_SAMPLE));
        var client =
            new PrometheusClient(
                new PrometheusServer(
                    server.url().resolve(base),
                    credentials(credentials),
                    tenant == null ? List.of() : List.of(Header.tenant(tenant)),
                    TlsOptions.system()),
                Patience.defaults(),
                _ -> {})) {
      assertThat(client.range(QUERY).samples()).as(service).hasSize(1);

      var request = server.requests().getFirst();
      assertThat(request).startsWith("GET " + path + " ");
      assertThat(request.contains("X-scope-orgid=[team-a]")).isEqualTo(tenant != null);
      assertThat(request.contains("Authorization=[Bearer token]"))
          .isEqualTo("token".equals(credentials));
      assertThat(request.contains("Authorization=[Basic MTIzNDpnbGNfeA==]"))
          .isEqualTo("1234:glc_x".equals(credentials));
    }
  }

  private static Credentials credentials(@Nullable String text) {
    if (text == null) {
      return new Credentials.None();
    }
    int colon = text.indexOf(':');
    return colon < 0
        ? new Credentials.Bearer(text)
        : new Credentials.Basic(text.substring(0, colon), text.substring(colon + 1));
  }
}
