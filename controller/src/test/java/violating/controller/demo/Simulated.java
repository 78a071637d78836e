package violating.controller.demo;

/** Not for the page. */
public final class Simulated {}
