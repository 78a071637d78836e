package io.prescale.placement.claims;

import io.prescale.placement.inventory.PodFacts.Group;
import java.time.Instant;
import java.util.Optional;

/**
 * A pod that waits for cards by a claim.
 *
 * @param claim how it names its only claim that is made from a template; empty when it has none or
 *     several
 * @param current the claim that Kubernetes has given it
 * @param gated whether it is held back until its cards are chosen
 * @param unschedulable whether kube-scheduler found no place for it
 * @param bound whether it is on a node
 * @param leaving whether it is being deleted; its successor counts then
 * @param group whose pods get their cards together, of a size that is known
 */
public record ClaimPod(
    String uid,
    String namespace,
    String name,
    int priority,
    Instant created,
    Optional<String> claim,
    Optional<String> current,
    boolean gated,
    boolean unschedulable,
    boolean bound,
    boolean leaving,
    Optional<Group> group) {

  /** The name of its group in the cluster; empty if it is of none. */
  Optional<String> groupKey() {
    return group.map(it -> namespace + "/" + it.name());
  }

  /** How many pods get their cards together with this one; alone where the others come later. */
  int groupSize() {
    return group.filter(it -> !it.isFirst()).map(Group::size).orElse(1);
  }

  /** Whether it waits for cards or may have some; others of its group only count. */
  boolean isOfClaims() {
    return gated || claim.isPresent();
  }

  /** The display form {@code namespace/name}. */
  public String display() {
    return namespace + "/" + name;
  }
}
