package io.prescale.controller.operator.hpa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscalerBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.mockwebserver.http.RecordedRequest;
import io.prescale.controller.MockApi;
import io.prescale.controller.cluster.HpaReader;
import java.util.Optional;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

@MockApi
@NullUnmarked // the extension sets the client and the server
class HpaWriterTest {
  private static final String PATH =
      "/apis/autoscaling/v2/namespaces/team/horizontalpodautoscalers/prescale-chat";

  private static final String CREATE = PATH.substring(0, PATH.lastIndexOf('/'));

  private static final String APPLY = PATH + "?fieldManager=prescale&force=true";

  private KubernetesClient client;
  private KubernetesMockServer server;

  @Test
  void deletesOnlyTheVersionThatItKnows() throws Exception {
    server.expect().delete().withPath(PATH).andReturn(200, "{}").once();

    new HpaWriter(client).write(new HpaPlan.Delete(hpa("7")));

    var options = new ObjectMapper().readTree(server.takeRequest().getBody().readUtf8());
    assertThat(options.at("/preconditions/resourceVersion").asText()).isEqualTo("7");
  }

  /** So that what a former leader sent late changes nothing that the next one has written. */
  @Test
  void appliesToTheVersionThatWasSeenOnly() throws Exception {
    server.expect().patch().withPath(APPLY).andReturn(200, hpa("8")).always();

    new HpaWriter(client).write(new HpaPlan.Apply(hpa(null), Optional.of("7")));
    assertThat(version(server.takeRequest())).isEqualTo("7");
  }

  @Test
  void createsTheFirstAndThenAppliesToItsVersion() throws Exception {
    server.expect().post().withPath(CREATE).andReturn(201, hpa("3")).once();
    server.expect().patch().withPath(APPLY).andReturn(200, hpa("4")).once();

    new HpaWriter(client).write(new HpaPlan.Apply(hpa(null), Optional.empty()));

    var created = server.takeRequest();
    assertThat(created.getMethod()).isEqualTo("POST");
    var json = new ObjectMapper().readTree(created.getBody().readUtf8());
    assertThat(json.at("/spec/maxReplicas").asInt()).isEqualTo(9);
    assertThat(json.at("/spec").has("behavior")).isFalse();
    var applied = server.takeRequest();
    assertThat(applied.getMethod()).isEqualTo("PATCH");
    json = new ObjectMapper().readTree(applied.getBody().readUtf8());
    assertThat(json.at("/metadata/resourceVersion").asText()).isEqualTo("3");
    assertThat(json.at("/spec").has("behavior")).isTrue();
  }

  /** A late first write of a former leader's, or one that is too large to be kept. */
  @Test
  void whereThereIsOneAlreadyTheFirstWriteChangesNothing() {
    var exists = new StatusBuilder().withCode(409).withReason("AlreadyExists").build();
    server.expect().post().withPath(CREATE).andReturn(409, exists).once();

    assertThatThrownBy(
            () -> new HpaWriter(client).write(new HpaPlan.Apply(hpa(null), Optional.empty())))
        .isInstanceOfSatisfying(
            KubernetesClientException.class, it -> assertThat(it.getCode()).isEqualTo(409));
    assertThat(server.getRequestCount()).isEqualTo(1);
  }

  /** What is kept in memory of a large HPA has no rules. */
  @Test
  void givesBackTheRulesThatTheServerHas() throws Exception {
    var live =
        new HorizontalPodAutoscalerBuilder(hpa("7"))
            .editMetadata()
            .addToAnnotations(OriginalSpec.ADOPTED_BY, "chat")
            .addToAnnotations(
                OriginalSpec.ORIGINAL_SPEC,
                "{\"maxReplicas\": 4, \"scaleTargetRef\": {\"kind\": \"Deployment\", \"name\":"
                    + " \"chat\"}}")
            .endMetadata()
            .build();
    server.expect().get().withPath(PATH).andReturn(200, live).always();
    server.expect().patch().withPath(PATH + "?fieldManager=prescale").andReturn(200, live).always();

    var kept = HpaInBrief.ofLarge(HpaInBrief.of(live));
    new HpaWriter(client).write(new HpaPlan.Restore(kept, "chat"));

    assertThat(server.takeRequest().getMethod()).isEqualTo("GET");
    assertThat(server.takeRequest().getBody().readUtf8())
        .contains("{\"op\":\"replace\",\"path\":\"/spec/maxReplicas\",\"value\":4}");
  }

  /** A patch from what was read might lose what was not. */
  @Test
  void givesNoRulesBackToAnHpaThatCannotBeReadInWhole() throws Exception {
    var live =
        "{\"apiVersion\": \"autoscaling/v2\", \"kind\": \"HorizontalPodAutoscaler\", \"metadata\":"
            + " {\"namespace\": \"team\", \"name\": \"prescale-chat\", \"resourceVersion\": \"7\"},"
            + " \"spec\": {\"maxReplicas\": 9, \"minReplicas\": {\"least\": 2}}}";
    server.expect().get().withPath(PATH).andReturn(200, live).always();

    try (var reading =
        new KubernetesClientBuilder()
            .withConfig(client.getConfiguration())
            .withKubernetesSerialization(HpaReader.json())
            .build()) {
      var writer = new HpaWriter(reading);
      assertThatThrownBy(() -> writer.write(new HpaPlan.Restore(hpa("7"), "chat")))
          .isInstanceOf(HpaInPartException.class)
          .hasMessage(
              "HorizontalPodAutoscaler prescale-chat has a field that this version of Prescale"
                  + " cannot read, so its own rules are not given back; correct the tool that wrote"
                  + " it, upgrade Prescale, or delete that HorizontalPodAutoscaler.");
    }
    assertThat(server.takeRequest().getMethod()).isEqualTo("GET");
    assertThat(server.getRequestCount()).as("no patch").isEqualTo(1);
  }

  private static String version(RecordedRequest request) throws JsonProcessingException {
    var applied = new ObjectMapper().readTree(request.getBody().readUtf8());
    return applied.at("/metadata/resourceVersion").asText();
  }

  private static HorizontalPodAutoscaler hpa(@Nullable String version) {
    return new HorizontalPodAutoscalerBuilder()
        .withNewMetadata()
        .withNamespace("team")
        .withName("prescale-chat")
        .withResourceVersion(version)
        .endMetadata()
        .withNewSpec()
        .withMaxReplicas(9)
        .withNewBehavior()
        .endBehavior()
        .endSpec()
        .build();
  }
}
