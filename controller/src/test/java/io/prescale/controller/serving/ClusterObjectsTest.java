package io.prescale.controller.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.APIService;
import io.fabric8.kubernetes.api.model.APIServiceBuilder;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.prescale.adapter.identity.ReviewTtl;
import io.prescale.controller.MockApi;
import io.prescale.controller.certificates.CertificateMaker;
import io.prescale.controller.certificates.Certificates;
import io.prescale.controller.certificates.KeyRotation;
import io.prescale.controller.certificates.KeySecret;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** The objects that the adapter keeps in the cluster. */
@MockApi(crud = true)
@NullUnmarked // the extension sets the client
class ClusterObjectsTest {
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");

  private KubernetesClient client;

  @Test
  void registersAndKeepsTheBundleCurrent() {
    var registration = registration();

    assertThat(registration.ensure(Optional.of("first"))).isEqualTo(Registration.Ours.alone());
    assertThat(registration.ensure(Optional.of("second"))).isEqualTo(Registration.Ours.alone());

    var spec = there().getSpec();
    assertThat(decoded(spec.getCaBundle())).isEqualTo("second");
    assertThat(spec.getService().getNamespace()).isEqualTo("system");
    assertThat(spec.getService().getName()).isEqualTo("prescale");
    assertThat(spec.getService().getPort()).isEqualTo(443);
    assertThat(spec.getInsecureSkipTLSVerify()).isNull();
  }

  @Test
  void turnsVerificationOnWhereItWasOff() {
    create("system", "prescale", Map.of(), true);

    assertThat(registration().ensure(Optional.of("bundle"))).isEqualTo(Registration.Ours.alone());

    assertThat(there().getSpec().getInsecureSkipTLSVerify()).isNull();
    assertThat(decoded(there().getSpec().getCaBundle())).isEqualTo("bundle");
  }

  @Test
  void leavesTheBundleToCertManager() {
    create("system", "prescale", Map.of("cert-manager.io/inject-ca-from", "system/tls"), false);

    assertThat(registration().ensure(Optional.of("ours"))).isEqualTo(Registration.Ours.alone());

    assertThat(decoded(there().getSpec().getCaBundle())).isEqualTo("theirs");
  }

  @Test
  void leavesAnotherAdaptersRegistrationAloneAndNamesIt() {
    create("keda", "keda-operator-metrics-apiserver", Map.of(), true);
    var before = there();

    var held = registration().ensure(Optional.of("bundle"));

    assertThat(held)
        .isEqualTo(
            new Registration.HeldBy("keda/keda-operator-metrics-apiserver", "it is left alone"));
    assertThat(((Registration.HeldBy) held).advice())
        .contains("v1beta1.external.metrics.k8s.io points to keda/keda-operator-metrics-apiserver");
    assertThat(there()).isEqualTo(before);
  }

  /** At its start Prescale is not reached yet, which is no reason to wait for the next look. */
  @Test
  void whereTheApiServerHasNotReachedPrescaleForAMinuteNoHpaIsMade() {
    create("system", "prescale", Map.of(), false);
    available("False", NOON.minusSeconds(30));
    assertThat(registration().look().unserved()).isEmpty();

    available("False", NOON.minusSeconds(61));
    assertThat(registration().look().unserved())
        .contains(
            "APIService v1beta1.external.metrics.k8s.io points to Prescale, and the API server does"
                + " not reach it (FailedDiscoveryCheck: no response from 10.0.0.1); until it does,"
                + " no HPA is made or adopted. Look at Service, network policies and certificate,"
                + " and run prescale check.");
    assertThat(registration().ensure(Optional.of("bundle")))
        .as("what was wrong may be mended by this")
        .isEqualTo(Registration.Ours.alone());
    assertThat(registration().ensure(Optional.of("bundle")).unserved()).isPresent();

    available("True", NOON.minusSeconds(61));
    assertThat(registration().ensure(Optional.of("bundle"))).isEqualTo(Registration.Ours.alone());
  }

  private void available(String status, Instant since) {
    client
        .apiServices()
        .withName(ApiServiceRegistration.NAME)
        .edit(
            it ->
                new APIServiceBuilder(it)
                    .withNewStatus()
                    .addNewCondition()
                    .withType("Available")
                    .withStatus(status)
                    .withLastTransitionTime(since.toString())
                    .withReason("FailedDiscoveryCheck")
                    .withMessage("no response from 10.0.0.1")
                    .endCondition()
                    .endStatus()
                    .build());
  }

  @Test
  void twoReplicasShareOneSecret() throws IOException {
    var first = keys("shared").refresh(NOON);
    var second = keys("shared").refresh(NOON.plusSeconds(5));

    assertThat(second.certificate()).isEqualTo(first.certificate());
    assertThat(second.caBundle()).isEqualTo(first.caBundle());
  }

  @Test
  void fillsTheSecretThatTheInstallationMadeAndKeepsItsLabels() throws IOException {
    client
        .secrets()
        .inNamespace("system")
        .resource(
            new SecretBuilder()
                .withNewMetadata()
                .withNamespace("system")
                .withName("installed")
                .addToLabels("app.kubernetes.io/managed-by", "Helm")
                .endMetadata()
                .build())
        .create();

    var first = keys("installed").refresh(NOON);
    var second = keys("installed").refresh(NOON.plusSeconds(5));

    assertThat(second.certificate()).isEqualTo(first.certificate());
    var secret = client.secrets().inNamespace("system").withName("installed").get();
    assertThat(secret.getData()).containsOnlyKeys("ca.crt", "ca.key", "tls.crt", "tls.key");
    assertThat(secret.getMetadata().getLabels())
        .containsEntry("app.kubernetes.io/managed-by", "Helm");
  }

  @Test
  void renewsInTheSecret() throws IOException {
    var first = keys("renewed").refresh(NOON);
    var later = NOON.plus(Duration.ofDays(61));

    var renewed = keys("renewed").refresh(later);

    assertThat(renewed.certificate()).isNotEqualTo(first.certificate());
    assertThat(renewed.caBundle()).isEqualTo(first.caBundle());
    assertThat(keys("renewed").refresh(later).certificate()).isEqualTo(renewed.certificate());
  }

  @Test
  void saysHowToRepairADamagedSecret() {
    client
        .secrets()
        .inNamespace("system")
        .resource(
            new SecretBuilder()
                .withNewMetadata()
                .withNamespace("system")
                .withName("spoiled")
                .endMetadata()
                .addToData("tls.crt", "bm9uc2Vuc2U=")
                .build())
        .create();

    assertThatThrownBy(() -> keys("spoiled").refresh(NOON))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("secret system/spoiled", "delete it");
  }

  private KeySecret keys(String name) {
    return new KeySecret(
        client,
        "system",
        name,
        new KeyRotation(new CertificateMaker(), List.of("prescale.system.svc")));
  }

  private ApiServiceRegistration registration() {
    return new ApiServiceRegistration(
        client,
        () -> NOON,
        new AdapterSettings(
            "127.0.0.1",
            0,
            "system",
            "prescale",
            443,
            new Certificates.SelfMade("unused"),
            ReviewTtl.usual(),
            true,
            AdapterSettings.PassThrough.NONE,
            "v0",
            "pod"),
        Optional.empty());
  }

  private APIService there() {
    return client.apiServices().withName(ApiServiceRegistration.NAME).get();
  }

  private void create(
      String namespace, String service, Map<String, String> annotations, boolean skipVerify) {
    client
        .apiServices()
        .resource(
            new APIServiceBuilder()
                .withNewMetadata()
                .withName(ApiServiceRegistration.NAME)
                .withAnnotations(annotations)
                .endMetadata()
                .withNewSpec()
                .withGroup("external.metrics.k8s.io")
                .withVersion("v1beta1")
                .withNewService(service, namespace, 443)
                .withCaBundle(
                    Base64.getEncoder().encodeToString("theirs".getBytes(StandardCharsets.UTF_8)))
                .withInsecureSkipTLSVerify(skipVerify)
                .endSpec()
                .build())
        .create();
  }

  private static String decoded(String base64) {
    return new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
  }
}
