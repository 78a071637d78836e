package io.prescale.controller.operator;

import io.prescale.controller.autoscaling.ForecastSettings;
import io.prescale.controller.autoscaling.LeadingIntake;
import io.prescale.controller.autoscaling.Reading;
import io.prescale.controller.demand.source.MetricSource;
import io.prescale.forecasting.online.LeadingSeries;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * The leading series of one target: their histories first, then what is new, at the ticks of the
 * target. None of them is needed for a decision. Not thread-safe.
 */
final class LeadingReads {
  /** A decision waits at most this many seconds for them. */
  private static final int WAITED_FOR = 5;

  private static final Reading LATE =
      new Reading.Missing(Reading.Reason.TIMEOUT, "It comes too late for this decision.");

  private final MetricSource source;
  private final List<LeadingIntake> intakes = new ArrayList<>();
  private final HistoryRequests<Integer> histories;
  private List<LeadingQuery> queries;

  /** Nothing is read yet. */
  LeadingReads(
      List<LeadingQuery> queries, MetricSource source, ForecastSettings forecast, Instant now) {
    this.source = source;
    this.queries = queries;
    this.histories = new HistoryRequests<>(source, forecast);
    for (int i = 0; i < queries.size(); i++) {
      intakes.add(new LeadingIntake(queries.get(i).name(), forecast, forecast.stepBegin(now)));
    }
  }

  /** Begins to read the histories; those of the demands are to be asked for first. */
  void requestHistories(Instant now) {
    for (int i = 0; i < queries.size(); i++) {
      histories.request(i, queries.get(i).query(), now);
    }
  }

  /** What is known, by the metric that it may lead. */
  Map<String, List<LeadingSeries>> series() {
    var byMetric = new LinkedHashMap<String, List<LeadingSeries>>();
    for (int i = 0; i < queries.size(); i++) {
      byMetric
          .computeIfAbsent(queries.get(i).metric(), _ -> new ArrayList<>())
          .add(intakes.get(i).series());
    }
    return byMetric;
  }

  /** Uses these queries from now on, whose credentials may be others. */
  void use(List<LeadingQuery> sameQueries) {
    queries = sameQueries;
  }

  /** Takes in the histories that have arrived, and what is new; waits for it, but not for long. */
  void read(Instant now) {
    histories.arrived(
        i -> queries.get(i).query(), now, (i, history) -> intakes.get(i).learn(history));
    var readings = ask(now);
    for (int i = 0; i < readings.size(); i++) {
      intakes.get(i).observe(readings.get(i).join(), now);
    }
  }

  /** The first series that has been unknown for minutes, and why. */
  Optional<String> missing(Instant now) {
    return IntStream.range(0, queries.size())
        .boxed()
        .flatMap(i -> intakes.get(i).missing(now).map(it -> inWords(queries.get(i), it)).stream())
        .findFirst();
  }

  private static String inWords(LeadingQuery query, Reading.Missing missing) {
    return "%s of %s: %s".formatted(query.name(), query.metric(), missing.message());
  }

  private List<CompletableFuture<Reading>> ask(Instant now) {
    var requests = new ArrayList<CompletableFuture<Reading>>();
    for (int i = 0; i < queries.size(); i++) {
      requests.add(
          source
              .read(queries.get(i).query(), intakes.get(i).observedUntil(), now)
              .copy()
              .completeOnTimeout(LATE, WAITED_FOR, TimeUnit.SECONDS));
    }
    return requests;
  }
}
