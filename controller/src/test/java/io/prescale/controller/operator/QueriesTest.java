package io.prescale.controller.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Quantity;
import io.prescale.controller.api.v1alpha1.MetricEntry;
import io.prescale.controller.api.v1alpha1.MetricTarget;
import io.prescale.controller.api.v1alpha1.PresetName;
import io.prescale.controller.api.v1alpha1.PresetSignal;
import io.prescale.controller.api.v1alpha1.Specs;
import io.prescale.controller.demand.preset.Presets;
import io.prescale.controller.demand.prometheus.PrometheusServer;
import io.prescale.controller.demand.source.MetricQuery;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class QueriesTest {
  private static final PrometheusServer SERVER = PrometheusServer.at(URI.create("http://a.b"));
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
    var ofAnother = List.of(of("tokens", LED.leading().getFirst()));
    assertThat(same(new Queries(LED.demands(), Map.of(), ofAnother)))
        .as("it leads another metric")
        .isFalse();
  }

  /** Else a fall would be believed at once that comes of pods which are not scraped any more. */
  @ParameterizedTest
  @EnumSource
  void theSeriesBehindEveryPresetAreCounted(PresetName preset) {
    for (var signal : PresetSignal.values()) {
      if (Presets.of(preset).query(signal).isPresent()) {
        assertThat(counting(preset, "chat", signal)).startsWith("count(");
        assertThat(counting(preset, null, signal)).startsWith("count(");
      }
    }
  }

  @Test
  void ofTritonOneMetricOfEachPodIsCounted() {
    assertThat(counting(PresetName.TRITON, null, null))
        .isEqualTo("count(nv_trt_llm_request_metrics{request_type=\"active\",namespace=\"team\"})");
    assertThat(counting(PresetName.TRITON, "bert", null))
        .isEqualTo(
            "count(nv_trt_llm_request_metrics{request_type=\"active\",model_id=\"bert\","
                + "namespace=\"team\"}) or count(nv_inference_pending_request_count{"
                + "model=\"bert\",namespace=\"team\"})");
  }

  private static String counting(
      PresetName preset, @Nullable String model, @Nullable PresetSignal signal) {
    var target = new MetricTarget(Quantity.parse("40"));
    var metric =
        new MetricEntry("demand", null, preset, model, null, signal, target, List.of(), null);
    var resource = PredictiveHpas.chat();
    var spec = resource.getSpec();
    resource.setSpec(
        Specs.of(
            spec.scaleTargetRef(),
            spec.minReplicas(),
            spec.maxReplicas(),
            spec.mode(),
            List.of(metric)));
    var queries = Queries.of(resource, SERVER, Duration.ofMinutes(1));
    return queries.countingSeries("demand").orElseThrow().promql();
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
    return new Queries(Map.of("requests", query(promql)), Map.of(), List.of(leading));
  }

  private static MetricQuery query(String promql) {
    return new MetricQuery("team", SERVER, promql, Duration.ofMinutes(1));
  }
}
