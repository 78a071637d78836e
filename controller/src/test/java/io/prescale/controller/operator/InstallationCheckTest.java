package io.prescale.controller.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.APIServiceBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.prescale.controller.MockApi;
import io.prescale.controller.operator.InstallationCheck.Finding;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** What is reported of an installation; the laboratory tests a real one. */
@MockApi
@NullUnmarked // the extension sets the client and the server
class InstallationCheckTest {
  private static final String DEFINITION = "predictivehpas.autoscaling.prescale.io";
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");

  private KubernetesMockServer server;
  private KubernetesClient client;

  @Test
  void anEmptyClusterLacksEverything() {
    assertThat(problems(run(true)))
        .satisfiesExactly(
            definition -> assertThat(definition).contains("prescale crd | kubectl apply"),
            leader -> assertThat(leader).contains("No replica has led in namespace prescale yet"),
            registration -> assertThat(registration).contains("There is no APIService"),
            answer -> assertThat(answer).contains("does not answer with its resources"));
  }

  @Test
  void aCompleteInstallationIsWell() {
    definition("True");
    lease(NOON.minusSeconds(3));
    registration("prescale", "prescale", "True", "Passed");
    answers(
        "/apis/external.metrics.k8s.io/v1beta1", "{\"kind\":\"APIResourceList\",\"resources\":[]}");

    assertThat(run(true)).hasSize(4).allMatch(finding -> finding.problem().isEmpty());
  }

  @Test
  void whatMayNotBeAskedIsAProblemAndTheRestIsAsked() {
    server
        .expect()
        .get()
        .withPath("/apis/apiextensions.k8s.io/v1/customresourcedefinitions/" + DEFINITION)
        .andReturn(403, "{\"kind\":\"Status\",\"message\":\"you may not\",\"code\":403}")
        .always();
    lease(NOON.minusSeconds(3));

    assertThat(problems(run(false)))
        .satisfiesExactly(
            refused -> assertThat(refused).isEqualTo("You may not look at it: you may not"),
            well -> assertThat(well).isEmpty());
  }

  @Test
  void oneThatDoesNotRegisterNeedsADefinitionAndALeader() {
    definition("True");
    lease(NOON.minusSeconds(3));

    assertThat(run(false)).hasSize(2).allMatch(finding -> finding.problem().isEmpty());
  }

  @Test
  void aDefinitionThatIsNotServedIsTold() {
    definition("False");

    assertThat(problems(run(false)).getFirst()).startsWith("The API server does not serve it");
  }

  @Test
  void aLeaderThatFellSilentIsNone() {
    definition("True");
    lease(NOON.minusSeconds(31));

    assertThat(problems(run(false)))
        .containsExactly(
            "", "pod-a led last, 31 s ago, and no replica leads now; are the pods running?");
  }

  @Test
  void aRegistrationOfAnotherAdapterIsNamed() {
    registration("keda", "keda-metrics", "True", "");

    assertThat(problems(run(true)).get(2))
        .isEqualTo(
            "APIService v1beta1.external.metrics.k8s.io points to keda/keda-metrics and not to"
                + " prescale/prescale; remove that adapter.");
  }

  @Test
  void aRegistrationThatIsNotAvailableSaysWhy() {
    registration("prescale", "prescale", "False", "FailedDiscoveryCheck");

    assertThat(problems(run(true)).get(2))
        .isEqualTo("It is not available (FailedDiscoveryCheck): said the aggregator");
  }

  private List<Finding> run(boolean registered) {
    return new InstallationCheck(client, "prescale", "prescale/prescale").run(NOON, registered);
  }

  private static List<String> problems(List<Finding> findings) {
    return findings.stream().map(finding -> finding.problem().orElse("")).toList();
  }

  private void definition(String established) {
    answers(
        "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/" + DEFINITION,
        new CustomResourceDefinitionBuilder()
            .withNewMetadata()
            .withName(DEFINITION)
            .endMetadata()
            .withNewStatus()
            .addNewCondition()
            .withType("Established")
            .withStatus(established)
            .endCondition()
            .endStatus()
            .build());
  }

  private void lease(Instant renewed) {
    answers(
        "/apis/coordination.k8s.io/v1/namespaces/prescale/leases/prescale",
        new LeaseBuilder()
            .withNewMetadata()
            .withNamespace("prescale")
            .withName("prescale")
            .endMetadata()
            .withNewSpec()
            .withHolderIdentity("pod-a")
            .withRenewTime(renewed.atZone(ZoneOffset.UTC))
            .endSpec()
            .build());
  }

  private void registration(String namespace, String service, String available, String reason) {
    answers(
        "/apis/apiregistration.k8s.io/v1/apiservices/v1beta1.external.metrics.k8s.io",
        new APIServiceBuilder()
            .withNewMetadata()
            .withName("v1beta1.external.metrics.k8s.io")
            .endMetadata()
            .withNewSpec()
            .withNewService(service, namespace, 443)
            .endSpec()
            .withNewStatus()
            .addNewCondition(null, "said the aggregator", reason, available, "Available")
            .endStatus()
            .build());
  }

  private void answers(String path, Object body) {
    server.expect().get().withPath(path).andReturn(200, body).always();
  }
}
