package io.prescale.controller.scheduler.moves;

import static io.prescale.controller.cluster.OrEmpty.orEmpty;

import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which pods may be moved: those that a controller makes again as they were, and that may be
 * wherever their node selector and tolerations let them in.
 */
final class MoveRights {
  private static final String MOVE = "gpu.prescale.io/move";
  private static final String RECLAIM_AT = "gpu.prescale.io/reclaim-at";
  private static final Set<String> CONTROLLERS =
      Set.of("ReplicaSet", "ReplicationController", "StatefulSet");

  private MoveRights() {}

  /**
   * Why a pod is never moved; empty if it may be.
   *
   * @param isWorkLost whether its work is lost wherever it is
   */
  static Optional<String> objection(Pod pod, boolean isWorkLost) {
    var meta = pod.getMetadata();
    var annotations = orEmpty(meta.getAnnotations());
    var wish = annotations.getOrDefault(MOVE, "");
    if (wish.equals("never")) {
      return Optional.of("its annotation says so");
    }
    if ("false".equals(annotations.get("cluster-autoscaler.kubernetes.io/safe-to-evict"))
        || "true".equals(annotations.get("karpenter.sh/do-not-disrupt"))) {
      return Optional.of("it is not to be disrupted");
    }
    if (annotations.containsKey(RECLAIM_AT)) {
      return Optional.of("it has notice to give its cards back");
    }
    var controller = controller(orEmpty(meta.getOwnerReferences()));
    if (controller.isEmpty()) {
      return Optional.of("no controller makes it again");
    }
    if (wish.equals("allowed")) {
      return Optional.empty();
    }
    if (!isWorkLost && !CONTROLLERS.contains(controller.get())) {
      return Optional.of("its work may be lost");
    }
    return isBoundByMore(pod.getSpec())
        ? Optional.of("it is bound by more than node labels and taints")
        : Optional.empty();
  }

  private static Optional<String> controller(List<OwnerReference> owners) {
    return owners.stream()
        .filter(owner -> Boolean.TRUE.equals(owner.getController()))
        .map(OwnerReference::getKind)
        .filter(kind -> !kind.equals("DaemonSet") && !kind.equals("Node"))
        .findFirst();
  }

  /** By what kube-scheduler alone can judge: its place might not be open to its replacement. */
  private static boolean isBoundByMore(PodSpec spec) {
    return requires(spec.getAffinity())
        || orEmpty(spec.getTopologySpreadConstraints()).stream()
            .anyMatch(it -> "DoNotSchedule".equals(it.getWhenUnsatisfiable()))
        || orEmpty(spec.getVolumes()).stream()
            .anyMatch(it -> it.getPersistentVolumeClaim() != null || it.getEphemeral() != null)
        || orEmpty(spec.getResourceClaims()).iterator().hasNext();
  }

  private static boolean requires(@Nullable Affinity affinity) {
    if (affinity == null) {
      return false;
    }
    var node = affinity.getNodeAffinity();
    var pods = affinity.getPodAffinity();
    var anti = affinity.getPodAntiAffinity();
    return (node != null && node.getRequiredDuringSchedulingIgnoredDuringExecution() != null)
        || (pods != null
            && !orEmpty(pods.getRequiredDuringSchedulingIgnoredDuringExecution()).isEmpty())
        || (anti != null
            && !orEmpty(anti.getRequiredDuringSchedulingIgnoredDuringExecution()).isEmpty());
  }

  /** What of a pod decides which nodes let it in. */
  static Pod rules(Pod pod) {
    return new PodBuilder()
        .withNewSpec()
        .withNodeSelector(pod.getSpec().getNodeSelector())
        .withTolerations(pod.getSpec().getTolerations())
        .endSpec()
        .build();
  }
}
