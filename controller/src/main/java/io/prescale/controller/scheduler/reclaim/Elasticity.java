package io.prescale.controller.scheduler.reclaim;

import static io.prescale.controller.cluster.OrEmpty.orEmpty;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What a pod says of its workload, which may be scaled down when cards are needed; never fails,
 * whatever users have written.
 *
 * @param minimum how many replicas the workload keeps
 * @param ordinal of the pod's replica, where those with the highest ordinals leave first
 */
record Elasticity(int minimum, OptionalInt ordinal) {
  /** The annotation by which pods allow that their workload is scaled down. */
  static final String MINIMUM = "gpu.prescale.io/min-replicas";

  private static final String LWS_ORDINAL = "leaderworkerset.sigs.k8s.io/group-index";
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,6}");

  static Optional<Elasticity> of(ObjectMeta meta) {
    var minimum = number(meta.getAnnotations(), MINIMUM);
    return minimum.isPresent()
        ? Optional.of(new Elasticity(minimum.getAsInt(), number(meta.getLabels(), LWS_ORDINAL)))
        : Optional.empty();
  }

  /** How many replicas a workload keeps by its own templates; empty unless each of them says so. */
  static OptionalInt declared(GenericKubernetesResource workload) {
    var minimums =
        Stream.of(
                workload.get("spec", "template"),
                workload.get("spec", "leaderWorkerTemplate", "leaderTemplate"),
                workload.get("spec", "leaderWorkerTemplate", "workerTemplate"))
            .filter(Objects::nonNull)
            .map(Elasticity::ofTemplate)
            .toList();
    return minimums.stream().allMatch(OptionalInt::isPresent)
        ? minimums.stream().mapToInt(OptionalInt::getAsInt).max()
        : OptionalInt.empty();
  }

  private static OptionalInt ofTemplate(Object template) {
    return template instanceof Map<?, ?> it
            && it.get("metadata") instanceof Map<?, ?> meta
            && meta.get("annotations") instanceof Map<?, ?> annotations
            && annotations.get(MINIMUM) instanceof String minimum
        ? number(Map.of(MINIMUM, minimum), MINIMUM)
        : OptionalInt.empty();
  }

  private static OptionalInt number(Map<String, String> written, String key) {
    var text = orEmpty(written).getOrDefault(key, "");
    return NUMBER.matcher(text).matches()
        ? OptionalInt.of(Integer.parseInt(text))
        : OptionalInt.empty();
  }

  /** Whether the replica is one that stays when all that may leave have left. */
  boolean isKept() {
    return ordinal.isPresent() && ordinal.getAsInt() < minimum;
  }
}
