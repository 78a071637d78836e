package violating.controller.misc;

public record Anything(String name) {}
