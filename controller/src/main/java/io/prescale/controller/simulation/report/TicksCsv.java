package io.prescale.controller.simulation.report;

import io.prescale.controller.simulation.replay.PolicyRun;
import io.prescale.controller.simulation.replay.Quantiles;
import io.prescale.controller.simulation.replay.Tick;
import java.io.IOException;
import java.io.Writer;
import java.util.OptionalDouble;

/**
 * One policy's run as CSV: UTF-8, a header, then one row per minute from the start of the trace.
 * Times are Unix seconds. Numbers have as many digits as exact parsing needs; unknown values are
 * empty fields.
 */
public final class TicksCsv {

  /** The header, without a line end. */
  public static final String HEADER =
      "timestamp,observed,served,p50,p90,p95,p99,desired_replicas,ready_replicas";

  private TicksCsv() {}

  /** Writes the rows; the caller closes the writer. */
  public static void write(PolicyRun run, Writer out) throws IOException {
    out.append(HEADER).append('\n');
    var row = new StringBuilder();
    for (Tick tick : run.ticks()) {
      row.setLength(0);
      row.append(tick.time().getEpochSecond());
      append(row, tick.observed());
      append(row, tick.served());
      append(row, tick.quantile(Quantiles::p50));
      append(row, tick.quantile(Quantiles::p90));
      append(row, tick.quantile(Quantiles::p95));
      append(row, tick.quantile(Quantiles::p99));
      row.append(',').append(tick.desiredReplicas());
      row.append(',').append(tick.readyReplicas());
      out.append(row).append('\n');
    }
    out.flush();
  }

  private static void append(StringBuilder row, OptionalDouble value) {
    row.append(',');
    value.ifPresent(row::append);
  }
}
