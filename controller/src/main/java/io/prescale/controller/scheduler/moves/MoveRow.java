package io.prescale.controller.scheduler.moves;

import io.prescale.placement.consolidation.Move;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/**
 * A move, for the page.
 *
 * @param reason why, in words
 * @param at when it began, begins or was over
 */
public record MoveRow(String pod, String from, String to, String reason, State state, Instant at) {
  /**
   * Why a pod moves, as the end of a sentence.
   *
   * @param wanted the name of the pod for which it makes way
   */
  static String why(Move.Reason reason, Optional<String> wanted) {
    return switch (reason) {
      case SICK_CARD -> "a card of it is sick";
      case DEFRAGMENTS -> "free cards are gathered";
      case MAKES_WAY -> "it makes way for pod " + wanted.orElse("?");
    };
  }

  /** The state as the page names it. */
  public String stateInWords() {
    return state.name().toLowerCase(Locale.ROOT);
  }

  /** How far a move has come. */
  public enum State {
    /** It comes later, or is only advised. */
    PLANNED,
    /** The pod has notice. */
    NOTICED,
    /** The pod is leaving or has left. */
    LEAVING,
    /** The replacement has the cards that were kept for it. */
    MADE,
    /** The replacement has other cards, or was not bound in time. */
    MISSED
  }
}
