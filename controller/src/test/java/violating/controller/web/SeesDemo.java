package violating.controller.web;

import violating.controller.demo.Simulated;

final class SeesDemo {
  Simulated simulated = new Simulated();
}
