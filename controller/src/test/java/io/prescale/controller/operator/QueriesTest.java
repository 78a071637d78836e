package io.prescale.controller.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.demand.prometheus.PrometheusServer;
import io.prescale.controller.demand.source.MetricQuery;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class QueriesTest {
  private static final Queries LED = queries("sum(load)", leading("gateway", "sum(arrivals)"));

  @Test
  void haveTheSameAnswersOnlyWithTheSameLeadingSeries() {
    assertThat(same(queries("sum(load)", leading("gateway", "sum(arrivals)")))).isTrue();
    assertThat(same(queries("sum(other)", leading("gateway", "sum(arrivals)")))).isFalse();
    assertThat(same(queries("sum(load)", leading("gateway", "sum(other)")))).isFalse();
    assertThat(same(queries("sum(load)", leading("other", "sum(arrivals)")))).isFalse();
    assertThat(same(queries("sum(load)"))).isFalse();
    var two = leading("sessions", "sum(sessions)");
    assertThat(same(queries("sum(load)", leading("gateway", "sum(arrivals)"), two))).isFalse();
    assertThat(same(new Queries(LED.demands(), List.of(of("tokens", LED.leading().getFirst())))))
        .as("it leads another metric")
        .isFalse();
  }

  private static boolean same(Queries other) {
    return LED.haveSameAnswersAs(other);
  }

  private static LeadingQuery of(String metric, LeadingQuery it) {
    return new LeadingQuery(metric, it.name(), it.query());
  }

  private static LeadingQuery leading(String name, String promql) {
    return new LeadingQuery("requests", name, query(promql));
  }

  private static Queries queries(String promql, LeadingQuery... leading) {
    return new Queries(Map.of("requests", query(promql)), List.of(leading));
  }

  private static MetricQuery query(String promql) {
    var server = PrometheusServer.at(URI.create("http://a.b"));
    return new MetricQuery("team", server, promql, Duration.ofMinutes(1));
  }
}
