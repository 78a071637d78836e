package io.prescale.controller.cli.replay;

import io.prescale.controller.cli.options.GriddedHistory;
import io.prescale.controller.cli.options.LoadFile;
import io.prescale.controller.cli.options.OtherLoad;
import io.prescale.controller.cli.options.UnusableTraceException;
import io.prescale.controller.cli.options.UsageException;
import io.prescale.controller.input.History;
import io.prescale.controller.input.InputException;
import io.prescale.controller.simulation.replay.OtherSeries;
import io.prescale.controller.simulation.replay.ReplaySettings;
import io.prescale.controller.simulation.replay.SeveralDemands;
import io.prescale.controller.simulation.replay.SeveralDemands.Load;
import io.prescale.forecasting.TimeSeries;
import io.prescale.forecasting.online.LeadingSeries;
import io.prescale.forecasting.relatives.Relative;
import io.prescale.forecasting.relatives.Relatives;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import picocli.CommandLine.Option;

/** What is replayed or learned from beside the load itself. */
final class OtherLoads {
  /** As many as a PredictiveHPA may have. */
  private static final int MOST_LEADING = 4;

  @Option(
      names = "--also",
      paramLabel = "FILE=DEMAND",
      description =
          "Another load of the same replicas, and the demand of it that one can carry:"
              + " tokens.csv=4000. Each has its own forecast, and the HPA follows the highest."
              + " Shown in replicas. May be repeated.")
  List<OtherLoad> also = List.of();

  @Option(
      names = "--leading",
      paramLabel = "FILE",
      description =
          "A series of the same time that may show the load before it comes, such as arrivals at a"
              + " gateway: Prescale learns how much later the load follows, and uses what the"
              + " series says as far as that lowers the loss. May be repeated.")
  List<LoadFile> leading = List.of();

  @Option(
      names = "--relatives",
      paramLabel = "FILE",
      description =
          "The load of another service, a week or more of it before the replayed load begins: in"
              + " its first week, the replayed service borrows from how that one moves, as new"
              + " services of a namespace do. What came later is not used. May be repeated.")
  List<LoadFile> relatives = List.of();

  /** Checks what no load is needed for. */
  void requireSense() {
    if (!also.isEmpty() && !relatives.isEmpty()) {
      throw new UsageException("--relatives and --also exclude each other; choose one.");
    }
    if (!also.isEmpty() && !leading.isEmpty()) {
      throw new UsageException("--leading and --also exclude each other; choose one.");
    }
    if (leading.size() > MOST_LEADING) {
      throw new UsageException(
          "--leading is given %d times; give at most %d.".formatted(leading.size(), MOST_LEADING));
    }
  }

  /**
   * Reads what Prescale's forecasts may learn from. A relative must cover a week before the
   * replayed load begins.
   *
   * @param talk receives notes about what was read
   */
  OtherSeries read(TimeSeries load, ZoneId zone, Consumer<List<String>> talk)
      throws InputException, UnusableTraceException, InterruptedException {
    var borrowed = new ArrayList<Relative>();
    for (var file : relatives) {
      borrowed.add(file.relative(byTheMinute(file.read(zone), talk), load.start()));
    }
    var led = new ArrayList<LeadingSeries>();
    for (var file : leading) {
      var series = byTheMinute(file.read(zone), talk);
      requireSameTime(file, series, load);
      led.add(LeadingSeries.of(file.name(), series));
    }
    return new OtherSeries(new Relatives(borrowed), led);
  }

  private static void requireSameTime(LoadFile file, TimeSeries series, TimeSeries load)
      throws UnusableTraceException {
    if (!series.start().isBefore(load.end()) || !load.start().isBefore(series.end())) {
      throw new UnusableTraceException(
          "%s, from %s to %s, says nothing of the load, which is from %s to %s; give a series of the same time."
              .formatted(file.file(), series.start(), series.end(), load.start(), load.end()));
    }
  }

  /** The loads of {@code --also} with the first one; empty without any. */
  Optional<SeveralDemands> several(
      TimeSeries first, ReplaySettings single, ZoneId zone, Consumer<List<String>> talk)
      throws InputException, UnusableTraceException, InterruptedException {
    if (also.isEmpty()) {
      return Optional.empty();
    }
    var loads = new ArrayList<>(List.of(new Load(first, single.capacityPerReplica())));
    for (var other : also) {
      var series = byTheMinute(other.source(zone).read(), talk);
      other.otherTime(series, first).map(List::of).ifPresent(talk);
      loads.add(new Load(series, other.capacityPerReplica()));
    }
    talk.accept(List.of("Demand is given in replicas: that of the load which needs the most."));
    var several = SeveralDemands.of(loads);
    var hardly = several.hardlyKnown(single);
    if (hardly.isPresent()) {
      int index = hardly.get().index();
      throw new UnusableTraceException(
          "%s covers only %.1f %% of the time that is scored; give loads of the same time. If a metric is absent while idle, append `or vector(0)` to its query."
              .formatted(
                  index == 0 ? "The first load" : also.get(index - 1).name(),
                  100 * hardly.get().share()));
    }
    return Optional.of(several);
  }

  private static TimeSeries byTheMinute(History history, Consumer<List<String>> talk)
      throws UnusableTraceException {
    var gridded = GriddedHistory.byTheMinute(history);
    talk.accept(gridded.notes());
    return gridded.series();
  }
}
