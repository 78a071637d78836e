package io.prescale.controller.cluster;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;

/** Kubernetes objects in JSON, as {@code kubectl -o json} prints them. */
public final class KubernetesJson {
  private KubernetesJson() {}

  public static String of(Object value) {
    return new KubernetesSerialization().asJson(value);
  }

  public static String ofDefinition(String yaml) {
    return of(new KubernetesSerialization().unmarshal(yaml, CustomResourceDefinition.class));
  }
}
