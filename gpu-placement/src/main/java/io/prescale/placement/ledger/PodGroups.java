package io.prescale.placement.ledger;

import io.prescale.placement.inventory.Nearness;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.inventory.PodFacts.Group;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/** The PodGroups that are gangs. Not thread-safe. */
final class PodGroups {
  /** By namespace and name. */
  private final Map<String, Group> gangs = new HashMap<>();

  /**
   * Records how many pods of a PodGroup are placed together; empty when it is no gang or is gone.
   *
   * @param nearness how near each other
   * @return whether that has changed
   */
  boolean put(String namespace, String name, OptionalInt least, Nearness nearness) {
    var group = Group.ofPodGroup(name).name();
    var key = namespace + "/" + group;
    var before =
        least.isPresent()
            ? gangs.put(key, new Group(group, least.getAsInt(), nearness, false))
            : gangs.remove(key);
    return !Objects.equals(before, gangs.get(key));
  }

  /**
   * The gang of a pod with its size; pods of a PodGroup that is no gang, or does not exist, are
   * alone.
   */
  Optional<Group> gangOf(PodFacts pod) {
    return pod.group()
        .flatMap(
            group ->
                group.size() == Group.AS_ITS_POD_GROUP_SAYS
                    ? Optional.ofNullable(gangs.get(group.in(pod.namespace())))
                    : Optional.of(group));
  }
}
