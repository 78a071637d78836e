package io.prescale.controller.scheduler.moves;

import static io.prescale.controller.cluster.OrEmpty.orEmpty;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.prescale.placement.inventory.PodSelector;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** By which labels the replacement of a pod is known before it exists. */
final class Kin {
  /** Labels that controllers give to no others, each enough alone. */
  private static final List<String> IDENTITIES =
      List.of("statefulset.kubernetes.io/pod-name", "pod-template-hash");

  /** Labels that a pod gets when it is bound: where it is, and by which right of its queue. */
  private static final List<String> AT_BINDING =
      List.of("hami.io/", "topology.kubernetes.io/", "gpu.prescale.io/quota");

  private Kin() {}

  /** The pods that replace each other with one; empty if it has no labels of its own. */
  static Optional<PodSelector> of(ObjectMeta meta) {
    var labels = new HashMap<>(orEmpty(meta.getLabels()));
    labels.values().removeIf(Objects::isNull);
    for (var identity : IDENTITIES) {
      var value = labels.get(identity);
      if (value != null) {
        return Optional.of(new PodSelector(meta.getNamespace(), Map.of(identity, value)));
      }
    }
    labels.keySet().removeIf(key -> AT_BINDING.stream().anyMatch(key::startsWith));
    return labels.isEmpty()
        ? Optional.empty()
        : Optional.of(new PodSelector(meta.getNamespace(), labels));
  }
}
