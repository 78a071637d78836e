package io.prescale.controller.simulation.report;

import java.time.Instant;
import java.time.ZoneId;
import java.util.OptionalDouble;

/**
 * What a report is about, which the figures do not tell.
 *
 * @param trace short name of the demand, such as a file's name
 * @param source where the demand came from, such as a path, or a server's address and a query
 * @param policy name of the run that the report speaks for; the others are there to compare
 * @param overloadBudget share of the time, 0 to 1, that the policy may be overloaded, where it has
 *     such a budget
 * @param zone in which times and hours of the day are told
 * @param writtenAt when the report was made
 */
public record ReportSubject(
    String trace,
    String source,
    String policy,
    OptionalDouble overloadBudget,
    ZoneId zone,
    Instant writtenAt) {

  public ReportSubject {
    if (overloadBudget.isPresent()
        && !(overloadBudget.getAsDouble() >= 0 && overloadBudget.getAsDouble() <= 1)) {
      throw new IllegalArgumentException("overload budget " + overloadBudget.getAsDouble());
    }
  }
}
