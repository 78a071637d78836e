package violating.controller.simulation.report;

import violating.controller.input.SeesReport;

public record SeesInput(SeesReport other) {}
