package violating.controller.demo;

/** What the page must not know of. */
public final class Simulated {}
