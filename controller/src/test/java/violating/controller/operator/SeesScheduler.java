package violating.controller.operator;

import violating.controller.scheduler.claims.Claims;

record SeesScheduler(Claims other) {}
