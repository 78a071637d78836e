package io.prescale.controller.states;

import static io.prescale.controller.operator.PredictiveHpas.NOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.prescale.controller.MockApi;
import io.prescale.controller.telemetry.Telemetry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** States whose page another has written first. */
@MockApi(crud = true)
@NullUnmarked // the extension sets the client and the server
class LateStateTest {
  private static final String UID = "uid-1";
  private static final String PATH =
      "/api/v1/namespaces/prescale/configmaps/" + SavedStates.pageOf(UID);

  private final AtomicBoolean leads = new AtomicBoolean(true);
  private KubernetesClient client;
  private KubernetesMockServer server;

  /** It was on its way when the lease ended. */
  @Test
  void namesTheVersionThatWasSeenAndIsNotRepeated() throws Exception {
    var seen = putPage().getMetadata().getResourceVersion();
    answerConflict(() -> leads.set(false));

    try (var states = states()) {
      states.keep(UID, state());
      await().until(() -> !leads.get());
      await().during(Duration.ofMillis(600)).until(() -> !isSaved());
    }

    assertThat(written())
        .singleElement()
        .satisfies(it -> assertThat(it.at("/metadata/resourceVersion").asText()).isEqualTo(seen));
  }

  @Test
  void isWrittenToThePageAsItIsNowWhileThisReplicaLeads() throws Exception {
    putPage();
    answerConflict(() -> {});

    try (var states = states()) {
      states.keep(UID, state());
      await().until(this::isSaved);
    }

    assertThat(written()).hasSize(2);
  }

  private SavedStates states() {
    var clock = InstantSource.fixed(NOON);
    return new SavedStates(
        client, "prescale", _ -> leads.get(), clock, new Telemetry(clock), Duration.ofMillis(200));
  }

  private static SavedTarget state() {
    return new SavedTarget(
        "team", NOON, Map.of("requests", new SavedTarget.Metric(42, new byte[9])));
  }

  private ConfigMap putPage() {
    return client
        .configMaps()
        .inNamespace("prescale")
        .resource(
            new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("prescale")
                .withName(SavedStates.pageOf(UID))
                .endMetadata()
                .build())
        .create();
  }

  private boolean isSaved() {
    var page = client.configMaps().inNamespace("prescale").withName(SavedStates.pageOf(UID)).get();
    return page.getBinaryData() != null && page.getBinaryData().containsKey(UID);
  }

  private void answerConflict(Runnable then) {
    var conflict = new StatusBuilder().withCode(409).withReason("Conflict").build();
    server
        .expect()
        .patch()
        .withPath(PATH)
        .andReply(
            409,
            _ -> {
              then.run();
              return conflict;
            })
        .once();
  }

  /** The patches that were sent. */
  private List<JsonNode> written() throws Exception {
    var all = new ArrayList<JsonNode>();
    for (int i = server.getRequestCount(); i > 0; i--) {
      var request = server.takeRequest();
      if (request.getMethod().equals("PATCH")) {
        all.add(new ObjectMapper().readTree(request.getBody().readUtf8()));
      }
    }
    return all;
  }
}
