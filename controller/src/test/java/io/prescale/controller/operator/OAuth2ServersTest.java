package io.prescale.controller.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.prescale.controller.MockApi;
import io.prescale.controller.api.v1alpha1.ConditionReason;
import io.prescale.controller.api.v1alpha1.OAuth2Spec;
import io.prescale.controller.api.v1alpha1.PrometheusSpec;
import io.prescale.controller.api.v1alpha1.SecretKeyRef;
import io.prescale.controller.demand.prometheus.AllowedServers;
import io.prescale.controller.demand.prometheus.ClientCredentials;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The token servers that PredictiveHPAs name. */
@MockApi(crud = true)
@NullUnmarked // the extension sets the client
class OAuth2ServersTest {
  private static final String LOGIN = "https://login.example/tenant/oauth2/v2.0/token";

  private KubernetesClient client;

  @BeforeEach
  void secret() {
    var data = Map.of("id", base64("reader"), "secret", base64("s3cret\n"), "ca", base64("PEM"));
    client
        .resource(
            new SecretBuilder()
                .withNewMetadata()
                .withNamespace("team")
                .withName("azure")
                .endMetadata()
                .withData(data)
                .build())
        .create();
  }

  @Test
  void theClientComesFromASecret() throws Exception {
    var server = servers("mimir:8080", "login.example").server("team", spec(LOGIN, "secret"));

    assertThat(server.credentials())
        .isInstanceOfSatisfying(
            ClientCredentials.class,
            it -> {
              assertThat(it.tokenUrl()).isEqualTo(URI.create(LOGIN));
              assertThat(it.clientId()).isEqualTo("reader");
              assertThat(it.clientSecret()).isEqualTo("s3cret");
              assertThat(it.scope()).contains("metrics/.default");
              assertThat(it.audience()).isEmpty();
              assertThat(it.tls().ca().orElseThrow()).hasToString("Key ca of Secret azure");
            });
    assertThat(server.toString()).doesNotContain("s3cret");
  }

  @Test
  void anAdministratorHasToAllowTheTokenServerToo() {
    var refusal = refusal(servers("mimir:8080"), spec(LOGIN, "secret"));

    assertThat(refusal.reason()).isEqualTo(ConditionReason.InvalidSpec);
    assertThat(refusal)
        .hasMessageStartingWith(
            "spec.prometheus.oauth2.tokenUrl is "
                + LOGIN
                + ", which an administrator must allow first");
  }

  @Test
  void saysWhatIsMissingOrWrong() {
    var all = servers("*");

    assertThat(refusal(all, spec(LOGIN, "absent")))
        .hasMessageStartingWith("Secret azure of namespace team has no key absent");
    assertThat(refusal(all, spec("http://login.example/token", "secret")))
        .hasMessageContaining("is not https; a client's secret is sent there");
    assertThat(refusal(all, spec("https://login.example/token?x=1", "secret")))
        .hasMessageStartingWith("spec.prometheus: ");
  }

  private static NotReady refusal(PrometheusServers servers, PrometheusSpec spec) {
    return catchThrowableOfType(NotReady.class, () -> servers.server("team", spec));
  }

  private PrometheusServers servers(String... allowed) {
    var servers = AllowedServers.of(List.of(allowed));
    return new PrometheusServers(client, () -> 0, Optional::empty, servers, false);
  }

  private static PrometheusSpec spec(String tokenUrl, String secretKey) {
    var oauth2 =
        new OAuth2Spec(
            tokenUrl,
            new SecretKeyRef("azure", "id"),
            new SecretKeyRef("azure", secretKey),
            "metrics/.default",
            null,
            new SecretKeyRef("azure", "ca"));
    return new PrometheusSpec("https://mimir:8080", null, null, null, oauth2, null);
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }
}
