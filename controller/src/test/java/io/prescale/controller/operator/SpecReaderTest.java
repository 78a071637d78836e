package io.prescale.controller.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscalerBehavior;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscalerBehaviorBuilder;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscalerSpecBuilder;
import io.prescale.controller.api.v1alpha1.EventSpec;
import io.prescale.controller.api.v1alpha1.ExcludedWindowSpec;
import io.prescale.controller.api.v1alpha1.FallbackSpec;
import io.prescale.controller.api.v1alpha1.ForecastModel;
import io.prescale.controller.api.v1alpha1.ForecastSpec;
import io.prescale.controller.api.v1alpha1.HolidaySpec;
import io.prescale.controller.api.v1alpha1.PredictiveHPASpec;
import io.prescale.controller.api.v1alpha1.RiskSpec;
import io.prescale.controller.api.v1alpha1.ScaleThrough;
import io.prescale.controller.autoscaling.MetricSettings;
import io.prescale.controller.autoscaling.Risk;
import io.prescale.controller.autoscaling.ScalingPolicy;
import io.prescale.controller.autoscaling.ScalingRules.Selection;
import io.prescale.controller.autoscaling.StartCost;
import io.prescale.controller.operator.hpa.HpaFeatures;
import io.prescale.forecasting.online.PeakMember;
import io.prescale.forecasting.online.PeakSettings;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SpecReaderTest {
  private static final PredictiveHPASpec PLAIN = PredictiveHpas.chat("requests").getSpec();

  private final SpecReader reader = new SpecReader(new HpaFeatures(true));

  @Test
  void takesTheDefaultsOfAPlainSpec() {
    var settings = reader.settings(PLAIN);

    assertThat(settings.metrics()).containsExactly(new MetricSettings("requests", 4));
    assertThat(settings.risk()).isEqualTo(new Risk.Budget(0.005));
    assertThat(settings.timeToLive()).isEqualTo(Duration.ofMinutes(15));
    assertThat(settings.forecast().step()).isEqualTo(Duration.ofMinutes(1));
    assertThat(settings.forecast().window()).isEqualTo(Duration.ofMinutes(5));
    assertThat(settings.forecast().refitEvery()).isEqualTo(Duration.ofHours(4));
    assertThat(settings.forecast().remember()).isEqualTo(Duration.ofDays(14));
    assertThat(settings.hpa().minReplicas()).isEqualTo(2);
    assertThat(settings.hpa().maxReplicas()).isEqualTo(9);
    assertThat(settings.hpa().scaleUp().tolerance()).isZero();
    assertThat(settings.hpa().scaleDown().tolerance()).isEqualTo(0.1);
  }

  @Test
  void knowsTheDeadBandOfOlderServers() {
    var older = new SpecReader(new HpaFeatures(false));

    assertThat(older.settings(PLAIN).hpa().scaleUp().tolerance()).isEqualTo(0.1);
  }

  @Test
  void scalesWindowAndRefitsWithTheStepWithinTheirBounds() {
    var fast = reader.settings(with(forecast("5s", "1h", "UTC"), null)).forecast();
    assertThat(fast.window()).isEqualTo(Duration.ofSeconds(25));
    assertThat(fast.refitEvery()).isEqualTo(Duration.ofMinutes(20));
    assertThat(fast.remember()).isEqualTo(Duration.ofHours(6));

    var slow = reader.settings(with(forecast("1h", "60d", "UTC"), "4h")).forecast();
    assertThat(slow.window()).isEqualTo(Duration.ofHours(5));
    assertThat(slow.refitEvery()).isEqualTo(Duration.ofDays(7));
  }

  @Test
  void readsTheModels() {
    assertThat(members(ForecastModel.Auto)).isEqualTo(PeakSettings.EVERY_MEMBER);
    assertThat(members(ForecastModel.SeasonalNaive, ForecastModel.RecentPeak))
        .containsExactlyInAnyOrder(PeakMember.SEASONAL_NAIVE, PeakMember.RECENT_PEAK);
    assertThat(members(ForecastModel.Boosting)).containsExactly(PeakMember.BOOSTING);
  }

  private Set<PeakMember> members(ForecastModel... models) {
    var spec =
        new ForecastSpec("14d", "1m", List.of(models), List.of(), List.of(), List.of(), "UTC");
    return reader.settings(with(spec, null)).forecast().members();
  }

  @Test
  void readsTheCalendarAndTheZone() {
    var noon = PredictiveHpas.NOON;
    var spec =
        with(
            new ForecastSpec(
                "14d",
                "1m",
                List.of(ForecastModel.Auto),
                List.of(new EventSpec("launch", noon, noon.plusSeconds(60), 2.5)),
                List.of(new ExcludedWindowSpec("outage", noon, noon.plusSeconds(60))),
                List.of(new HolidaySpec("2026-12-25", "Christmas")),
                "Europe/Berlin"),
            null);

    var forecast = reader.settings(spec).forecast();
    assertThat(forecast.zone()).isEqualTo(ZoneId.of("Europe/Berlin"));
    assertThat(forecast.calendar().events()).hasSize(1);
    assertThat(forecast.calendar().factorAt(noon)).isEqualTo(2.5);
    assertThat(forecast.calendar().excludedWindows()).hasSize(1);
    assertThat(forecast.calendar().holidays()).containsExactly(LocalDate.of(2026, 12, 25));
  }

  @Test
  void readsBothWaysToSayRisk() {
    assertThat(reader.settings(risky(new RiskSpec("2%", null, null, null, null))).risk())
        .isEqualTo(new Risk.Budget(0.02));
    assertThat(reader.settings(risky(new RiskSpec(null, 8, null, null, null))).risk())
        .isEqualTo(new Risk.Budget(0.005, 8));
    assertThat(reader.settings(risky(new RiskSpec(null, null, 20, null, null))).risk())
        .isEqualTo(new Risk.ShortageCost(20));
  }

  @Test
  void readsWhatAStartCosts() {
    var twenty = new StartCost(20);
    assertThat(reader.settings(risky(new RiskSpec(null, null, null, 20, null))).risk())
        .isEqualTo(new Risk.Budget(0.005, 2, twenty));
    assertThat(reader.settings(risky(new RiskSpec(null, null, 9, 20, null))).risk())
        .isEqualTo(new Risk.ShortageCost(9, twenty));
  }

  @Test
  void readsTheUsersBehavior() {
    var behavior =
        new HorizontalPodAutoscalerBehaviorBuilder()
            .withNewScaleUp()
            .withTolerance(new Quantity("50m"))
            .withSelectPolicy("Min")
            .addNewPolicy(30, "Percent", 50)
            .addNewPolicy(60, "Pods", 3)
            .endScaleUp()
            .withNewScaleDown()
            .withStabilizationWindowSeconds(60)
            .withSelectPolicy("Disabled")
            .endScaleDown()
            .build();

    var rules = reader.settings(behaving(behavior)).hpa();
    assertThat(rules.scaleUp().tolerance()).isEqualTo(0.05);
    assertThat(rules.scaleUp().selection()).isEqualTo(Selection.MIN);
    assertThat(rules.scaleUp().policies())
        .containsExactly(
            ScalingPolicy.percent(50, Duration.ofSeconds(30)),
            ScalingPolicy.pods(3, Duration.ofSeconds(60)));
    assertThat(rules.scaleDown().stabilizationWindow()).isEqualTo(Duration.ofMinutes(1));
    assertThat(rules.scaleDown().selection()).isEqualTo(Selection.DISABLED);
  }

  @Test
  void refusesWhatTheApiServerCannotSee() {
    assertThatThrownBy(() -> reader.settings(with(forecast("1m", "14d", "Mars/Olympus"), null)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "spec.forecast.timeZone is \"Mars/Olympus\", which is no time zone; write one such as"
                + " Europe/Berlin");
    assertThatThrownBy(() -> reader.settings(with(forecast("15s", "14d", "UTC"), null)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "spec.forecast.history is 14d; write 12500m or less, which is 50000 steps of 15s, or a"
                + " longer step");
    assertThatThrownBy(() -> reader.settings(with(forecast("1h", "14d", "UTC"), "15m")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("spec.fallback.ttl is 900 s; write 7200 s (two steps) to 24h");
  }

  @Test
  void wishesAnHpaForWhatTheSpecNames() {
    var wish = SpecReader.wish(PredictiveHpas.chat("requests", "tokens"));

    assertThat(wish.active()).isTrue();
    assertThat(wish.target().getKind()).isEqualTo("Deployment");
    assertThat(wish.owner().getUid()).isEqualTo("uid-1");
    assertThat(wish.owner().getController()).isTrue();
    assertThat(wish.external()).extracting("metric").containsExactly("requests", "tokens");
  }

  private static ForecastSpec forecast(String step, String history, String zone) {
    return new ForecastSpec(
        history, step, List.of(ForecastModel.Auto), List.of(), List.of(), List.of(), zone);
  }

  private static PredictiveHPASpec with(ForecastSpec forecast, @Nullable String ttl) {
    var fallback = ttl == null ? PLAIN.fallback() : new FallbackSpec(ttl, "80%");
    return spec(forecast, null, fallback, null);
  }

  private static PredictiveHPASpec risky(RiskSpec risk) {
    return spec(PLAIN.forecast(), risk, PLAIN.fallback(), null);
  }

  @Test
  void aMinimumOf0HasARiskAtZeroAndKedasHpaOf1MayThenHaveNone() {
    var reader = new SpecReader(new HpaFeatures(true));
    assertThat(reader.settings(PLAIN).riskAtZero()).isEmpty();
    assertThat(reader.settings(idle(ScaleThrough.PrescaleHPA, null)).riskAtZero()).hasValue(0.05);
    var settings =
        reader.settings(idle(ScaleThrough.PrescaleHPA, new RiskSpec(null, null, null, null, "1%")));
    assertThat(settings.riskAtZero()).hasValue(0.01);
    assertThat(settings.hpa().minReplicas()).isZero();

    var one = new HorizontalPodAutoscalerSpecBuilder().withMaxReplicas(7).build();
    var two = new HorizontalPodAutoscalerSpecBuilder(one).withMinReplicas(2).build();
    assertThat(reader.rules(idle(ScaleThrough.KEDA, null), one).minReplicas()).isZero();
    assertThat(reader.rules(idle(ScaleThrough.KEDA, null), two).minReplicas()).isEqualTo(2);
    assertThat(reader.rules(idle(ScaleThrough.ExistingHPA, null), one).minReplicas()).isOne();
  }

  private static PredictiveHPASpec idle(ScaleThrough through, @Nullable RiskSpec risk) {
    return new PredictiveHPASpec(
        PLAIN.scaleTargetRef(),
        0,
        PLAIN.maxReplicas(),
        PLAIN.mode(),
        through,
        PLAIN.metrics(),
        PLAIN.forecast(),
        PLAIN.leadTime(),
        risk,
        PLAIN.fallback(),
        null,
        null,
        null,
        List.of(),
        null,
        null);
  }

  private static PredictiveHPASpec behaving(HorizontalPodAutoscalerBehavior behavior) {
    return spec(PLAIN.forecast(), null, PLAIN.fallback(), behavior);
  }

  private static PredictiveHPASpec spec(
      ForecastSpec forecast,
      @Nullable RiskSpec risk,
      FallbackSpec fallback,
      @Nullable HorizontalPodAutoscalerBehavior behavior) {
    return new PredictiveHPASpec(
        PLAIN.scaleTargetRef(),
        PLAIN.minReplicas(),
        PLAIN.maxReplicas(),
        PLAIN.mode(),
        PLAIN.scaleThrough(),
        PLAIN.metrics(),
        forecast,
        PLAIN.leadTime(),
        risk,
        fallback,
        behavior,
        null,
        null,
        List.of(),
        null,
        null);
  }
}
