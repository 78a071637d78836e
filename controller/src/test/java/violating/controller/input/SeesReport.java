package violating.controller.input;

import violating.controller.simulation.report.ReportText;

public record SeesReport(ReportText other) {}
