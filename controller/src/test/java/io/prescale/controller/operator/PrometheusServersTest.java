package io.prescale.controller.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.prescale.controller.api.v1alpha1.BasicAuthSpec;
import io.prescale.controller.api.v1alpha1.PrometheusSpec;
import io.prescale.controller.api.v1alpha1.SecretKeyRef;
import io.prescale.controller.api.v1alpha1.TlsSpec;
import io.prescale.controller.demand.prometheus.Credentials;
import io.prescale.controller.demand.prometheus.Header;
import io.prescale.controller.demand.prometheus.PrometheusServer;
import io.prescale.controller.demand.prometheus.TlsOptions;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whom a PredictiveHPA asks, with what its namespace's Secrets hold. */
@EnableKubernetesMockClient(crud = true)
@NullUnmarked // the extension sets the client
class PrometheusServersTest {
  private static final String URL = "https://mimir:8080/prometheus";

  @TempDir private Path folder;

  private KubernetesClient client;
  private SecretFiles files;
  private final AtomicReference<Optional<PrometheusServer>> usual =
      new AtomicReference<>(Optional.empty());

  @BeforeEach
  void open() throws IOException {
    files = SecretFiles.below(folder);
  }

  @AfterEach
  void close() {
    files.close();
  }

  @Test
  void showsTheTokenOfTheSecretAndANewOneAtOnce() throws Exception {
    secret("team", "token", "t", "first\n");
    var spec = spec(null, new SecretKeyRef("token", "t"), null, null);

    assertThat(servers().server("team", spec).credentials())
        .isEqualTo(new Credentials.Bearer("first"));
    secret("team", "token", "t", "second");
    assertThat(servers().server("team", spec).credentials())
        .isEqualTo(new Credentials.Bearer("second"));
  }

  @Test
  void showsUserPasswordAndTenant() throws Exception {
    secret("team", "user", "name", "reader");
    secret("team", "word", "pass", "s3cret");
    var basic =
        new BasicAuthSpec(new SecretKeyRef("user", "name"), new SecretKeyRef("word", "pass"));

    var server = servers().server("team", spec("tenant-1", null, basic, null));

    assertThat(server.url()).isEqualTo(URI.create(URL));
    assertThat(server.credentials()).isEqualTo(new Credentials.Basic("reader", "s3cret"));
    assertThat(server.headers()).containsExactly(new Header("X-Scope-OrgID", "tenant-1"));
  }

  @Test
  void keepsCertificatesInPrivateFilesAndRemovesThem() throws Exception {
    secret("team", "ca", "ca.crt", "PEM");
    var spec = spec(null, null, null, new TlsSpec(new SecretKeyRef("ca", "ca.crt"), null, null));

    Path file = servers().server("team", spec).tls().ca().orElseThrow();

    assertThat(file).hasContent("PEM");
    assertThat(Files.getPosixFilePermissions(file.getParent()))
        .isEqualTo(PosixFilePermissions.fromString("rwx------"));
    assertThat(servers().server("team", spec).tls().ca()).as("equal settings").contains(file);
    files.close();
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void namesTheSecretAndTheKeyThatAreMissing() {
    var spec = spec(null, new SecretKeyRef("token", "t"), null, null);

    assertThat(refusal("team", spec))
        .isEqualTo(
            "There is no Secret token in namespace team; create it, or correct spec.prometheus.");
    secret("team", "token", "other", "x");
    assertThat(refusal("team", spec))
        .isEqualTo(
            "Secret token of namespace team has no key t; add it, or correct spec.prometheus.");
    assertThat(refusal("elsewhere", spec)).as("of no other namespace").contains("no Secret token");
  }

  @Test
  void refusesATokenThatNoHeaderHolds() {
    secret("team", "token", "t", "two words");

    assertThat(refusal("team", spec(null, new SecretKeyRef("token", "t"), null, null)))
        .startsWith("spec.prometheus: The bearer token is empty, or contains a space");
  }

  @Test
  void asksTheUsualServerOfTheMomentWhenNoneIsNamed() throws Exception {
    assertThat(refusal("team", null)).contains("--prometheus");
    for (String token : new String[] {"first", "renewed"}) {
      var server =
          new PrometheusServer(
              URI.create(URL), new Credentials.Bearer(token), List.of(), TlsOptions.system());
      usual.set(Optional.of(server));
      assertThat(servers().server("team", null)).isEqualTo(server);
    }
  }

  private String refusal(String namespace, PrometheusSpec spec) {
    return catchThrowableOfType(
            PrometheusServers.Unusable.class, () -> servers().server(namespace, spec))
        .getMessage();
  }

  private PrometheusServers servers() {
    return new PrometheusServers(client, usual::get, files);
  }

  private static PrometheusSpec spec(
      String tenant, SecretKeyRef token, BasicAuthSpec basic, TlsSpec tls) {
    return new PrometheusSpec(URL, tenant, token, basic, tls);
  }

  private void secret(String namespace, String name, String key, String value) {
    var secret =
        new SecretBuilder()
            .withNewMetadata()
            .withNamespace(namespace)
            .withName(name)
            .endMetadata()
            .addToData(
                key, Base64.getEncoder().encodeToString(value.getBytes(StandardCharsets.UTF_8)))
            .build();
    client.secrets().inNamespace(namespace).resource(secret).createOr(it -> it.update());
  }
}
