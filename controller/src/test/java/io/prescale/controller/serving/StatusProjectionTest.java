package io.prescale.controller.serving;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.prescale.adapter.Answer;
import io.prescale.adapter.LabelSelector;
import io.prescale.adapter.MetricKey;
import io.prescale.adapter.MetricReadModel;
import io.prescale.controller.api.v1alpha1.ConditionReason;
import io.prescale.controller.api.v1alpha1.ConditionStatus;
import io.prescale.controller.api.v1alpha1.ConditionType;
import io.prescale.controller.api.v1alpha1.PlanPoint;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.api.v1alpha1.StatusCondition;
import io.prescale.controller.operator.PredictiveHpas;
import io.prescale.controller.values.PublishedValues;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class StatusProjectionTest {
  private final MetricReadModel model = new MetricReadModel();
  private final PublishedValues values =
      new PublishedValues(
          new KubernetesClientBuilder().build(),
          "prescale",
          InstantSource.fixed(PredictiveHpas.NOON));
  private final StatusProjection projection = new StatusProjection(model, values, List.of());

  @Test
  void servesTheStatusValueWithItsComputationTime() {
    projection.onAdd(served("12500m"));

    assertThat(read("requests", Duration.ZERO))
        .isInstanceOfSatisfying(
            Answer.Fresh.class,
            fresh -> {
              assertThat(fresh.items()).hasSize(1);
              assertThat(fresh.items().getFirst().milliValue()).isEqualTo(12_500);
              assertThat(fresh.items().getFirst().timestamp()).isEqualTo(PredictiveHpas.NOON);
              assertThat(fresh.items().getFirst().labels()).containsEntry("predictivehpa", "chat");
            });
  }

  @Test
  void isLastKnownGoodAfterItsFreshnessAndRaisedByThePlan() {
    var resource = served("12");
    resource.setStatus(
        PredictiveHpas.status(
            List.of(
                PredictiveHpas.served(
                    "requests",
                    "12",
                    List.of(new PlanPoint(PredictiveHpas.NOON.plusSeconds(300), "20")),
                    null))));
    projection.onAdd(resource);

    assertThat(read("requests", Duration.ofSeconds(121)))
        .isInstanceOfSatisfying(
            Answer.LastKnownGood.class,
            good -> assertThat(good.items().getFirst().milliValue()).isEqualTo(12_000));
    assertThat(read("requests", Duration.ofSeconds(301)))
        .isInstanceOfSatisfying(
            Answer.LastKnownGood.class,
            good -> assertThat(good.items().getFirst().milliValue()).isEqualTo(20_000));
    assertThat(read("requests", Duration.ofSeconds(901))).isInstanceOf(Answer.Unknown.class);
  }

  @Test
  void reportsWhyThereIsNoValueYet() {
    var resource = PredictiveHpas.chat("requests");
    projection.onAdd(resource);
    assertThat(read("requests", Duration.ZERO))
        .isInstanceOfSatisfying(
            Answer.Unknown.class,
            unknown -> assertThat(unknown.reason()).contains("no value has been computed yet"));

    var next = PredictiveHpas.chat("requests");
    next.setStatus(
        PredictiveHpas.status(
            List.of(),
            new StatusCondition(
                ConditionType.MetricsAvailable,
                ConditionStatus.False,
                3L,
                PredictiveHpas.NOON,
                ConditionReason.NoSeries,
                "requests: the query finds nothing")));
    projection.onUpdate(resource, next);
    assertThat(read("requests", Duration.ZERO))
        .isInstanceOfSatisfying(
            Answer.Unknown.class,
            unknown -> assertThat(unknown.reason()).contains("the query finds nothing"));
  }

  @Test
  void servesAPublishedValueThatIsLaterThanTheStatus() {
    projection.onAdd(served("12"));
    values.onAdd(page("14", PredictiveHpas.NOON.plusSeconds(60)));

    assertThat(freshMilli(Duration.ofSeconds(61))).isEqualTo(14_000);
  }

  @Test
  void servesThePublishedValueOfAPredictiveHpaThatIsSeenAfterIt() {
    values.onAdd(page("14", PredictiveHpas.NOON.plusSeconds(60)));
    projection.onAdd(served("12"));

    assertThat(freshMilli(Duration.ofSeconds(61))).isEqualTo(14_000);
  }

  @Test
  void servesAStatusThatIsLaterThanThePublishedValue() {
    values.onAdd(page("14", PredictiveHpas.NOON.minusSeconds(60)));
    projection.onAdd(served("12"));
    values.onUpdate(
        page("14", PredictiveHpas.NOON.minusSeconds(60)),
        page("15", PredictiveHpas.NOON.minusSeconds(30)));

    assertThat(freshMilli(Duration.ofSeconds(61))).isEqualTo(12_000);
  }

  @Test
  void aPublishedValueOfADeletedPredictiveHpaIsServedNoMore() {
    var resource = served("12");
    projection.onAdd(resource);
    projection.onDelete(resource, false);
    values.onAdd(page("14", PredictiveHpas.NOON.plusSeconds(60)));

    assertThat(read("requests", Duration.ofSeconds(61))).isInstanceOf(Answer.Absent.class);
  }

  @Test
  void aValueBeforeTheFirstStatusIsServedUntilItsPredictiveHpaIsGone() {
    var resource = served("12");
    resource.setStatus(null);
    projection.onAdd(resource);
    values.onAdd(page("14", PredictiveHpas.NOON.plusSeconds(60)));
    assertThat(freshMilli(Duration.ofSeconds(61))).isEqualTo(14_000);

    var unreadable = resource.copy();
    unreadable.setSpec(null);
    projection.onUpdate(resource, unreadable);
    assertThat(freshMilli(Duration.ofSeconds(61))).isEqualTo(14_000);

    projection.onDelete(unreadable, false);
    assertThat(read("requests", Duration.ofSeconds(61))).isInstanceOf(Answer.Absent.class);
  }

  private long freshMilli(Duration age) {
    return ((Answer.Fresh) read("requests", age)).items().getFirst().milliValue();
  }

  private static ConfigMap page(String value, Instant at) {
    return new ConfigMapBuilder()
        .withNewMetadata()
        .withName("prescale-values-31")
        .endMetadata()
        .addToData(
            "uid-1",
            """
            [{"metric": "requests", "served": "%s", "servedAt": "%s", "freshSeconds": 120,
              "ttlSeconds": 900, "floor": "9"}]
            """
                .formatted(value, at))
        .build();
  }

  @Test
  void keepsTheLastValueWhenReadingFails() {
    var before = served("12");
    var failed = PredictiveHpas.chat("requests");
    failed.setStatus(
        PredictiveHpas.status(
            List.of(PredictiveHpas.served("requests", "12", List.of(), "connection refused"))));
    projection.onAdd(before);
    projection.onUpdate(before, failed);

    assertThat(read("requests", Duration.ofMinutes(5))).isInstanceOf(Answer.LastKnownGood.class);
    assertThat(read("requests", Duration.ofSeconds(901)))
        .isInstanceOfSatisfying(
            Answer.Unknown.class,
            unknown -> assertThat(unknown.reason()).contains("connection refused"));
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = {"", "many", "-3", "NaN", "1e300", "12 34", "0x10", "1e-9999999"})
  void neverServesAnInvalidStatusValue(@Nullable String value) {
    projection.onAdd(served(value));

    assertThat(read("requests", Duration.ZERO)).isInstanceOf(Answer.Unknown.class);
  }

  @Test
  void forgetsMetricsThatTheSpecDropsAndAllOfADeletedResource() {
    var two = PredictiveHpas.chat("requests", "tokens");
    var one = PredictiveHpas.chat("requests");
    projection.onAdd(two);
    assertThat(read("tokens", Duration.ZERO)).isInstanceOf(Answer.Unknown.class);
    projection.onUpdate(two, one);
    assertThat(read("tokens", Duration.ZERO)).isInstanceOf(Answer.Absent.class);
    assertThat(read("requests", Duration.ZERO)).isInstanceOf(Answer.Unknown.class);

    projection.onDelete(one, false);
    assertThat(read("requests", Duration.ZERO)).isInstanceOf(Answer.Absent.class);
  }

  private static PredictiveHPA served(@Nullable String value) {
    var resource = PredictiveHpas.chat("requests");
    resource.setStatus(
        PredictiveHpas.status(List.of(PredictiveHpas.served("requests", value, List.of(), null))));
    return resource;
  }

  private Answer read(String metric, Duration age) {
    return model.read(
        new MetricKey("team", metric), LabelSelector.everything(), PredictiveHpas.NOON.plus(age));
  }
}
