package violating.placement;

import violating.controller.misc.Anything;

public record SeesController(Anything other) {}
