package io.prescale.placement.moves;

import io.prescale.placement.consolidation.Move;
import java.util.List;
import java.util.Optional;

/** The next write, or what is said instead of it. */
public sealed interface MoveStep {
  /** A pod gets notice; from when it is seen on the pod, its new place is kept. */
  record Notify(String uid, MoveNotice notice) implements MoveStep {}

  /** A notice is removed. */
  record Withdraw(String uid, String why) implements MoveStep {}

  /** A pod's notice has run out. */
  record Evict(String uid, MoveNotice notice) implements MoveStep {}

  /**
   * The replacement of a pod has its cards.
   *
   * @param uid of the replacement
   * @param isAsBooked whether they are those that were kept for it
   */
  record Arrive(String uid, Pursued move, boolean isAsBooked) implements MoveStep {}

  /** The replacement of a pod was not bound in time; its place is given out again. */
  record GiveUp(Pursued move) implements MoveStep {}

  /**
   * What would be done.
   *
   * @param wanted the pod for which there would be room, by UID
   */
  record Advise(List<Move> moves, Optional<String> wanted) implements MoveStep {
    public Advise {
      moves = List.copyOf(moves);
    }
  }
}
