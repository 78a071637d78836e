package io.prescale.controller.demand.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.demand.prometheus.Credentials;
import io.prescale.controller.demand.prometheus.Header;
import io.prescale.controller.demand.prometheus.PrometheusServer;
import io.prescale.controller.demand.prometheus.TlsOptions;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class MetricQueryTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  @Test
  void aRenewedTokenAsksTheSame() {
    assertThat(
            query("http://one", "old", "load").hasSameAnswerAs(query("http://one", "new", "load")))
        .isTrue();
  }

  @Test
  void anotherServerTenantQueryOrStepIsAnotherQuestion() {
    var query = query("http://one", "token", "load");

    assertThat(query.hasSameAnswerAs(query("http://two", "token", "load"))).isFalse();
    assertThat(query.hasSameAnswerAs(query("http://one", "token", "other"))).isFalse();
    assertThat(
            query.hasSameAnswerAs(
                new MetricQuery("team", query.server(), "load", MINUTE.dividedBy(2))))
        .isFalse();
    var tenants =
        new PrometheusServer(
            query.server().url(),
            query.server().credentials(),
            List.of(Header.tenant("a")),
            TlsOptions.system());
    assertThat(query.hasSameAnswerAs(new MetricQuery("team", tenants, "load", MINUTE))).isFalse();
  }

  private static MetricQuery query(String url, String token, String promql) {
    return new MetricQuery(
        "team",
        new PrometheusServer(
            URI.create(url), new Credentials.Bearer(token), List.of(), TlsOptions.system()),
        promql,
        MINUTE);
  }
}
