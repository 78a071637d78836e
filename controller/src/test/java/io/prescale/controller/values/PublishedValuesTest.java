package io.prescale.controller.values;

import static io.prescale.controller.operator.PredictiveHpas.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.prescale.controller.api.v1alpha1.MetricStatus;
import io.prescale.controller.api.v1alpha1.PlanPoint;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.api.v1alpha1.PredictiveHPAStatus;
import io.prescale.controller.operator.PredictiveHpas;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PublishedValuesTest {
  private static final String LATER =
      """
      {"metric": "requests", "served": "14", "servedAt": "2026-11-21T12:01:00Z",
       "freshSeconds": 60, "ttlSeconds": 600, "floor": "13",
       "plan": [{"at": "2026-11-21T12:05:00Z", "value": "20"}]}\
      """;

  private final PublishedValues values =
      new PublishedValues(
          new KubernetesClientBuilder().build(),
          "prescale",
          InstantSource.fixed(PredictiveHpas.NOON));
  private final PredictiveHPA chat = chat();

  @Test
  void aLaterValueStandsInItsStatusAndNothingElseChanges() {
    values.onAdd(page("[" + LATER + "]"));

    var status = values.newest(chat).getStatus();
    assertThat(status.metrics())
        .containsExactly(
            chat.getStatus()
                .metrics()
                .getFirst()
                .serving(
                    "14",
                    NOON.plusSeconds(60),
                    60,
                    600,
                    "13",
                    List.of(new PlanPoint(NOON.plusSeconds(300), "20"))),
            chat.getStatus().metrics().getLast());
    assertThat(status.with(chat.getStatus().metrics())).isEqualTo(chat.getStatus());
    assertThat(values.newest(chat).getMetadata()).isSameAs(chat.getMetadata());
  }

  @Test
  void anEarlierValueOrOneOfAnotherUidChangesNothing() {
    values.onAdd(page("[" + LATER.replace("12:01", "11:59") + "]"));
    assertThat(values.newest(chat)).isSameAs(chat);

    var other = chat();
    other.getMetadata().setUid("uid-2");
    values.onUpdate(page("[]"), page("[" + LATER + "]"));
    assertThat(values.newest(other)).isSameAs(other);
  }

  /** Where many begin, statuses wait for their turn. */
  @Test
  void aValueThatComesBeforeTheFirstStatusIsServed() {
    values.onAdd(page("[" + LATER + "]"));
    chat.setStatus(null);

    var status = values.newest(chat).getStatus();
    assertThat(status.metrics()).extracting(MetricStatus::name).containsExactly("requests");
    assertThat(served(values.newest(chat))).isEqualTo("14");
    assertThat(status.with(List.of())).isEqualTo(PredictiveHPAStatus.only(null));
    chat.getMetadata().setUid("another");
    assertThat(values.newest(chat)).isSameAs(chat);
  }

  @Test
  void aMetricThatTheStatusDoesNotNameYetIsServedToo() {
    values.onAdd(page("[" + LATER.replace("\"requests\"", "\"renamed\"") + "]"));

    var metrics = values.newest(chat).getStatus().metrics();
    assertThat(metrics.getFirst().name()).isEqualTo("renamed");
    assertThat(metrics.getFirst().served()).isEqualTo("14");
    assertThat(metrics.subList(1, metrics.size())).isEqualTo(chat.getStatus().metrics());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "null",
        "7",
        "[null]",
        "[{}]",
        "[{\"metric\": \"requests\"}]",
        "\"15\" → \"-15\"",
        "\"15\" → \"many\"",
        "\"15\" → null",
        "\"13\" → \"NaN\"",
        "600 → 86401",
        "600 → 59",
        "600 → 9223372036854775807",
        "600 → 1e99",
        "60, → -1,",
        "2026-11-21T12:01:00Z → yesterday",
        "2026-11-21T12:01:00Z → +999999999-12-31T23:59:59Z",
        "2026-11-21T12:01:00Z → -999999999-01-01T00:00:00Z",
        "2026-11-21T12:01:00Z → 2099-01-01T00:00:00Z"
      })
  void whatMakesNoSenseIsLeftOutAndTheLastGoodValueStands(String text) {
    values.onAdd(page("[" + LATER + "]"));
    var change = text.split(" → ", -1);
    var other = LATER.replace("\"served\": \"14\"", "\"served\": \"15\"");
    var hostile = change.length == 2 ? "[" + other.replace(change[0], change[1]) + "]" : text;

    values.onUpdate(page("[" + LATER + "]"), page(hostile));

    assertThat(served(values.newest(chat))).isEqualTo("14");
  }

  @Test
  void aMetricWhoseValueHasExpiredHidesNoOther() {
    var expired = LATER.replace("requests", "tokens").replace("T12:01", "T09:01");

    values.onAdd(page("[" + expired + "," + LATER + "]"));

    assertThat(served(values.newest(chat))).isEqualTo("14");
  }

  @Test
  void aPageWithAnotherNameDoesNotCount() {
    var other = page("[" + LATER + "]");
    other.getMetadata().setName("prescale-values-00");

    values.onAdd(other);

    assertThat(values.newest(chat)).isSameAs(chat);
  }

  @Test
  void aSpecThatCanNoLongerBeReadLowersNothing() {
    values.onAdd(page("[" + LATER + "]"));
    chat.setSpec(null);

    assertThat(served(values.newest(chat))).isEqualTo("14");
    assertThat(values.newest(chat).unreadable()).isEqualTo(chat.unreadable());
  }

  @Test
  void listenersHearOnlyOfWhatChanged() {
    var changed = new ArrayList<String>();
    values.onChange(changed::add);
    var before = page("[" + LATER + "]");
    var now = page("[" + LATER + "]");
    now.getData().put("uid-2", "[" + LATER + "]"); // on the same page

    values.onAdd(before);
    values.onUpdate(before, now);
    values.onUpdate(now, now);

    assertThat(changed).containsExactly("uid-1", "uid-2");
  }

  @Test
  void theValuesOfADeletedPageStand() {
    values.onAdd(page("[" + LATER + "]"));
    values.onDelete(page("[" + LATER + "]"), false);

    assertThat(served(values.newest(chat))).isEqualTo("14");
  }

  @Test
  void closePositionsShareAPageAndAllPagesAreUsed() {
    assertThat(ValuePages.of("uid-1")).isEqualTo((int) (ValuePublisher.position("uid-1") * 32));
    assertThat(
            IntStream.range(0, 2000)
                .map(i -> ValuePages.of("7f1c2d3e-0000-4000-8000-%012d".formatted(i * 7919)))
                .distinct())
        .hasSize(32);
  }

  private static String served(PredictiveHPA resource) {
    return resource.getStatus().metrics().stream()
        .filter(metric -> metric.name().equals("requests"))
        .map(MetricStatus::served)
        .findFirst()
        .orElseThrow();
  }

  private static PredictiveHPA chat() {
    var resource = PredictiveHpas.chat("requests", "tokens");
    resource.setStatus(
        PredictiveHpas.status(
            List.of(
                PredictiveHpas.served("requests", "12", List.of(), null),
                PredictiveHpas.served("tokens", "5", List.of(), null))));
    return resource;
  }

  private static ConfigMap page(String values) {
    return new ConfigMapBuilder()
        .withNewMetadata()
        .withName(ValuePages.name(ValuePages.of("uid-1")))
        .endMetadata()
        .addToData("uid-1", values)
        .build();
  }
}
