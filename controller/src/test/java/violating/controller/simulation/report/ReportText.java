package violating.controller.simulation.report;

public record ReportText(String text) {}
