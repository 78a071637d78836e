package violating.controller.report;

public record ReportText(String text) {}
