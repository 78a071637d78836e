package io.prescale.controller.lab;

import static io.prescale.controller.lab.Patience.patiently;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.prescale.controller.demand.prometheus.SelfSigned;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;

/**
 * Workloads with a PredictiveHPA and a ScaledObject, each in a namespace of its name.
 *
 * @param serving what Prescale shows to KEDA
 * @param operator what KEDA shows to Prescale
 * @param port where Prescale answers KEDA
 */
record KedaObjects(Lab lab, SelfSigned serving, SelfSigned operator, int port) {
  private static final ObjectMapper JSON = new ObjectMapper();

  void workload(String name) throws Exception {
    workload(name, "load_" + name);
  }

  /** A Deployment and a PredictiveHPA of 4 requests a replica, for KEDA. */
  void workload(String name, String query) throws Exception {
    lab.kubectl("create", "namespace", name);
    lab.kubectl("create", "deployment", name, "--namespace=" + name, "--image=model");
    lab.apply(
        """
        apiVersion: autoscaling.prescale.io/v1alpha1
        kind: PredictiveHPA
        metadata: {name: %1$s, namespace: %1$s}
        spec:
          scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: %1$s}
          maxReplicas: 9
          mode: Active
          scaleThrough: KEDA
          metrics:
          - name: requests
            prometheus: {query: "%2$s"}
            target: {averageValue: "4"}
          forecast: {step: 2s, history: 6h}
          fallback: {ttl: 4s, utilization: 100%%}
        """
            .formatted(name, query));
  }

  void scaledObject(String name, String type, String metadata, String more) throws Exception {
    scaledObject(name, type, metadata, more, "annotations: {}");
  }

  void scaledObject(String name, String type, String metadata, String more, String annotations)
      throws Exception {
    lab.apply(
        """
        apiVersion: v1
        kind: Secret
        metadata: {name: prescale, namespace: %1$s}
        data: {ca.crt: %2$s, tls.crt: %3$s, tls.key: %4$s}
        ---
        apiVersion: keda.sh/v1alpha1
        kind: TriggerAuthentication
        metadata: {name: prescale, namespace: %1$s}
        spec:
          secretTargetRef:
          - {parameter: caCert, name: prescale, key: ca.crt}
          - {parameter: tlsClientCert, name: prescale, key: tls.crt}
          - {parameter: tlsClientKey, name: prescale, key: tls.key}
        ---
        apiVersion: keda.sh/v1alpha1
        kind: ScaledObject
        metadata:
          name: %1$s
          namespace: %1$s
          %9$s
        spec:
          scaleTargetRef: {name: %1$s}
          pollingInterval: 2
          maxReplicaCount: 10
          %8$s
          triggers:
          - %6$s
            metadata:
              scalerAddress: localhost:%5$d
              predictiveHPA: %1$s
              %7$s
            authenticationRef: {name: prescale}
        """
            .formatted(
                name,
                base64(serving.certificate()),
                base64(operator.certificate()),
                base64(operator.key()),
                port,
                type,
                metadata,
                more,
                annotations));
  }

  /** A trigger that asks Prometheus, before one of another type. */
  String prometheusThen(String query, String type) {
    return """
    type: prometheus
        metadata: {serverAddress: "%s", query: %s, threshold: "4"}
      - %s\
    """
        .formatted(lab.describe().prometheus(), query, type);
  }

  private static String base64(Path file) throws Exception {
    return Base64.getEncoder().encodeToString(Files.readAllBytes(file));
  }

  /** To seven replicas after more failures than the threshold, and back without a delay. */
  static String fallback(int threshold) {
    return """
    fallback: {failureThreshold: %d, replicas: 7, behavior: currentReplicasIfHigher}
      advanced:
        horizontalPodAutoscalerConfig:
          behavior: {scaleDown: {stabilizationWindowSeconds: 0}}\
    """
        .formatted(threshold);
  }

  void annotate(String name, String annotation) throws Exception {
    lab.kubectl("annotate", "scaledobject", name, "--namespace=" + name, annotation);
  }

  /** Changes the PredictiveHPA. */
  void patch(String name, String change) throws Exception {
    lab.kubectl("patch", "phpa", name, "--namespace=" + name, "--type=merge", "--patch=" + change);
  }

  void awaitDesired(String name, int replicas) {
    patiently()
        .until(
            () -> get(name, "phpa", name).at("/status/desiredReplicas").asInt(),
            desired -> desired == replicas);
  }

  JsonNode scaling(String name) throws Exception {
    for (JsonNode condition : get(name, "phpa", name).at("/status/conditions")) {
      if (condition.get("type").asText().equals("ScalingActive")) {
        return condition;
      }
    }
    return JSON.readTree("{\"status\":\"\",\"reason\":\"\",\"message\":\"\"}");
  }

  String hpaCondition(String namespace, String name, String type) throws Exception {
    for (JsonNode condition : get(namespace, "hpa", name).at("/status/conditions")) {
      if (condition.get("type").asText().equals(type)) {
        return condition.get("reason").asText();
      }
    }
    return "";
  }

  int replicas(String name) throws Exception {
    return get(name, "deployment", name).at("/spec/replicas").asInt();
  }

  JsonNode get(String namespace, String kind, String name) throws Exception {
    return JSON.readTree(lab.kubectl("get", kind, name, "--namespace=" + namespace, "-o", "json"));
  }
}
