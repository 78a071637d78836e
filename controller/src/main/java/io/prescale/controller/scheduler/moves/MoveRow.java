package io.prescale.controller.scheduler.moves;

import java.time.Instant;

/**
 * A move, for the page.
 *
 * @param reason why, in words
 * @param at when it began, begins or was over
 */
public record MoveRow(String pod, String from, String to, String reason, State state, Instant at) {
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
