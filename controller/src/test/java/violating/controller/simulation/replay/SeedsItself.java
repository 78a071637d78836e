package violating.controller.simulation.replay;

import java.util.SplittableRandom;

record SeedsItself(SplittableRandom random) {
  SeedsItself() {
    this(new SplittableRandom());
  }
}
