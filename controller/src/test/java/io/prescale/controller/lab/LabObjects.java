package io.prescale.controller.lab;

import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.prescale.controller.api.v1alpha1.MetricStatus;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Objects in the namespace default that scale with a {@link DailyLoad}. */
final class LabObjects {
  static final String METRIC = "requests_in_flight";

  private LabObjects() {}

  /** An administrator's. */
  static KubernetesClient client(Lab lab) {
    return client(lab.describe().kubeconfig());
  }

  static KubernetesClient client(Path kubeconfig) {
    var config = Config.fromKubeconfig(kubeconfig.toFile());
    config.setClientKeyAlgo("EC"); // the client takes every key for RSA
    return new KubernetesClientBuilder().withConfig(config).build();
  }

  /** One replica, whose pods are ready after a delay. */
  static String deployment(String name, Duration startDelay) {
    return """
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: %1$s, namespace: default}
    spec:
      replicas: 1
      selector: {matchLabels: {app: %1$s}}
      template:
        metadata:
          labels: {app: %1$s}
          annotations: {lab.prescale.io/pod-start-delay: %2$ds}
        spec:
          containers: [{name: model, image: model}]
    """
        .formatted(name, startDelay.toSeconds());
  }

  /** The same for the load of a {@link DailyLoad}. */
  static String predictiveHpa(String name, double capacity, Duration history, String more) {
    var forecast =
        "step: %ds, history: %dm".formatted(DailyLoad.STEP.toSeconds(), history.toMinutes());
    return predictiveHpa(name, capacity, forecast, more);
  }

  /**
   * An active PredictiveHPA of the Deployment of the same name.
   *
   * @param forecast what its spec.forecast holds, such as {@code step: 5s, history: 6h}
   *     <p>The newest value is served as it is while forecasts are not followed, unless the rest
   *     has a fallback of its own.
   * @param more of its spec, in YAML, indented by two
   */
  static String predictiveHpa(String name, double capacity, String forecast, String more) {
    return """
    apiVersion: autoscaling.prescale.io/v1alpha1
    kind: PredictiveHPA
    metadata: {name: %1$s, namespace: default}
    spec:
      scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: %1$s}
      mode: Active
      minReplicas: 1
      maxReplicas: 40
      metrics:
      - name: %2$s
        prometheus: {query: '%3$s'}
        target: {averageValue: "%4$s"}
      forecast: {%5$s}
    %6$s
    %7$s
    """
        .formatted(
            name,
            METRIC,
            LoadExporter.SERIES,
            capacity,
            forecast,
            more.contains("fallback:") ? "" : "  fallback: {utilization: 100%}",
            more);
  }

  /** The size that a Deployment of the namespace default shall have. */
  static int replicas(Lab lab, String deployment) throws IOException, InterruptedException {
    return Integer.parseInt(
        lab.kubectl("get", "deployment", deployment, "-o=jsonpath={.spec.replicas}"));
  }

  static Optional<PredictiveHPA> predictiveHpa(KubernetesClient client, String name) {
    return Optional.ofNullable(
        client.resources(PredictiveHPA.class).inNamespace("default").withName(name).get());
  }

  /** What the status says of its metrics. */
  static List<MetricStatus> metrics(PredictiveHPA resource) {
    return resource.getStatus() == null ? List.of() : resource.getStatus().metrics();
  }

  /** The number that a quantity of the status stands for. */
  static double number(@Nullable String quantity) {
    var known = Objects.requireNonNull(quantity, "the status has no such value");
    return Quantity.parse(known).getNumericalAmount().doubleValue();
  }
}
