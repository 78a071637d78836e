package io.prescale.controller.lab;

import java.time.Duration;
import java.time.Instant;

/** Demand on a service, as a function of time, and of nothing else where nobody says so. */
interface Load {
  /** How long a value holds; steps begin at whole multiples of it since the epoch. */
  Duration step();

  /** Demand at a moment, never negative. */
  double at(Instant time);
}
