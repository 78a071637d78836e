package io.prescale.controller.api.v1alpha1;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PredictiveHPATest {
  private static final ScaleTargetRef CHAT = new ScaleTargetRef("apps/v1", "Deployment", "chat");

  @Test
  void readsWhatUsersWrite() {
    var spec =
        Serialization.unmarshal(
                """
                apiVersion: autoscaling.prescale.io/v1alpha1
                kind: PredictiveHPA
                metadata: {name: chat, namespace: inference}
                spec:
                  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: chat}
                  minReplicas: 2
                  maxReplicas: 24
                  mode: Active
                  leadTime: 90s
                  risk: {budget: 0.5%}
                  fallback: {ttl: 1h}
                  adopt: chat-hpa
                  behavior: {scaleUp: {tolerance: "0.05"}}
                  prometheus:
                    url: https://mimir:8080/prometheus
                    bearerToken: {name: mimir, key: token}
                  forecast:
                    history: 4w
                    step: 30s
                    timeZone: Europe/Berlin
                    events:
                    - {name: sale, start: "2026-11-27T08:00:00+01:00", end: "2026-11-27T20:00:00Z", factor: 2.5}
                  metrics:
                  - name: requests
                    preset: sglang
                    model: Qwen/Qwen3-32B
                    target: {averageValue: 40}
                  - name: cpu
                    native:
                      type: Resource
                      resource: {name: cpu, target: {type: Utilization, averageUtilization: 80}}
                """,
                PredictiveHPA.class)
            .getSpec();

    assertThat(spec.scaleTargetRef().display()).isEqualTo("Deployment/chat");
    assertThat(spec.mode()).isEqualTo(Mode.Active);
    assertThat(spec.declaredLeadTime()).hasValue(Duration.ofSeconds(90));
    assertThat(spec.risk()).isEqualTo(new RiskSpec("0.5%", null, null, null, null));
    assertThat(spec.fallback().ttlLength()).isEqualTo(Duration.ofHours(1));
    assertThat(spec.forecast().historyLength()).isEqualTo(Duration.ofDays(28));
    assertThat(spec.forecast().stepLength()).isEqualTo(Duration.ofSeconds(30));
    assertThat(spec.forecast().zone()).isEqualTo(ZoneId.of("Europe/Berlin"));
    assertThat(spec.forecast().events())
        .containsExactly(
            new EventSpec(
                "sale",
                Instant.parse("2026-11-27T07:00:00Z"),
                Instant.parse("2026-11-27T20:00:00Z"),
                2.5));
    assertThat(spec.forecastMetrics()).extracting(MetricEntry::name).containsExactly("requests");
    assertThat(spec.forecastMetrics().getFirst().preset()).isEqualTo(PresetName.SGLANG);
    assertThat(spec.forecastMetrics().getFirst().averageValue().getNumericalAmount())
        .isEqualByComparingTo("40");
    assertThat(spec.nativeMetrics())
        .singleElement()
        .satisfies(cpu -> assertThat(cpu.getResource().getName()).isEqualTo("cpu"));
    assertThat(spec.behavior()).isNotNull();
  }

  @Test
  void fillsInTheDefaultsOfTheDefinition() {
    var spec = Specs.of(CHAT, 1, 10, Mode.Shadow, List.of(), FallbackSpec.defaults());
    var read =
        Serialization.unmarshal(
            """
            maxReplicas: 10
            scaleTargetRef:
              apiVersion: apps/v1
              kind: Deployment
              name: chat
            """,
            PredictiveHPASpec.class);

    assertThat(read).isEqualTo(spec);
    assertThat(read.declaredLeadTime()).isEmpty();
    assertThat(read.forecast().models()).containsExactly(ForecastModel.Auto);
    assertThat(read.fallback().ttlLength()).isEqualTo(Duration.ofMinutes(15));
  }

  @Test
  void doesNotStumbleOverFieldsOfALaterVersion() {
    var target =
        Serialization.unmarshal(
            """
            apiVersion: apps/v1
            kind: Deployment
            name: chat
            later: 1
            """,
            ScaleTargetRef.class);

    assertThat(target).isEqualTo(CHAT);
  }

  @Test
  void writesNothingThatIsAbsent() {
    var status =
        new PredictiveHPAStatus(
            3L,
            Mode.Shadow,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            List.of(),
            null,
            List.of(),
            List.of(),
            null,
            null,
            null,
            null);

    assertThat(Serialization.asJson(status))
        .isEqualTo("{\"observedGeneration\":3,\"mode\":\"Shadow\"}");
  }

  @ParameterizedTest
  @CsvSource({"90s, PT1M30S", "5m, PT5M", "24h, PT24H", "366d, PT8784H", "2w, PT336H"})
  void readsDurations(String text, Duration duration) {
    assertThat(SpecDuration.parse(text)).isEqualTo(duration);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "5", "m", "0s", "-5m", "1h30m", "1.5h", "5 m", "1000000s", "5M", "٣m"})
  void refusesOtherDurations(String text) {
    assertThatThrownBy(() -> SpecDuration.parse(text))
        .hasMessage(
            "\"%s\" is not a duration; write a whole number and one unit of s, m, h, d, w, such as 5m"
                .formatted(text));
  }

  @Test
  void readsABudgetAsAShare() {
    assertThat(new RiskSpec("0.5%", null, null, null, null).budgetShare()).hasValue(0.005);
    assertThat(new RiskSpec("50%", null, null, null, null).budgetShare()).hasValue(0.5);
    assertThat(new RiskSpec(null, null, 20, null, null).budgetShare()).isEqualTo(Optional.empty());
    assertThat(new RiskSpec(null, null, 20, null, "2.5%").atZeroShare()).hasValue(0.025);
  }

  @Test
  void refusesBoundsThatDoNotAscend() {
    assertThatThrownBy(() -> Specs.of(CHAT, 3, 2, Mode.Shadow, List.of()))
        .hasMessage(
            "spec.minReplicas must be at least 0, spec.maxReplicas at least 1, and they must"
                + " ascend: 3, 2");
  }

  @Test
  void sharesNoListWithItsMaker() {
    var models = new ArrayList<>(List.of(ForecastModel.Auto));
    var forecast = new ForecastSpec("1d", "1m", models, List.of(), List.of(), List.of(), "UTC");
    models.clear();

    assertThat(forecast.models()).containsExactly(ForecastModel.Auto);
  }
}
