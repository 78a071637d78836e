package io.prescale.controller.demand.preset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.Quantity;
import io.prescale.controller.api.v1alpha1.MetricEntry;
import io.prescale.controller.api.v1alpha1.MetricTarget;
import io.prescale.controller.api.v1alpha1.PredictiveHPASpec;
import io.prescale.controller.api.v1alpha1.PresetName;
import io.prescale.controller.api.v1alpha1.PresetSignal;
import io.prescale.controller.api.v1alpha1.PrometheusQuery;
import io.prescale.controller.api.v1alpha1.Specs;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class PresetsTest {
  private static final PresetScope EVERYTHING = new PresetScope(Optional.empty(), Optional.empty());

  @Test
  void fillsInModelAndNamespace() {
    assertThat(Presets.promql(entry(PresetName.VLLM, "Qwen/Qwen3-32B", "inference", null), "team"))
        .isEqualTo(
            "sum({__name__=~\"vllm:num_requests_(running|waiting)\",model_name=\"Qwen/Qwen3-32B\",namespace=\"inference\"})");
  }

  @Test
  void takesTheNamespaceOfTheResourceWhereNoneIsGiven() {
    assertThat(Presets.promql(entry(PresetName.TGI, null, null, null), "team"))
        .isEqualTo("sum({__name__=~\"tgi_(queue_size|batch_current_size)\",namespace=\"team\"})");
  }

  @Test
  void passesTheUsersOwnQueryOnAsItIs() {
    var metric = Specs.query("load", "sum(load{a=\"b\"})", "40");

    assertThat(Presets.promql(metric, "team")).isEqualTo("sum(load{a=\"b\"})");
  }

  @Test
  void everySelectorOfEveryQueryHasTheScope() {
    var scope = new PresetScope(Optional.of("m0"), Optional.of("n0"));
    for (var preset : Presets.all()) {
      for (var signal : PresetSignal.values()) {
        preset
            .query(signal)
            .ifPresent(
                query -> {
                  var promql = query.demand().promql(scope);
                  int selectors = count(promql, "{");
                  assertThat(count(promql, "\"n0\"")).as(promql).isEqualTo(selectors);
                  assertThat(count(promql, "\"m0")).as(promql).isEqualTo(selectors);
                });
      }
    }
  }

  @Test
  void aHostileNameStaysTheValueOfALabel() {
    var scope =
        new PresetScope(Optional.of("m\"}) or vector(1) or ({a=\"\\"), Optional.of("n\\\"x"));

    assertThat(Presets.of(PresetName.VLLM).requests().demand().promql(scope))
        .isEqualTo(
            "sum({__name__=~\"vllm:num_requests_(running|waiting)\","
                + "model_name=\"m\\\"}) or vector(1) or ({a=\\\"\\\\\",namespace=\"n\\\\\\\"x\"})");
  }

  @Test
  void aWorkloadsNameIsNoRegularExpression() {
    var scope = new PresetScope(Optional.of("a.b+|.*"), Optional.empty());

    assertThat(Presets.of(PresetName.DCGM).requests().demand().promql(scope))
        .isEqualTo(
            "sum(DCGM_FI_PROF_GR_ENGINE_ACTIVE{exported_pod=~\"a\\\\.b\\\\+\\\\|\\\\.\\\\*(-.*)?\"}"
                + " or DCGM_FI_PROF_GR_ENGINE_ACTIVE{pod=~\"a\\\\.b\\\\+\\\\|\\\\.\\\\*(-.*)?\",exported_pod=\"\"})");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "  ", "a\nb", "a\u0000", "a\u0085b", "a\ud800"})
  void refusesANameThatNoModelHas(String name) {
    assertThatThrownBy(() -> new PresetScope(Optional.of(name), Optional.empty()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("The model ");
  }

  @Test
  void refusesANameThatIsTooLong() {
    assertThatThrownBy(() -> new PresetScope(Optional.empty(), Optional.of("n".repeat(254))))
        .hasMessage("The namespace must have 1 to 253 characters; it has 254.");
  }

  @Test
  void theApiServerTakesScaleInWithoutAQueryForExactlyThePresetsThatKnowTheWorkOfAPod() {
    var rule =
        Stream.of(PredictiveHPASpec.class.getAnnotationsByType(ValidationRule.class))
            .filter(it -> it.fieldPath().equals(".scaleIn") && it.value().contains("m.preset"))
            .findFirst()
            .orElseThrow();
    var presets = rule.value().substring(rule.value().indexOf("m.preset in"));

    assertThat(Pattern.compile("'([a-z-]+)'").matcher(presets).results().map(it -> it.group(1)))
        .containsExactlyInAnyOrderElementsOf(
            Presets.all().stream()
                .filter(preset -> preset.workByPod().isPresent())
                .map(preset -> preset.name().text())
                .toList());
  }

  @Test
  void saysThatThereIsNoSuchSignal() {
    assertThatThrownBy(
            () -> Presets.promql(entry(PresetName.DCGM, null, null, PresetSignal.Tokens), "team"))
        .hasMessage("The preset dcgm has no signal Tokens; use Requests.");
  }

  @Test
  void theApiServerRefusesTokensForExactlyThePresetsWithoutThem() {
    var rules =
        Stream.of(MetricEntry.class.getAnnotationsByType(ValidationRule.class))
            .filter(rule -> rule.fieldPath().equals(".signal"))
            .toList();
    assertThat(rules).hasSize(1);
    var named = Pattern.compile("'([a-z-]+)'").matcher(rules.getFirst().value()).results();

    assertThat(named.map(it -> it.group(1)))
        .containsExactlyInAnyOrderElementsOf(
            Presets.all().stream()
                .filter(preset -> preset.tokens().isEmpty())
                .map(preset -> preset.name().text())
                .toList());
  }

  @Test
  void saysThatAMetricHasNoQuery() {
    assertThatThrownBy(() -> Presets.promql(entry(null, null, null, null), "team"))
        .hasMessage("The metric m has neither prometheus.query nor preset; add one of them.");
  }

  @Test
  void nimWithoutAScopeSelectsItsJob() {
    assertThat(Presets.of(PresetName.NIM).requests().demand().promql(EVERYTHING))
        .isEqualTo("sum({__name__=~\"num_requests_(running|waiting)\",job=\"nim\"})");
  }

  @ParameterizedTest
  @EnumSource(PresetName.class)
  void neverMeasuresAUtilisationThatSaturates(PresetName name) {
    var preset = Presets.of(name);
    var promql = preset.requests().demand().promql(EVERYTHING);

    assertThat(promql).doesNotContainIgnoringCase("util").doesNotContain("cache_usage");
    assertThat(preset.traps()).hasSizeGreaterThan(2);
    assertThat(preset.name()).isEqualTo(name);
  }

  @Test
  void anOwnQueryHasTheUnitThatItSays() {
    var query = new PrometheusQuery("sum(tokens)", "tokens a second");
    var own =
        new MetricEntry(
            "m",
            query,
            null,
            null,
            null,
            null,
            new MetricTarget(Quantity.parse("40")),
            List.of(),
            null);

    assertThat(Presets.unit(own)).contains("tokens a second");
    assertThat(Presets.unit(Specs.query("m", "sum(tokens)", "40"))).isEmpty();
    assertThat(Presets.unit(entry(PresetName.VLLM, null, null, null))).contains("requests");
  }

  private static MetricEntry entry(
      @Nullable PresetName preset,
      @Nullable String model,
      @Nullable String namespace,
      @Nullable PresetSignal signal) {
    return new MetricEntry(
        "m",
        null,
        preset,
        model,
        namespace,
        signal,
        new MetricTarget(Quantity.parse("40")),
        List.of(),
        null);
  }

  private static int count(String text, String part) {
    return (text.length() - text.replace(part, "").length()) / part.length();
  }
}
