package violating.controller.simulation.replay;

import java.util.SplittableRandom;

record InnocentSeed(SplittableRandom random) {
  InnocentSeed(long seed) {
    this(new SplittableRandom(seed));
  }
}
