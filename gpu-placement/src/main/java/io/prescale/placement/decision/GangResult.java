package io.prescale.placement.decision;

import io.prescale.placement.cluster.NetworkScope;
import io.prescale.placement.cluster.Placement;
import io.prescale.placement.decision.PlacementResult.Placed;
import io.prescale.placement.decision.PlacementResult.Refused;
import java.util.List;

/** The result of placing a gang. */
public sealed interface GangResult {

  /**
   * All members have places.
   *
   * @param members in the order in which they were placed
   */
  record Whole(List<Placed> members) implements GangResult {
    public Whole {
      members = List.copyOf(members);
    }

    public List<Placement> placements() {
      return members.stream().map(Placed::placement).toList();
    }
  }

  /**
   * No domain holds all members, so none is placed.
   *
   * @param domain the domain that holds the most members; empty when there is none
   * @param fitting how many members it holds
   * @param next why it refuses the next member
   */
  record None(Gang gang, NetworkScope scope, String domain, int fitting, Refused next)
      implements GangResult {
    /**
     * The refusal in words, as in {@code 2 of 4 members of train fit one rack (r1); the next needs
     * 1 GPU: 3 nodes lack idle GPUs}.
     */
    public String summary() {
      var where = scope.equals(NetworkScope.CLUSTER) || domain.isEmpty() ? "" : " (" + domain + ")";
      return "%d of %d members of %s fit %s%s; the next %s"
          .formatted(
              fitting, gang.members().size(), gang.name(), scope.phrase(), where, next.summary());
    }
  }
}
