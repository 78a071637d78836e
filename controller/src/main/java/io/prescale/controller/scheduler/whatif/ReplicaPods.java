package io.prescale.controller.scheduler.whatif;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.api.model.apps.ReplicaSetBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import io.prescale.controller.scheduler.facts.Facts;
import io.prescale.controller.scheduler.facts.GroupFacts;
import io.prescale.controller.scheduler.objects.ClusterObjects;
import io.prescale.placement.inventory.PodFacts.Phase;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The pods of a workload that is scaled: what one replica is made of, and which exist.
 *
 * @param selector labels by which its pods are known
 * @param one the pods of a replica, at least one
 */
public record ReplicaPods(String namespace, Map<String, String> selector, List<Pod> one) {
  private static final String LWS_NAME = "leaderworkerset.sigs.k8s.io/name";

  public ReplicaPods {
    selector = Map.copyOf(selector);
    one = List.copyOf(one);
    if (one.isEmpty() || selector.isEmpty()) {
      throw new IllegalArgumentException("a replica has pods, and labels by which they are known");
    }
  }

  /**
   * Reads a Deployment, ReplicaSet, StatefulSet or LeaderWorkerSet.
   *
   * @return empty for other kinds
   * @throws IllegalArgumentException with a sentence, when it lacks what pods are made of
   */
  public static Optional<ReplicaPods> of(HasMetadata target, ClusterObjects cluster, Instant now) {
    var single = withOneReplica(target);
    if (single.isEmpty()) {
      return Optional.empty();
    }
    var namespace = target.getMetadata().getNamespace();
    var pods = Manifest.of(List.of(single.get()), namespace, cluster, now).pods();
    return Optional.of(new ReplicaPods(namespace, selector(target), pods));
  }

  private static Optional<HasMetadata> withOneReplica(HasMetadata target) {
    return switch (target) {
      case Deployment it ->
          Optional.of(new DeploymentBuilder(it).editOrNewSpec().withReplicas(1).endSpec().build());
      case ReplicaSet it ->
          Optional.of(new ReplicaSetBuilder(it).editOrNewSpec().withReplicas(1).endSpec().build());
      case StatefulSet it ->
          Optional.of(new StatefulSetBuilder(it).editOrNewSpec().withReplicas(1).endSpec().build());
      case GenericKubernetesResource it when it.getKind().equals("LeaderWorkerSet") -> {
        var single = new GenericKubernetesResource();
        single.setApiVersion(it.getApiVersion());
        single.setKind(it.getKind());
        single.setMetadata(it.getMetadata());
        if (it.getAdditionalProperties().get("spec") instanceof Map<?, ?> spec) {
          var one = new HashMap<Object, Object>(spec);
          one.put("replicas", 1);
          single.setAdditionalProperty("spec", one);
        }
        yield Optional.of(single);
      }
      default -> Optional.empty();
    };
  }

  /** The labels by which the pods of a target are known; none where it has no matchLabels. */
  public static Map<String, String> selector(HasMetadata target) {
    return switch (target) {
      case Deployment it -> labels(it.getSpec().getSelector());
      case ReplicaSet it -> labels(it.getSpec().getSelector());
      case StatefulSet it -> labels(it.getSpec().getSelector());
      default -> Map.of(LWS_NAME, target.getMetadata().getName());
    };
  }

  private static Map<String, String> labels(@Nullable LabelSelector selector) {
    return selector == null || selector.getMatchLabels() == null
        ? Map.of()
        : selector.getMatchLabels();
  }

  /** Whether a pod is of the workload and has not ended. */
  public boolean has(Pod pod) {
    var labels = pod.getMetadata().getLabels();
    return namespace.equals(pod.getMetadata().getNamespace())
        && labels != null
        && labels.entrySet().containsAll(selector.entrySet())
        && Facts.of(pod).phase() != Phase.FINISHED
        && pod.getMetadata().getDeletionTimestamp() == null;
  }

  /**
   * The pods of further replicas, one replica after the other.
   *
   * @param key makes their names and UIDs different from those of other workloads
   */
  public List<Pod> further(String key, int replicas) {
    var pods = new ArrayList<Pod>();
    for (int replica = 0; replica < replicas; replica++) {
      for (int i = 0; i < one.size(); i++) {
        var suffix = "-%s-%d".formatted(key, replica);
        var copy =
            new PodBuilder(one.get(i))
                .editMetadata()
                .withName(one.get(i).getMetadata().getName() + suffix)
                .withUid("plan%s-%d".formatted(suffix, i))
                .endMetadata()
                .build();
        copy.getMetadata()
            .getLabels()
            .computeIfPresent(GroupFacts.LWS_GROUP, (_, group) -> group + suffix);
        pods.add(copy);
      }
    }
    return pods;
  }
}
