package io.prescale.controller.lab;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsServer;
import io.prescale.controller.demand.prometheus.PrometheusException;
import io.prescale.controller.demand.prometheus.ScriptedServer;
import io.prescale.controller.demand.prometheus.SelfSigned;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.InstantSource;
import java.util.OptionalDouble;
import java.util.concurrent.Executors;

/**
 * What an ordinary adapter serves: the newest value that Prometheus has, as a metric {@code demand}
 * of every Deployment of the namespace default. An aggregated API of its own
 * (custom.metrics.k8s.io), so that nothing of ours is between Prometheus and the HPA that this run
 * is compared with.
 */
final class ReactiveMetrics implements AutoCloseable {
  private static final String ROOT = "/apis/custom.metrics.k8s.io/v1beta2";
  private static final String OBJECTS = ROOT + "/namespaces/default/deployments.apps/";

  private final ScrapedDemand demand;
  private final InstantSource clock;
  private final HttpsServer server;

  private ReactiveMetrics(ScrapedDemand demand, InstantSource clock, HttpsServer server) {
    this.demand = demand;
    this.clock = clock;
    this.server = server;
  }

  /**
   * Serves, and tells the laboratory's API server.
   *
   * @param folder for the certificate
   */
  static ReactiveMetrics start(Lab lab, Path folder, ScrapedDemand demand, InstantSource clock)
      throws IOException, InterruptedException, GeneralSecurityException {
    var certificate = SelfSigned.create(folder, "reactive", "dns:reactive.default.svc", "EC");
    var server = certificate.server();
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    var metrics = new ReactiveMetrics(demand, clock, server);
    server.createContext("/", metrics::answer);
    server.start();
    lab.apply(manifest(server.getAddress().getPort(), certificate.caBundle()));
    return metrics;
  }

  /** An HPA that is given the newest value of a Deployment's demand. */
  static String hpa(String deployment, int min, int max, double perReplica, String behavior) {
    return """
    apiVersion: autoscaling/v2
    kind: HorizontalPodAutoscaler
    metadata: {name: %1$s, namespace: default}
    spec:
      scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: %1$s}
      minReplicas: %2$d
      maxReplicas: %3$d
      metrics:
      - type: Object
        object:
          describedObject: {apiVersion: apps/v1, kind: Deployment, name: %1$s}
          metric: {name: demand}
          target: {type: AverageValue, averageValue: "%4$s"}
      behavior: %5$s
    """
        .formatted(deployment, min, max, perReplica, behavior);
  }

  @Override
  public void close() {
    server.stop(0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      var path = exchange.getRequestURI().getPath();
      if (path.equals(ROOT)) {
        send(exchange, 200, RESOURCES);
      } else if (path.startsWith(OBJECTS) && path.endsWith("/demand")) {
        var name = path.substring(OBJECTS.length(), path.length() - "/demand".length());
        sendDemand(exchange, name);
      } else {
        send(exchange, 404, status(404, "there is nothing at " + path));
      }
    }
  }

  private void sendDemand(HttpExchange exchange, String deployment) throws IOException {
    var now = clock.instant();
    var value = newest();
    if (value.isEmpty()) {
      send(exchange, 503, status(503, "the demand is unknown"));
      return;
    }
    var answer =
        """
        {"kind": "MetricValueList", "apiVersion": "custom.metrics.k8s.io/v1beta2", "metadata": {},
         "items": [{"metric": {"name": "demand"}, "timestamp": "%s", "value": "%dm",
          "describedObject": {"kind": "Deployment", "apiVersion": "apps/v1",
           "namespace": "default", "name": "%s"}}]}
        """
            .formatted(now.toString(), Math.round(value.getAsDouble() * 1000), deployment);
    send(exchange, 200, answer);
  }

  private OptionalDouble newest() {
    try {
      return demand.newest(clock.instant());
    } catch (PrometheusException _) {
      return OptionalDouble.empty();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return OptionalDouble.empty();
    }
  }

  private static void send(HttpExchange exchange, int status, String json) throws IOException {
    ScriptedServer.status(status, json, "Content-Type", "application/json").to(exchange);
  }

  private static String status(int code, String message) {
    return """
    {"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": %d, "message": "%s"}
    """
        .formatted(code, message);
  }

  private static String manifest(int port, String caBundle) {
    return """
    apiVersion: v1
    kind: Service
    metadata: {name: reactive, namespace: default}
    spec: {type: ExternalName, externalName: localhost, ports: [{port: %1$d}]}
    ---
    apiVersion: apiregistration.k8s.io/v1
    kind: APIService
    metadata: {name: v1beta2.custom.metrics.k8s.io}
    spec:
      group: custom.metrics.k8s.io
      version: v1beta2
      groupPriorityMinimum: 100
      versionPriority: 100
      service: {name: reactive, namespace: default, port: %1$d}
      caBundle: %2$s
    """
        .formatted(port, caBundle);
  }

  private static final String RESOURCES =
      """
      {"kind": "APIResourceList", "apiVersion": "v1",
       "groupVersion": "custom.metrics.k8s.io/v1beta2",
       "resources": [{"name": "deployments.apps/demand", "singularName": "", "namespaced": true,
        "kind": "MetricValueList", "verbs": ["get"]}]}
      """;
}
