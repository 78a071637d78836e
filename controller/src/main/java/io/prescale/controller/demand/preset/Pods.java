package io.prescale.controller.demand.preset;

/** Expressions with one series for each replica. */
final class Pods {
  /** What tells replicas apart: labels that Prometheus gives to its targets. */
  static final String LABELS = "namespace,pod,instance";

  private Pods() {}

  static String sum(String expression) {
    return "sum by (%s) (%s)".formatted(LABELS, expression);
  }
}
