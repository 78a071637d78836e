package violating.controller.cli;

import java.time.Instant;

record InnocentClock(Instant time) {
  InnocentClock() {
    this(Instant.now());
  }
}
