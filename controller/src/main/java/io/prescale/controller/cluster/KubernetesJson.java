package io.prescale.controller.cluster;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesListBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.ArrayList;
import java.util.List;

/** Kubernetes objects in JSON, as {@code kubectl -o json} prints them. */
public final class KubernetesJson {
  private static final KubernetesSerialization JSON = new KubernetesSerialization();

  private KubernetesJson() {}

  public static String of(Object value) {
    return JSON.asJson(value);
  }

  /** Definitions in YAML as a List. */
  public static String ofDefinitions(List<String> manifests) {
    var json = new KubernetesSerialization();
    var items = new ArrayList<HasMetadata>();
    manifests.forEach(yaml -> items.add(json.unmarshal(yaml, CustomResourceDefinition.class)));
    return of(new KubernetesListBuilder().withItems(items).build());
  }
}
