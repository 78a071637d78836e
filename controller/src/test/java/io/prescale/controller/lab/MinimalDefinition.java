package io.prescale.controller.lab;

import java.io.IOException;
import java.util.Locale;

/**
 * Kinds whose definitions are in no Go module that {@code e2e/lab/build platforms} could copy: of
 * their fields those that Prescale or a test reads or writes, each with its type, default and rules
 * as the project has them at the commit that is named.
 */
enum MinimalDefinition {
  /** kubeflow/training-operator 00da4c9, {@code manifests/base/crds/kubeflow.org_jaxjobs.yaml}. */
  JAX_JOB(
      "kubeflow.org",
      "v1",
      "JAXJob",
      "jaxjobs",
      "Namespaced",
      """
      required: [jaxReplicaSpecs]
      properties:
        jaxReplicaSpecs:
          type: object
          additionalProperties:
            type: object
            properties:
              replicas: {type: integer, format: int32}
              template: {type: object, x-kubernetes-preserve-unknown-fields: true}
        runPolicy:
          type: object
          properties:
            cleanPodPolicy: {type: string}
            managedBy: {type: string}
            suspend: {type: boolean, default: false}
      """,
      """
      status: {}
      scale:
        specReplicasPath: .spec.jaxReplicaSpecs.Worker.replicas
        statusReplicasPath: .status.replicaStatuses.Worker.active
      """),

  /** NVIDIA/KAI-Scheduler 1c966b5, {@code deployments/…/crds/kai.scheduler_topologies.yaml}. */
  KAI_TOPOLOGY(
      "kai.scheduler",
      "v1alpha1",
      "Topology",
      "topologies",
      "Cluster",
      """
      required: [levels]
      properties:
        levels:
          type: array
          minItems: 1
          maxItems: 16
          x-kubernetes-list-type: atomic
          x-kubernetes-validations: [{rule: self == oldSelf, message: field is immutable}]
          items:
            type: object
            required: [nodeLabel]
            properties: {nodeLabel: {type: string, minLength: 1, maxLength: 316}}
      """,
      "{}"),

  /** NVIDIA/KAI-Scheduler 2e41494, {@code deployments/…/crds/scheduling.run.ai_queues.yaml}. */
  KAI_QUEUE(
      "scheduling.run.ai",
      "v2",
      "Queue",
      "queues",
      "Cluster",
      """
      properties:
        parentQueue: {type: string}
        priority: {type: integer}
        resources:
          type: object
          properties:
            gpu:
              type: object
              properties:
                limit: {type: number}
                overQuotaWeight: {type: number}
                quota: {type: number}
      """,
      "{status: {}}"),

  /** koordinator-sh/koordinator 0136881, {@code config/crd/bases/…_devices.yaml}. */
  KOORDINATOR_DEVICE(
      "scheduling.koordinator.sh",
      "v1alpha1",
      "Device",
      "devices",
      "Cluster",
      """
      properties:
        devices:
          type: array
          items:
            type: object
            required: [health]
            properties:
              health: {type: boolean, default: false}
              id: {type: string}
              minor: {type: integer, format: int32}
              resources:
                type: object
                additionalProperties:
                  anyOf: [{type: integer}, {type: string}]
                  x-kubernetes-int-or-string: true
              type: {type: string}
      """,
      "{}");

  private final String group;
  private final String version;
  private final String kind;
  private final String plural;
  private final String scope;
  private final String spec;
  private final String subresources;

  /**
   * A definition.
   *
   * @param spec what the schema of {@code spec} says besides its type
   */
  MinimalDefinition(
      String group,
      String version,
      String kind,
      String plural,
      String scope,
      String spec,
      String subresources) {
    this.group = group;
    this.version = version;
    this.kind = kind;
    this.plural = plural;
    this.scope = scope;
    this.spec = spec;
    this.subresources = subresources;
  }

  /** Installs it; it may take a moment until it is served. */
  void install(Lab lab) throws IOException, InterruptedException {
    lab.apply(
        """
        apiVersion: apiextensions.k8s.io/v1
        kind: CustomResourceDefinition
        metadata: {name: %1$s.%2$s}
        spec:
          group: %2$s
          scope: %3$s
          names: {kind: %4$s, listKind: %4$sList, plural: %1$s, singular: %5$s}
          versions:
          - name: %6$s
            served: true
            storage: true
            subresources:
        %7$s
            schema:
              openAPIV3Schema:
                type: object
                properties:
                  status: {type: object, x-kubernetes-preserve-unknown-fields: true}
                  spec:
                    type: object
        %8$s
        """
            .formatted(
                plural,
                group,
                scope,
                kind,
                kind.toLowerCase(Locale.ROOT),
                version,
                subresources.indent(6),
                spec.indent(12)));
  }
}
