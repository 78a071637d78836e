package io.prescale.controller.demand.prometheus;

import java.io.IOException;

/** The response is valid JSON but not a valid result of a range query. */
final class NotAMatrix extends IOException {
  private static final long serialVersionUID = 1;

  private final Problem kind;
  private final String problem;
  private final String quotation;

  NotAMatrix(String problem) {
    this(problem, "");
  }

  NotAMatrix(String problem, String quotation) {
    this(Problem.UNUSABLE_ANSWER, problem, quotation);
  }

  NotAMatrix(Problem kind, String problem, String quotation) {
    super(problem + quotation);
    this.kind = kind;
    this.problem = problem;
    this.quotation = quotation;
  }

  Problem kind() {
    return kind;
  }

  String problem() {
    return problem;
  }

  /** What the server said, to follow the problem. */
  String quotation() {
    return quotation;
  }
}
