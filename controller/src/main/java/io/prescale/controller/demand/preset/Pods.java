package io.prescale.controller.demand.preset;

/** Expressions with one series per replica. */
final class Pods {
  /** The target labels that identify a replica. */
  static final String LABELS = "namespace,pod,instance";

  private Pods() {}

  static String sum(String expression) {
    return "sum by (%s) (%s)".formatted(LABELS, expression);
  }
}
