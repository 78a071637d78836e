package io.prescale.controller.simulation.cards;

import io.prescale.placement.cluster.RequestShape;
import io.prescale.placement.inventory.DemandReader;
import io.prescale.placement.inventory.PodDemand;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.inventory.PodFacts.Container;
import io.prescale.placement.inventory.PodFacts.Group;
import io.prescale.placement.inventory.PodFacts.Phase;
import io.prescale.placement.inventory.PodSelector;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What the pods of a workload have in common.
 *
 * @param workload the value of their label {@code app}
 * @param asked amounts of extended resources
 */
public record PodTemplate(
    String namespace,
    String workload,
    String queue,
    Map<String, Long> asked,
    Map<String, String> annotations) {
  private static final String LABEL = "app";

  public PodTemplate {
    asked = Map.copyOf(asked);
    annotations = Map.copyOf(annotations);
  }

  /** A pod that is not bound; its name is its UID, too. */
  public PodFacts pod(String name, Optional<Group> group, Instant created) {
    return new PodFacts(
        name,
        namespace,
        name,
        annotations,
        List.of(new Container("main", false, asked)),
        Optional.empty(),
        group,
        "prescale",
        0,
        Phase.PENDING,
        Optional.of(queue),
        created,
        Map.of(LABEL, workload),
        false,
        Optional.empty(),
        Optional.empty());
  }

  /** The pods of the workload. */
  public PodSelector selector() {
    return new PodSelector(namespace, Map.of(LABEL, workload));
  }

  /**
   * What a pod asks of a node, as the engine reads it.
   *
   * @param models of all cards that there are
   */
  public RequestShape shape(Set<String> models) {
    var pod = pod(workload, Optional.empty(), Instant.EPOCH);
    if (new DemandReader(_ -> models).read(pod) instanceof PodDemand.Cards cards) {
      return cards.shape();
    }
    throw new IllegalArgumentException(
        "pods of %s ask for %s, which are no cards".formatted(workload, asked));
  }
}
