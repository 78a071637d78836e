package violating.controller.autoscaling;

import violating.controller.report.SeesInput;

record SeesReport(SeesInput other) {}
