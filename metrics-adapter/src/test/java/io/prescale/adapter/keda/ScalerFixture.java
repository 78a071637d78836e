package io.prescale.adapter.keda;

import io.prescale.adapter.LabelSelector;
import io.prescale.adapter.MetricKey;
import io.prescale.adapter.MetricReadModel;
import io.prescale.adapter.ServedMetric;
import io.prescale.adapter.TestAuthority;
import io.prescale.adapter.server.Listener;
import io.prescale.adapter.server.ListenerException;
import io.prescale.adapter.server.ServingCertificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A scaler for one PredictiveHPA, {@code models/chat}, on a port of its own with TLS. Its clock
 * stands.
 */
final class ScalerFixture implements AutoCloseable {
  static final Duration FRESH = Duration.ofMinutes(2);
  static final Duration TTL = Duration.ofMinutes(15);
  static final String METRIC = "requests";

  final Instant start = Instant.now();
  final AtomicReference<Instant> clock = new AtomicReference<>(start);
  final AtomicReference<Optional<String>> fault = new AtomicReference<>(Optional.empty());
  final MetricReadModel model = new MetricReadModel();
  final Map<String, List<DeclaredMetric>> declared =
      new ConcurrentHashMap<>(
          Map.of("models/chat", List.of(new DeclaredMetric(METRIC, 24, false))));
  final TestAuthority servers = new TestAuthority("serving-ca", start);
  final TestAuthority clients = new TestAuthority("keda-ca", start);
  final TestAuthority.Issued operator = clients.client("CN=keda-operator");
  final ExternalScalerServer server;
  private final List<KedaClient> connected = new ArrayList<>();

  ScalerFixture() throws ListenerException {
    this(100);
  }

  ScalerFixture(int mostStreams) throws ListenerException {
    var serving = servers.server("CN=prescale");
    var scaler =
        new ExternalScaler(
            model,
            (namespace, name) -> Optional.ofNullable(declared.get(namespace + "/" + name)),
            name -> LabelSelector.with("predictivehpa", name),
            fault::get,
            clock::get);
    server =
        new ExternalScalerServer(
            scaler,
            new ScalerTls(
                () -> new ServingCertificate(serving.key(), List.of(serving.certificate())),
                List.of(clients.certificate()),
                Set.of("keda-operator", "keda.example")),
            Listener.plain("keda", "127.0.0.1", 0),
            mostStreams,
            Duration.ofMillis(20));
    server.start();
  }

  /** KEDA's operator, as it should be. */
  KedaClient operator() {
    return client(Optional.of(operator));
  }

  KedaClient client(Optional<TestAuthority.Issued> certificate) {
    var client = new KedaClient(server.port(), servers.certificate(), certificate);
    connected.add(client);
    return client;
  }

  void serve(long milli) {
    serve("models", "chat", METRIC, milli);
  }

  void serve(String namespace, String predictiveHpa, String metric, long milli) {
    model.publish(
        new MetricKey(namespace, metric),
        predictiveHpa,
        new ServedMetric(
            new TreeMap<>(Map.of("predictivehpa", predictiveHpa)),
            milli,
            clock.get(),
            60,
            List.of(),
            FRESH,
            TTL,
            0));
  }

  void later(Duration time) {
    clock.updateAndGet(it -> it.plus(time));
  }

  @Override
  public void close() {
    connected.forEach(KedaClient::close);
    server.close();
  }
}
