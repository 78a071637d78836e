package io.prescale.placement.moves;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Cards that are given to no other pods.
 *
 * @param kin whose pods get them, and get no others meanwhile
 * @param wanted the pod that may have them, by UID
 * @param uuids of the cards; kept for no pod at all if neither is given
 */
public record KeptPlace(Optional<String> kin, Optional<String> wanted, Set<String> uuids) {
  public KeptPlace {
    uuids = Set.copyOf(uuids);
  }

  KeptPlace without(Set<String> others) {
    var left = new HashSet<>(uuids);
    left.removeAll(others);
    return new KeptPlace(kin, wanted, left);
  }
}
