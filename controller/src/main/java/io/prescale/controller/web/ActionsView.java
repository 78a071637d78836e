package io.prescale.controller.web;

import java.time.Instant;
import java.util.List;

/** What can be made happen, and what has happened. Thread-safe. */
public interface ActionsView {
  List<Action> actions();

  /** The newest first. */
  List<Event> events();

  /** Makes something happen. */
  Outcome perform(String action, String workload);

  /** Nothing can be made happen, as in a real cluster. */
  static ActionsView none() {
    return new ActionsView() {
      @Override
      public List<Action> actions() {
        return List.of();
      }

      @Override
      public List<Event> events() {
        return List.of();
      }

      @Override
      public Outcome perform(String action, String workload) {
        return new Outcome.Refused("Nothing can be made happen here.");
      }
    };
  }

  /**
   * Something that can be made happen.
   *
   * @param id names it in the API
   * @param title on the button
   * @param question that is asked before
   * @param ofWorkload whether it happens to one workload
   */
  record Action(String id, String title, String question, boolean ofWorkload) {}

  /** Something that has happened. */
  record Event(Instant at, String text) {}

  /** Whether it happened. */
  sealed interface Outcome {
    /** It did; a sentence. */
    record Done(String text) implements Outcome {}

    /** It did not, and why. */
    record Refused(String text) implements Outcome {}
  }
}
