package violating.controller.report;

import violating.controller.input.SeesReport;

public record SeesInput(SeesReport other) {}
