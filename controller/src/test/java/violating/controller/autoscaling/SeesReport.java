package violating.controller.autoscaling;

import violating.controller.simulation.report.SeesInput;

record SeesReport(SeesInput other) {}
