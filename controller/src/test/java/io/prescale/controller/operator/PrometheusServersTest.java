package io.prescale.controller.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.prescale.controller.MockApi;
import io.prescale.controller.api.v1alpha1.BasicAuthSpec;
import io.prescale.controller.api.v1alpha1.ConditionReason;
import io.prescale.controller.api.v1alpha1.PrometheusSpec;
import io.prescale.controller.api.v1alpha1.SecretKeyRef;
import io.prescale.controller.api.v1alpha1.TlsSpec;
import io.prescale.controller.autoscaling.Reading;
import io.prescale.controller.autoscaling.Reading.Missing;
import io.prescale.controller.autoscaling.Reading.Reason;
import io.prescale.controller.demand.prometheus.AllowedServers;
import io.prescale.controller.demand.prometheus.Credentials;
import io.prescale.controller.demand.prometheus.Header;
import io.prescale.controller.demand.prometheus.PrometheusServer;
import io.prescale.controller.demand.prometheus.TlsOptions;
import io.prescale.controller.demand.source.MetricQuery;
import io.prescale.controller.demand.source.MetricSource;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** Whom a PredictiveHPA asks, with what its namespace's Secrets hold. */
@MockApi(crud = true)
@NullUnmarked // the extension sets client and server
class PrometheusServersTest {
  private static final String URL = "https://mimir:8080/prometheus";

  private static final AllowedServers ALLOWED = AllowedServers.of(List.of("mimir:8080"));

  private KubernetesClient client;
  private KubernetesMockServer server;
  private final AtomicLong nanos = new AtomicLong();
  private final AtomicReference<Optional<PrometheusServer>> usual =
      new AtomicReference<>(Optional.empty());

  @Test
  void showsTheTokenOfTheSecretAndANewOneWithinAMinute() throws Exception {
    secret("team", "token", "t", "first\n");
    var spec = spec(null, new SecretKeyRef("token", "t"), null, null);
    var servers = servers();

    assertThat(servers.server("team", spec).credentials())
        .isEqualTo(new Credentials.Bearer("first"));
    secret("team", "token", "t", "second");
    nanos.set(Duration.ofSeconds(59).toNanos());
    assertThat(servers.server("team", spec).credentials())
        .isEqualTo(new Credentials.Bearer("first"));
    nanos.set(Duration.ofSeconds(60).toNanos());
    assertThat(servers.server("team", spec).credentials())
        .isEqualTo(new Credentials.Bearer("second"));
  }

  @Test
  void readsASecretOnceAMinuteHoweverManyObjectsAndKeysNameIt() throws Exception {
    secret("team", "all", "user", "reader");
    var user = new SecretKeyRef("all", "user");
    var servers = servers();
    int before = server.getRequestCount();

    for (int object = 0; object < 200; object++) {
      servers.server("team", spec(null, null, new BasicAuthSpec(user, user), null));
    }

    assertThat(server.getRequestCount() - before).isOne();
  }

  @Test
  void aServerThatRefusesTheCredentialsHasThemReadAgain() throws Exception {
    secret("team", "token", "t", "old");
    var spec = spec(null, new SecretKeyRef("token", "t"), null, null);
    var servers = servers();
    var query =
        new MetricQuery("team", servers.server("team", spec), "sum(load)", Duration.ofMinutes(1));
    secret("team", "token", "t", "rotated");

    refusing(Reason.TIMEOUT, servers).read(query, Instant.EPOCH, Instant.EPOCH).join();
    assertThat(servers.server("team", spec)).as("for another reason").isEqualTo(query.server());
    refusing(Reason.ACCESS_DENIED, servers).read(query, Instant.EPOCH, Instant.EPOCH).join();
    assertThat(servers.server("team", spec).credentials())
        .isEqualTo(new Credentials.Bearer("rotated"));

    secret("team", "token", "t", "again");
    refusing(Reason.ACCESS_DENIED, servers).history(query, Instant.EPOCH, Instant.EPOCH).join();
    assertThat(servers.server("team", spec).credentials())
        .isEqualTo(new Credentials.Bearer("again"));
  }

  @Test
  void keepsAtMostAThousandSecretsAndNoLargeOnes() {
    secret("team", "large", "t", "x".repeat(30_000));
    secret("team", "small", "t", "x");
    for (int other = 0; other < CachedSecrets.MOST; other++) {
      secret("others", "small-" + other, "t", "x");
    }
    var secrets = new CachedSecrets(client, nanos::get);
    int before = server.getRequestCount();

    for (int again = 0; again < 2; again++) {
      secrets.data("team", "large", "t");
      secrets.data("team", "small", "t");
    }
    assertThat(server.getRequestCount() - before).as("the large one twice").isEqualTo(3);

    for (int other = 0; other < CachedSecrets.MOST; other++) {
      secrets.data("others", "small-" + other, "t");
    }
    before = server.getRequestCount();
    secrets.data("team", "small", "t");
    assertThat(server.getRequestCount() - before).as("has made way").isOne();
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
  void keepsCertificatesInMemory() throws Exception {
    secret("team", "ca", "ca.crt", "PEM");
    var spec = spec(null, null, null, new TlsSpec(new SecretKeyRef("ca", "ca.crt"), null, null));

    var source = servers().server("team", spec).tls().ca().orElseThrow();

    assertThat(source.text()).isEqualTo("PEM");
    assertThat(source).hasToString("Key ca.crt of Secret ca");
    assertThat(servers().server("team", spec).tls().ca()).as("equal settings").contains(source);
  }

  @Test
  void asksOnlyServersThatAnAdministratorAllows() throws Exception {
    var elsewhere = List.of("http://169.254.169.254", "https://mimir:8081", "http://mimir.other");
    for (var url : elsewhere) {
      var refusal =
          catchThrowableOfType(
              NotReady.class,
              () ->
                  servers().server("team", new PrometheusSpec(url, null, null, null, null, null)));
      assertThat(refusal.reason()).isEqualTo(ConditionReason.InvalidSpec);
      assertThat(refusal)
          .hasMessageStartingWith("spec.prometheus.url is " + url)
          .hasMessageContaining("--allow-prometheus of the controller");
    }
    usual.set(Optional.of(PrometheusServer.at(URI.create("http://mimir.other:80"))));
    var named = new PrometheusSpec(elsewhere.getLast(), null, null, null, null, null);

    assertThat(servers().server("team", named).isNamedByUser()).isTrue();
    assertThat(servers().server("team", null).isNamedByUser()).isFalse();
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

  @Test
  void asksTheUsualServerForSeriesOfTheOwnNamespaceAlone() throws Exception {
    var url = URI.create("http://127.0.0.1:8089");
    usual.set(
        Optional.of(
            new PrometheusServer(
                url, new Credentials.Bearer("t"), List.of(), TlsOptions.system())));

    for (String namespace : new String[] {"team", "other"}) {
      var server = enforcing().server(namespace, null);
      assertThat(server.headers()).containsExactly(new Header("X-Prescale-Namespace", namespace));
      assertThat(server.url()).isEqualTo(url);
      assertThat(server.credentials()).isEqualTo(new Credentials.Bearer("t"));
    }
    assertThat(servers().server("team", null).headers()).isEmpty();
  }

  @Test
  void noUserReachesTheUsualServerAroundItsNamespace() throws Exception {
    usual.set(Optional.of(PrometheusServer.at(URI.create("http://127.0.0.1:8089"))));
    for (String url : List.of("http://127.0.0.1:8089", "http://127.0.0.1:8089/x")) {
      var named = new PrometheusSpec(url, "X-Prescale-Namespace: other", null, null, null, null);
      assertThat(servers().server("team", named).isNamedByUser()).isTrue();
      assertThat(catchThrowableOfType(NotReady.class, () -> enforcing().server("team", named)))
          .hasMessageStartingWith("spec.prometheus.url is " + url + ", which an administrator");
    }
    var allowed = enforcing().server("team", spec("X-Prescale-Namespace", null, null, null));

    assertThat(allowed.headers())
        .as("where nothing is enforced")
        .containsExactly(new Header("X-Scope-OrgID", "X-Prescale-Namespace"));
  }

  private static RotatedCredentials refusing(Reason reason, PrometheusServers servers) {
    var missing = new Missing(reason, "It fails.");
    return new RotatedCredentials(
        new MetricSource() {
          @Override
          public CompletableFuture<Reading> read(MetricQuery query, Instant after, Instant now) {
            return CompletableFuture.completedFuture(missing);
          }

          @Override
          public CompletableFuture<LatestReading> latest(MetricQuery query, Instant now) {
            return CompletableFuture.completedFuture(new LatestReading.NotFound(missing));
          }

          @Override
          public CompletableFuture<HistoryReading> history(
              MetricQuery query, Instant from, Instant to) {
            return CompletableFuture.completedFuture(new HistoryReading.NotFound(missing));
          }
        },
        servers);
  }

  private String refusal(String namespace, PrometheusSpec spec) {
    return catchThrowableOfType(NotReady.class, () -> servers().server(namespace, spec))
        .getMessage();
  }

  private PrometheusServers servers() {
    return new PrometheusServers(client, nanos::get, usual::get, ALLOWED, false);
  }

  private PrometheusServers enforcing() {
    return new PrometheusServers(client, nanos::get, usual::get, ALLOWED, true);
  }

  private static PrometheusSpec spec(
      String tenant, SecretKeyRef token, BasicAuthSpec basic, TlsSpec tls) {
    return new PrometheusSpec(URL, tenant, token, basic, null, tls);
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
