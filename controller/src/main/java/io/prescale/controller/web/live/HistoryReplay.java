package io.prescale.controller.web.live;

import io.prescale.controller.demand.source.MetricSource;
import io.prescale.controller.demand.source.MetricSource.HistoryReading;
import io.prescale.controller.simulation.replay.OtherSeries;
import io.prescale.controller.simulation.replay.PolicyOutcome;
import io.prescale.controller.simulation.replay.Predictive;
import io.prescale.controller.simulation.replay.PredictiveOfSeveral;
import io.prescale.controller.simulation.replay.Reactive;
import io.prescale.controller.simulation.replay.Replay;
import io.prescale.controller.simulation.replay.ReplayPlan;
import io.prescale.controller.simulation.replay.ReplayPolicy;
import io.prescale.controller.simulation.replay.ReplayResult;
import io.prescale.controller.simulation.replay.ReplaySettings;
import io.prescale.controller.simulation.replay.SeasonalNaiveWithLead;
import io.prescale.controller.simulation.replay.SeveralDemands;
import io.prescale.controller.simulation.replay.SeveralDemands.Load;
import io.prescale.controller.web.Savings;
import io.prescale.forecasting.HistoryLength;
import io.prescale.forecasting.TimeSeries;
import io.prescale.forecasting.online.LeadingSeries;
import io.prescale.forecasting.online.PeakSettings;
import io.prescale.forecasting.relatives.Relatives;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/**
 * The replay of a workload's last two weeks: forecasts learn from the first, or from half of a
 * shorter history, and the rest is scored. About half a minute of a processor.
 *
 * @param atOnce policies that are replayed at the same time
 */
record HistoryReplay(ReplaySubject subject, int atOnce, Progress progress) {
  /** The part of two weeks that is not scored. */
  static final Duration SKIP = Duration.ofDays(7);

  /** The policy that is compared with the others. */
  static final String PRESCALE = "Prescale";

  private static final Duration MINUTE = Duration.ofMinutes(1);

  /** A history of two weeks may begin with a scrape less. */
  private static final Duration NEARLY_A_WEEK = Duration.ofDays(7).minusHours(1);

  private static final Duration HISTORY = Duration.ofDays(14);
  private static final ReplayPolicy REACTIVE = new Reactive(Reactive.USUAL_TARGET);

  /** Receives what the history shows, and the share of the replay that is done, 0 to 1. */
  @FunctionalInterface
  interface Progress {
    void passed(String history, double done);
  }

  /** How a replay ended. */
  sealed interface Outcome {}

  /**
   * It has figures.
   *
   * @param history what a history of its length shows
   * @param week what it says of the last week
   */
  record Finished(ReplaySubject subject, String history, Savings.Week week, ReplayResult result)
      implements Outcome {}

  /** It has none; the problem is a sentence, the history empty before it is read. */
  record Failed(String history, String problem) implements Outcome {}

  /** Reads the histories of all metrics and replays them. */
  Outcome until(Instant now, MetricSource source) throws InterruptedException {
    var loads = new ArrayList<Load>();
    for (var metric : subject.metrics()) {
      switch (source.history(metric.query(), now.minus(HISTORY), now).join()) {
        case HistoryReading.Found(var series) ->
            loads.add(new Load(series, metric.capacityPerReplica()));
        case HistoryReading.NotFound(var missing) -> {
          return new Failed("", missing.message());
        }
      }
    }
    return loads.size() == 1 ? single(loads.getFirst(), leading(now, source)) : several(loads);
  }

  /** The series that may lead a single demand, as far as they can be read. */
  private List<LeadingSeries> leading(Instant now, MetricSource source) {
    var all = new ArrayList<LeadingSeries>();
    for (var leading : subject.metrics().getFirst().leading()) {
      if (source.history(leading.query(), now.minus(HISTORY), now).join()
          instanceof HistoryReading.Found it) {
        all.add(LeadingSeries.of(leading.name(), it.series()));
      }
    }
    return all;
  }

  /** A single demand in its own unit. */
  private Outcome single(Load load, List<LeadingSeries> leading) throws InterruptedException {
    var settings = subject.settings();
    var prescale =
        new Predictive(
            settings,
            peak(settings),
            subject.caution(),
            subject.schedules(),
            new OtherSeries(Relatives.none(), leading));
    return of(load.demand(), settings, prescale);
  }

  /** Several demands in the replicas that carry them. */
  private Outcome several(List<Load> loads) throws InterruptedException {
    var demands = SeveralDemands.of(loads);
    var settings = subject.settings().withCapacity(1);
    var prescale =
        new PredictiveOfSeveral(
            demands, settings, peak(settings), subject.caution(), subject.schedules());
    return of(demands.highest(), settings, prescale);
  }

  /** As the live forecaster's, but by the minute. */
  private PeakSettings peak(ReplaySettings settings) {
    var live = subject.forecast();
    return new PeakSettings(
        MINUTE,
        settings.coldStart().planned(),
        settings.window(),
        live.zone(),
        live.calendar(),
        live.refitEvery(),
        live.remember(),
        live.seed(),
        live.members());
  }

  private Outcome of(TimeSeries series, ReplaySettings all, ReplayPolicy prescale)
      throws InterruptedException {
    var length = HistoryLength.of(series);
    var history =
        length.allowsVerdict() ? length.sentence() : length.sentence() + " " + length.noVerdict();
    var half =
        Duration.between(series.start(), series.end()).dividedBy(2).truncatedTo(ChronoUnit.MINUTES);
    var settings = all.withSkip(half.compareTo(SKIP) < 0 ? half : SKIP);
    return switch (Replay.of(series, settings)) {
      case ReplayPlan.Refused refused -> new Failed(history, refused.sentence());
      case Replay replay -> {
        var result =
            replay.run(
                List.of(REACTIVE, SeasonalNaiveWithLead.mimir(Reactive.USUAL_TARGET), prescale),
                atOnce,
                (done, of) -> progress.passed(history, (double) done / of));
        var week = length.allowsVerdict() ? judged(result) : new Savings.Week.TooShort();
        yield new Finished(subject, history, week, result);
      }
    };
  }

  private Savings.Week judged(ReplayResult result) {
    var scored = MINUTE.multipliedBy(result.trace().minutes() - result.trace().scoredFrom());
    return new Savings.Week.Judged(
        usage(result, PRESCALE),
        usage(result, REACTIVE.name()),
        scored.compareTo(NEARLY_A_WEEK) >= 0,
        subject.cardsPerReplica().isPresent());
  }

  /** A replica whose cards are not known counts as one card. */
  private Savings.Usage usage(ReplayResult result, String policy) {
    var trace = result.trace();
    double minutes = trace.minutes() - trace.scoredFrom();
    var outcome = outcome(result, policy);
    return new Savings.Usage(
        minutes * outcome.overloadedObservedShare(),
        outcome.replicaHours(),
        outcome.replicaHours() * subject.cardsPerReplica().orElse(1));
  }

  private static PolicyOutcome outcome(ReplayResult result, String policy) {
    return result.runs().stream()
        .map(it -> it.outcome())
        .filter(it -> it.policy().equals(policy))
        .findFirst()
        .orElseThrow();
  }
}
