package io.prescale.controller.simulation.report;

import java.time.Instant;
import java.time.ZoneId;
import java.util.OptionalDouble;

/**
 * The subject of a report: what the figures themselves do not contain.
 *
 * @param trace short name of the demand, such as a file's name
 * @param source where the demand came from, such as a path, or a server's address and a query
 * @param policy name of the run that the report is about; the others are for comparison
 * @param overloadBudget share of the time, 0 to 1, that the policy may be overloaded; empty without
 *     a budget
 * @param startCost what a start was worth to the policy, in replica-minutes; 0 for nothing
 * @param zone the zone of times and hours of the day
 * @param writtenAt when the report was written
 */
public record ReportSubject(
    String trace,
    String source,
    String policy,
    OptionalDouble overloadBudget,
    double startCost,
    ZoneId zone,
    Instant writtenAt) {

  public ReportSubject {
    if (overloadBudget.isPresent()
        && !(overloadBudget.getAsDouble() >= 0 && overloadBudget.getAsDouble() <= 1)) {
      throw new IllegalArgumentException(
          "the overload budget must be from 0 to 1, not " + overloadBudget.getAsDouble());
    }
  }
}
