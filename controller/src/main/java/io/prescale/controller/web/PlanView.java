package io.prescale.controller.web;

import java.io.IOException;

/** The plan of a cluster's cards. Thread-safe. */
public interface PlanView {
  /**
   * The newest plan.
   *
   * @throws IOException with a sentence, if it cannot be read now
   */
  PlanPage plan() throws IOException;
}
