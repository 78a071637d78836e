package io.prescale.controller.values;

import static io.prescale.controller.operator.PredictiveHpas.NOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.prescale.controller.MockApi;
import io.prescale.controller.api.v1alpha1.MetricStatus;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.fairness.WriteTurns;
import io.prescale.controller.operator.PredictiveHpas;
import io.prescale.controller.telemetry.Telemetry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@MockApi(crud = true)
@NullUnmarked // the extension sets the client and the server
class ValuePublisherTest {
  private static final String PATH = "/api/v1/namespaces/prescale/configmaps";

  private final AtomicBoolean leads = new AtomicBoolean(true);
  private final WriteTurns turns = new WriteTurns(1, () -> 1, () -> 0);
  private KubernetesClient client;
  private KubernetesMockServer server;
  private ValuePublisher publisher;

  @BeforeEach
  void create() {
    var clock = InstantSource.fixed(NOON);
    publisher =
        new ValuePublisher(
            client, "prescale", _ -> leads.get(), clock, new Telemetry(clock), turns);
  }

  @AfterEach
  void close() {
    publisher.close();
  }

  @Test
  void aValueReachesWhoWatchesThePages() {
    var seen = new PublishedValues(client, "prescale", InstantSource.fixed(NOON));
    try (var watch = seen.watch()) {
      watch.start().toCompletableFuture().join();
      var chat = serving("12", NOON);
      assertThat(publisher.reaches(chat)).isFalse();

      publisher.publish(chat, chat.getStatus());

      await().until(() -> publisher.reaches(chat));
      chat.setStatus(
          PredictiveHpas.status(List.of(PredictiveHpas.served("requests", null, List.of(), null))));
      chat.setStatus(chat.getStatus().with(List.of(status("11", NOON.minusSeconds(60)))));
      await()
          .until(() -> seen.newest(chat).getStatus().metrics().getFirst().served(), "12"::equals);
    }
  }

  @Test
  void manyValuesOfAPageAreAtMostTwoWrites() {
    for (int second = 0; second < 50; second++) {
      var chat = serving("" + second, NOON.plusSeconds(second));
      publisher.publish(chat, chat.getStatus());
    }

    await().atMost(Duration.ofSeconds(20)).until(() -> text().contains("\"49\""));
    assertThat(page().getMetadata().getResourceVersion())
        .as("one write, and a second one with what came meanwhile")
        .isIn("1", "2");
  }

  @Test
  void pagesAreChargedToNoNamespace() {
    for (int i = 0; i < 5; i++) {
      var service = serving("12", NOON);
      service.getMetadata().setUid("uid-" + i);
      publisher.publish(service, service.getStatus());
      await().until(() -> publisher.reaches(service));
    }

    assertThat(turns.take("prescale", WriteTurns.Urgency.HIGH)).as("five of ten are left").isTrue();
  }

  @Test
  void aLaterValueOfAnotherLeaderStands() {
    put(Map.of("uid-1", json("14", NOON.plusSeconds(60)), "uid-2", json("5", NOON)));
    var chat = serving("12", NOON);

    publisher.publish(chat, chat.getStatus());

    await().until(() -> publisher.reaches(chat));
    assertThat(text()).contains("\"14\"").doesNotContain("\"12\"");
    assertThat(page().getData()).containsOnlyKeys("uid-1", "uid-2");
  }

  @Test
  void aValueFromTheFutureGivesWay() {
    put(Map.of("uid-1", json("99", NOON.plus(Duration.ofDays(9)))));
    var chat = serving("12", NOON);

    publisher.publish(chat, chat.getStatus());

    await().until(() -> publisher.reaches(chat));
    assertThat(text()).contains("\"12\"").doesNotContain("\"99\"");
  }

  @Test
  void aPageThatChangedMeanwhileIsReadAndWrittenAgain() {
    var chat = serving("12", NOON);
    publisher.publish(chat, chat.getStatus());
    await().until(() -> publisher.reaches(chat));
    put(Map.of("uid-2", json("5", NOON)));

    var later = serving("13", NOON.plusSeconds(60));
    publisher.publish(later, later.getStatus());

    await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> page().getData().containsKey("uid-1") && text().contains("\"13\""));
    assertThat(page().getData()).containsOnlyKeys("uid-1", "uid-2");
  }

  @Test
  void valuesThatAreOverLeaveThePage() {
    put(Map.of("uid-2", json("5", NOON.minus(Duration.ofDays(1)))));
    var chat = serving("12", NOON);

    publisher.publish(chat, chat.getStatus());

    await().until(() -> publisher.reaches(chat));
    assertThat(page().getData()).containsOnlyKeys("uid-1");
  }

  @Test
  void aReplicaThatLeadsAgainWritesWhatItHas() {
    leads.set(false);
    var chat = serving("12", NOON);

    publisher.publish(chat, chat.getStatus());

    await().during(Duration.ofMillis(300)).until(() -> page() == null);
    leads.set(true);
    await().until(() -> publisher.reaches(chat));
    assertThat(text()).contains("\"12\"");
  }

  @Test
  void valuesReachNoReplicaWhileAnotherLeads() {
    var chat = serving("12", NOON);
    publisher.publish(chat, chat.getStatus());
    await().until(() -> publisher.reaches(chat));

    leads.set(false);
    publisher.publish(chat, chat.getStatus());

    await().until(() -> !publisher.reaches(chat));
  }

  @Test
  void whileItIsRefusedNothingReachesAndItIsTriedAgain() {
    var chat = serving("12", NOON);
    publisher.publish(chat, chat.getStatus());
    await().until(() -> publisher.reaches(chat));
    var forbidden = new StatusBuilder().withCode(403).withReason("Forbidden").build();
    server.expect().put().withPath(PATH + "/" + name()).andReturn(403, forbidden).once();

    var later = serving("13", NOON.plusSeconds(60));
    publisher.publish(later, later.getStatus());

    await().until(() -> !publisher.reaches(chat));
    await().atMost(Duration.ofSeconds(20)).until(() -> publisher.reaches(chat));
    assertThat(text()).contains("\"13\"");
  }

  private static PredictiveHPA serving(String value, Instant at) {
    var chat = PredictiveHpas.chat("requests");
    chat.setStatus(PredictiveHpas.status(List.of(status(value, at))));
    return chat;
  }

  private static MetricStatus status(String value, Instant at) {
    return PredictiveHpas.served("requests", value, List.of(), null)
        .serving(value, at, 120, 900, "0", List.of());
  }

  private static String json(String value, Instant at) {
    return """
    [{"metric": "requests", "served": "%s", "servedAt": "%s", "freshSeconds": 120,
      "ttlSeconds": 900, "floor": "0"}]
    """
        .formatted(value, at);
  }

  private static String name() {
    return ValuePages.name(ValuePages.of("uid-1"));
  }

  private void put(Map<String, String> data) {
    var page =
        new ConfigMapBuilder()
            .withNewMetadata()
            .withNamespace("prescale")
            .withName(name())
            .withLabels(ValuePages.LABELS)
            .endMetadata()
            .withData(data)
            .build();
    client.configMaps().inNamespace("prescale").resource(page).createOr(it -> it.update());
  }

  private ConfigMap page() {
    return client.configMaps().inNamespace("prescale").withName(name()).get();
  }

  private String text() {
    var page = page();
    return page == null ? "" : page.getData().getOrDefault("uid-1", "");
  }
}
