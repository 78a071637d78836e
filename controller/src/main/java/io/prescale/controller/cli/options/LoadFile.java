package io.prescale.controller.cli.options;

import io.prescale.controller.demand.prometheus.TraceFile;
import io.prescale.controller.input.CsvFile;
import io.prescale.controller.input.History;
import io.prescale.controller.input.InputException;
import io.prescale.forecasting.TimeSeries;
import io.prescale.forecasting.relatives.Relative;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;

/** A file with a load or another series, as {@code --relatives} and {@code --leading} name it. */
public record LoadFile(Path file) implements ReadsFile {

  /** Reads the file; times that name no zone are in the one given. */
  public History read(ZoneId zone) throws InputException, InterruptedException {
    return new TraceFile(CsvFile.of(file), zone).read();
  }

  /**
   * What a new service may learn from the load: the newest week before it begins, since nothing
   * later was known then.
   */
  public Relative relative(TimeSeries byTheMinute, Instant begins) throws UnusableTraceException {
    int before = Math.clamp(byTheMinute.indexOf(begins), 0, byTheMinute.size());
    return Relative.of(byTheMinute.slice(0, before))
        .orElseThrow(
            () ->
                new UnusableTraceException(
                    ("%s is no relative to borrow from: that takes a week of demand before %s, when"
                            + " the replayed load begins, at least half of it known, none of it"
                            + " negative and not all of it 0.")
                        .formatted(file, begins)));
  }

  /** The name of the file without its extension, as a name for the series. */
  public String name() {
    var whole = String.valueOf(file.getFileName());
    var name = whole.replaceFirst("(?<=.)\\.[^.]*$", "");
    return name.isBlank() ? whole : name;
  }
}
