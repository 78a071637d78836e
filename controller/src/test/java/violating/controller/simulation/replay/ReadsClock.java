package violating.controller.simulation.replay;

import java.time.Instant;

record ReadsClock(Instant time) {
  ReadsClock() {
    this(Instant.now());
  }
}
