package io.prescale.controller.scheduler.reclaim;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodListBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.base.CustomResourceDefinitionContext;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A client that takes the first answer of a test's API server, and what was sent to it. */
public final class ApiWithoutRepetition {
  private ApiWithoutRepetition() {}

  public static KubernetesClient of(KubernetesClient client) {
    var config = Config.empty();
    config.setMasterUrl(client.getConfiguration().getMasterUrl());
    config.setTrustCerts(true);
    config.setRequestRetryBackoffLimit(0);
    return new KubernetesClientBuilder().withConfig(config).build();
  }

  /** Lets a test's API server keep objects of a kind in namespaces. */
  static void serve(KubernetesMockServer server, ResourceDefinitionContext kind) {
    server.expectCustomResource(
        new CustomResourceDefinitionContext.Builder()
            .withGroup(kind.getGroup())
            .withVersion(kind.getVersion())
            .withKind(kind.getKind())
            .withPlural(kind.getPlural())
            .withScope("Namespaced")
            .build());
  }

  /** All failures of the Job's pods have been counted. */
  static void hasNoEndingPodsOf(String job, KubernetesMockServer server) {
    server
        .expect()
        .get()
        .withPath(
            "/api/v1/namespaces/default/pods?labelSelector=batch.kubernetes.io%2Fjob-name%3D" + job)
        .andReturn(200, new PodListBuilder().build())
        .always();
  }

  /** Each request since the last look, as method, path and body. */
  static List<String> sent(KubernetesMockServer server, int already) throws InterruptedException {
    var all = new ArrayList<String>();
    for (int request = already; request < server.getRequestCount(); request++) {
      var each = server.takeRequest();
      all.add("%s %s %s".formatted(each.getMethod(), each.getPath(), each.getBody().readUtf8()));
    }
    return all;
  }

  static Pod pod(String name, Map<String, String> annotations) {
    return new PodBuilder()
        .withNewMetadata()
        .withNamespace("default")
        .withName(name)
        .withUid("uid-" + name)
        .withAnnotations(annotations)
        .endMetadata()
        .withNewSpec()
        .endSpec()
        .build();
  }

  /** A pod that a Job has made. */
  static Pod podOf(String job, String name) {
    return new PodBuilder(pod(name, Map.of()))
        .editMetadata()
        .addNewOwnerReference()
        .withApiVersion("batch/v1")
        .withKind("Job")
        .withName(job)
        .withUid("uid-" + job)
        .withController(true)
        .endOwnerReference()
        .endMetadata()
        .build();
  }

  static Job job(String name, Map<String, String> labels, boolean isSuspended) {
    return new JobBuilder()
        .withNewMetadata()
        .withNamespace("default")
        .withName(name)
        .withUid("uid-" + name)
        .withResourceVersion("7")
        .withLabels(labels)
        .endMetadata()
        .withNewSpec()
        .withSuspend(isSuspended)
        .withNewTemplate()
        .withNewSpec()
        .endSpec()
        .endTemplate()
        .endSpec()
        .build();
  }

  /** A workload of any kind. */
  static GenericKubernetesResource workload(HasMetadata object) {
    return Serialization.unmarshal(Serialization.asJson(object), GenericKubernetesResource.class);
  }

  /** A workload of any kind, named j. */
  static GenericKubernetesResource workload(String kind, String metadata, String spec) {
    return Serialization.unmarshal(
        """
        apiVersion: test/v1
        kind: %s
        metadata: {name: j, namespace: default, uid: uid-j, resourceVersion: "7"%s}
        spec: %s
        """
            .formatted(kind, metadata, spec),
        GenericKubernetesResource.class);
  }
}
