package violating.controller.operator.hpa;

/** Not for the scheduler. */
public record Hpas(String name) {}
