package io.prescale.placement.decision;

import io.prescale.placement.cluster.NetworkScope;
import io.prescale.placement.cluster.Placement;
import io.prescale.placement.decision.PlacementResult.Placed;
import io.prescale.placement.decision.PlacementResult.Refused;
import java.util.List;

/** What became of a gang. */
public sealed interface GangResult {

  /**
   * All members have places.
   *
   * @param members in the order in which they were placed
   * @param scope the narrowest scope tried within which all of them are
   * @param domain of that scope
   */
  record Whole(Gang gang, List<Placed> members, NetworkScope scope, String domain)
      implements GangResult {
    public Whole {
      members = List.copyOf(members);
    }

    public List<Placement> placements() {
      return members.stream().map(Placed::placement).toList();
    }
  }

  /**
   * Some member finds no place in any domain, so none has one.
   *
   * @param domain the one that takes the most members; empty when there is none
   * @param fitting how many members it takes
   * @param next why it does not take the next
   */
  record None(Gang gang, NetworkScope scope, String domain, int fitting, Refused next)
      implements GangResult {
    /**
     * What the gang lacks, as in {@code 2 of 4 members of train fit one rack (r1); the next needs 1
     * GPU: 3 nodes lack idle GPUs}.
     */
    public String summary() {
      var where = scope == NetworkScope.CLUSTER || domain.isEmpty() ? "" : " (" + domain + ")";
      return "%d of %d members of %s fit %s%s; the next %s"
          .formatted(
              fitting, gang.members().size(), gang.name(), scope.phrase(), where, next.summary());
    }
  }
}
