package violating.controller.replay;

import java.util.SplittableRandom;

record SeedsItself(SplittableRandom random) {
  SeedsItself() {
    this(new SplittableRandom());
  }
}
