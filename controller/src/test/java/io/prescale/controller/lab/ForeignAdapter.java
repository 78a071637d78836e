package io.prescale.controller.lab;

import io.prescale.controller.demand.prometheus.SelfSigned;
import java.io.IOException;

/** The registration of another adapter for external metrics, which listens on loopback. */
final class ForeignAdapter {
  private ForeignAdapter() {}

  /** Its namespace, Service and APIService, in YAML. */
  static String registration(String namespace, String service, int port, SelfSigned certificate)
      throws IOException {
    return """
    apiVersion: v1
    kind: Namespace
    metadata: {name: %1$s}
    ---
    apiVersion: v1
    kind: Service
    metadata: {name: %2$s, namespace: %1$s}
    spec: {type: ExternalName, externalName: localhost, ports: [{port: %3$d}]}
    ---
    apiVersion: apiregistration.k8s.io/v1
    kind: APIService
    metadata: {name: v1beta1.external.metrics.k8s.io}
    spec:
      group: external.metrics.k8s.io
      version: v1beta1
      groupPriorityMinimum: 100
      versionPriority: 100
      service: {name: %2$s, namespace: %1$s, port: %3$d}
      caBundle: %4$s
    """
        .formatted(namespace, service, port, certificate.caBundle());
  }
}
