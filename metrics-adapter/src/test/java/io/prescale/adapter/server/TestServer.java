package io.prescale.adapter.server;

import io.prescale.adapter.MetricKey;
import io.prescale.adapter.MetricReadModel;
import io.prescale.adapter.ServedMetric;
import io.prescale.adapter.TestAuthority;
import io.prescale.adapter.api.ExternalMetricsApi;
import io.prescale.adapter.api.Health;
import io.prescale.adapter.api.HealthCheck;
import io.prescale.adapter.api.Upstream;
import io.prescale.adapter.identity.Access;
import io.prescale.adapter.identity.AccessReviewer;
import io.prescale.adapter.identity.Authenticator;
import io.prescale.adapter.identity.Authorizer;
import io.prescale.adapter.identity.ReviewTtl;
import io.prescale.adapter.identity.TrustSettings;
import io.prescale.adapter.identity.User;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;

/** A server on loopback in front of a cluster that has the rules of the recordings. */
final class TestServer implements AutoCloseable {
  static final String AUTOSCALER = "system:serviceaccount:kube-system:horizontal-pod-autoscaler";
  static final String PLAIN = "plain";
  private static final Set<String> DISCOVERY =
      Set.of("api", "apis", "healthz", "livez", "readyz", "openapi", "version");

  final MetricReadModel metrics = new MetricReadModel();
  final Instant now = Instant.now();
  final TestAuthority clients = new TestAuthority("client-ca", now);
  final TestAuthority proxies = new TestAuthority("requestheader-ca", now);
  final TestAuthority servers = new TestAuthority("serving-ca", now);
  final AtomicReference<Optional<TrustSettings>> trust = new AtomicReference<>();
  final AtomicReference<ServingCertificate> serving = new AtomicReference<>();
  private final ListeningContext server;

  TestServer(Map<String, Object> properties, AccessReviewer reviewer) {
    this(properties, reviewer, Optional.empty());
  }

  TestServer(Map<String, Object> properties, AccessReviewer reviewer, Optional<Upstream> upstream) {
    trust.set(Optional.of(trustOf(clients, proxies)));
    serveAs(servers);
    var authenticator =
        new Authenticator(
            trust::get,
            token ->
                token.equals("good")
                    ? Optional.of(new User("token-user", "", List.of(), Map.of()))
                    : Optional.empty(),
            ReviewTtl.usual(),
            () -> now);
    var ready =
        new HealthCheck(
            "authentication",
            () -> authenticator.isReady() ? Optional.empty() : Optional.of("not loaded"));
    var api =
        new ExternalMetricsApi(
            metrics,
            upstream,
            authenticator,
            new Authorizer(reviewer, ReviewTtl.usual(), () -> now),
            new Health(List.of(), List.of(ready)),
            "v0",
            () -> now,
            () -> "00000000-0000-0000-0000-000000000000");
    server = listening(api, properties);
  }

  private ListeningContext listening(ExternalMetricsApi api, Map<String, Object> properties) {
    try {
      return ListeningContext.start(
          "test",
          List.of(
              new Listener(ApiFilter.LISTENER, "127.0.0.1", 0, true),
              Listener.plain(PLAIN, "127.0.0.1", 0)),
          properties,
          api,
          TlsSettings.ofApi(serving::get, trust::get));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Publishes the value of the metric rps in the namespace default, in thousandths. */
  void publish(long milliValue) {
    metrics.publish(
        new MetricKey("default", "rps"),
        "chat",
        new ServedMetric(
            new TreeMap<>(Map.of("predictivehpa", "chat")),
            milliValue,
            now,
            60,
            List.of(),
            Duration.ofMinutes(2),
            Duration.ofMinutes(10),
            0));
  }

  static TestServer start() {
    return new TestServer(Map.of(), TestServer::mayDo);
  }

  static TrustSettings trustOf(TestAuthority clients, TestAuthority proxies) {
    return new TrustSettings(
        List.of(clients.certificate()),
        List.of(proxies.certificate()),
        List.of("front-proxy-client"),
        List.of("X-Remote-User"),
        List.of(),
        List.of("X-Remote-Group"),
        List.of("X-Remote-Extra-"));
  }

  void serveAs(TestAuthority authority) {
    var issued = authority.server("CN=prescale");
    serving.set(new ServingCertificate(issued.key(), List.of(issued.certificate())));
  }

  int port() {
    return port(ApiFilter.LISTENER);
  }

  int port(String listener) {
    return server.port(listener);
  }

  RawClient client() {
    return new RawClient(port(), servers.certificate(), Optional.empty());
  }

  RawClient client(TestAuthority.Issued certificate) {
    return new RawClient(port(), servers.certificate(), Optional.of(certificate));
  }

  RawClient proxy() {
    return client(proxies.client("CN=front-proxy-client"));
  }

  /** The roles system:discovery and system:public-info-viewer, and the autoscaler's. */
  static AccessReviewer.Decision mayDo(Access access) {
    var allowed =
        switch (access) {
          case Access.ToResource resource ->
              resource.group().equals("external.metrics.k8s.io")
                  && access.user().name().equals(AUTOSCALER);
          case Access.ToPath(var user, _, var path) -> {
            var first = path.split("/", -1)[1];
            yield user.groups().contains("system:authenticated")
                ? DISCOVERY.contains(first)
                : path.equals("/version");
          }
        };
    return new AccessReviewer.Decision(allowed, "");
  }

  @Override
  public void close() {
    server.close();
  }
}
