package io.prescale.controller.scheduler.reclaim;

import static io.prescale.controller.cluster.OrEmpty.orEmpty;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What is read of a workload that carries the label of a suspended one: users may put it on any
 * number of workloads, each as large as the API server takes.
 */
final class SuspendedInBrief {
  /** Whether it is suspended, by whom it is managed, and what resuming it depends on. */
  private static final Set<String> SPEC =
      Set.of("suspend", "managedBy", "replicas", "shutdownAfterJobFinishes", "clusterSelector");

  private static final Set<String> ANNOTATIONS =
      Set.of(
          SuspendedWorkloads.AT,
          SuspendedWorkloads.PODS,
          ScaledReplicas.BEFORE,
          ScaledReplicas.LEFT);

  private SuspendedInBrief() {}

  /** Without pod templates, status, managed fields, and annotations of others. */
  static GenericKubernetesResource of(GenericKubernetesResource workload) {
    var brief = new GenericKubernetesResource();
    brief.setApiVersion(workload.getApiVersion());
    brief.setKind(workload.getKind());
    var meta = workload.getMetadata();
    brief.setMetadata(
        new ObjectMetaBuilder(meta)
            .withManagedFields(List.of())
            .withAnnotations(annotations(meta))
            .build());
    if (workload.getAdditionalProperties().get("spec") instanceof Map<?, ?> spec) {
      brief.setAdditionalProperty("spec", spec(spec));
    }
    return brief;
  }

  /** Without pods that make no sense, which would take the workload its place. */
  private static Map<String, String> annotations(ObjectMeta meta) {
    var own = new HashMap<>(orEmpty(meta.getAnnotations()));
    own.keySet().retainAll(ANNOTATIONS);
    own.values().removeIf(it -> it == null || it.length() > SuspendedPods.LONGEST);
    return own;
  }

  private static Map<Object, Object> spec(Map<?, ?> spec) {
    var read = new HashMap<Object, Object>(spec);
    read.keySet().retainAll(SPEC);
    if (spec.get("runPolicy") instanceof Map<?, ?> policy) {
      read.put("runPolicy", spec(policy));
    }
    return read;
  }
}
