package violating.controller.input;

import violating.controller.report.ReportText;

public record SeesReport(ReportText other) {}
