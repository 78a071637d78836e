package io.prescale.controller.simulation.report;

import io.prescale.controller.autoscaling.Risk;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The subject of a report: what the figures themselves do not contain.
 *
 * @param trace short name of the demand, such as a file's name
 * @param source where the demand came from, such as a path, or a server's address and a query
 * @param policy name of the run that the report is about; the others are for comparison
 * @param risk what that policy accepts
 * @param budgetCurve a sentence on what keeping to the budget would cost, if that was replayed
 * @param zone the zone of times and hours of the day
 * @param writtenAt when the report was written
 */
public record ReportSubject(
    String trace,
    String source,
    String policy,
    Risk risk,
    Optional<String> budgetCurve,
    ZoneId zone,
    Instant writtenAt) {

  /** The share of the time, 0 to 1, that the policy may be overloaded; empty without a budget. */
  OptionalDouble overloadBudget() {
    return risk instanceof Risk.Budget budget
        ? OptionalDouble.of(budget.share())
        : OptionalDouble.empty();
  }
}
