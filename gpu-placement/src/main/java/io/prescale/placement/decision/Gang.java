package io.prescale.placement.decision;

import io.prescale.placement.cluster.GpuRequest;
import io.prescale.placement.cluster.NetworkScope;
import java.util.List;

/**
 * Requests that are placed together or not at all, such as the pods of one replica.
 *
 * @param name name of the gang
 * @param members at least one, with distinct names
 * @param preferred the scope within which all should be; {@code CLUSTER} when it does not matter
 * @param required the scope within which all must be; {@code CLUSTER} when it does not matter
 */
public record Gang(
    String name, List<GpuRequest> members, NetworkScope preferred, NetworkScope required) {
  public Gang {
    members = List.copyOf(members);
    if (members.isEmpty()) {
      throw new IllegalArgumentException("gang %s has no members".formatted(name));
    }
    if (members.stream().map(GpuRequest::name).distinct().count() != members.size()) {
      throw new IllegalArgumentException("gang %s has two members of one name".formatted(name));
    }
    if (preferred.compareTo(required) > 0) {
      throw new IllegalArgumentException(
          "gang %s prefers %s, which is wider than %s, which it requires"
              .formatted(name, preferred.phrase(), required.phrase()));
    }
  }

  /** A gang whose members may be placed anywhere. */
  public Gang(String name, List<GpuRequest> members) {
    this(name, members, NetworkScope.CLUSTER, NetworkScope.CLUSTER);
  }
}
