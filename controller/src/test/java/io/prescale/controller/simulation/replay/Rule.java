package io.prescale.controller.simulation.replay;

import java.util.function.Function;

/** A policy made of a function. */
record Rule(String name, Function<View, Served> rule) implements ReplayPolicy {
  @Override
  public Served next(View view) {
    return rule.apply(view);
  }
}
