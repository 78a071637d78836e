package violating.controller.scheduler.extender;

import violating.controller.operator.hpa.Hpas;

record SeesOperator(Hpas other) {}
