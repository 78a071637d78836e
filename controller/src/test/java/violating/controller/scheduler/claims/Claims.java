package violating.controller.scheduler.claims;

/** Not for the operator. */
public record Claims(String name) {}
