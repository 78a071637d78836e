package io.prescale.controller.simulation.replay;

import io.prescale.forecasting.DurationInWords;
import io.prescale.forecasting.TimeSeries;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Walks through recorded demand minute by minute, as it would have happened, once for each policy.
 * The same trace, settings and policies give the same result, whatever the threads do.
 */
public final class Replay implements ReplayPlan {

  /** With less than this to score, a replay shows nothing. */
  private static final Duration SHORTEST_SCORED = Duration.ofHours(1);

  /** With a smaller share of the scored part, figures would be those of interpolated demand. */
  static final double LEAST_OBSERVED = 0.5;

  private static final int THREADS = 2;

  /** Observes the progress of a replay; never called by two threads at once. */
  @FunctionalInterface
  public interface Progress {

    /** How many of all minutes of all policies have passed. */
    void passed(long minutes, long ofMinutes);
  }

  private final Demand demand;
  private final ReplaySettings settings;

  private Replay(Demand demand, ReplaySettings settings) {
    this.demand = demand;
    this.settings = settings;
  }

  /** Checks that there is something to replay. */
  public static ReplayPlan of(TimeSeries trace, ReplaySettings settings) {
    if (!trace.step().equals(ReplaySettings.MINUTE)) {
      return new Refused(
          "The step of the trace is %s; a replay needs one minute."
              .formatted(DurationInWords.of(trace.step())));
    }
    if (trace.size() - settings.skipMinutes() < SHORTEST_SCORED.toMinutes()) {
      return new Refused(
          "The load covers %s, of which the first %s are skipped; at least %s must be left to score."
              .formatted(
                  DurationInWords.of(Duration.ofMinutes(trace.size())),
                  DurationInWords.of(Duration.ofMinutes(settings.skipMinutes())),
                  DurationInWords.of(SHORTEST_SCORED)));
    }
    var demand = new Demand(trace, (int) settings.skipMinutes());
    if (Double.isNaN(demand.scored()[0])) {
      return new Refused("The part of the trace to score has no observation.");
    }
    if (demand.firstNegative() >= 0) {
      return new Refused("Demand is negative at " + trace.time(demand.firstNegative()) + ".");
    }
    var info = demand.info();
    int observed = info.scoredMinutes() - info.interpolatedMinutes();
    if (observed < LEAST_OBSERVED * info.scoredMinutes()) {
      return new Refused(
          "Of the part of the load to score, from %s on, only %.1f %% was observed; a replay needs half of it. Is a time in the load wrong, or a gap too long? If the metric is absent while idle, append `or vector(0)` to its query."
              .formatted(demand.time(info.scoredFrom()), 100.0 * observed / info.scoredMinutes()));
    }
    return new Replay(demand, settings);
  }

  /** Runs every policy, two at a time. */
  public ReplayResult run(List<ReplayPolicy> policies, Progress progress)
      throws InterruptedException {
    return run(policies, THREADS, progress);
  }

  /**
   * Runs every policy in the order given, and adds the clairvoyant.
   *
   * @param policies unused instances with different names
   * @param atOnce how many run at the same time
   * @throws InterruptedException when the calling thread is interrupted; nothing runs on
   */
  public ReplayResult run(List<ReplayPolicy> policies, int atOnce, Progress progress)
      throws InterruptedException {
    requireDifferentNames(policies);
    var meter = new ProgressMeter(progress, (long) policies.size() * demand.minutes());
    var clairvoyant = new Clairvoyant(demand.scored(), settings);
    var runs = new ArrayList<Future<PolicyRun>>();
    try (ExecutorService executor = Executors.newFixedThreadPool(atOnce)) {
      var completion = new ExecutorCompletionService<PolicyRun>(executor);
      for (ReplayPolicy policy : policies) {
        var walk = new PolicyWalk(policy, demand, settings, clairvoyant.replicaHours(), meter);
        runs.add(completion.submit(walk::run));
      }
      awaitAll(completion, executor, runs.size());
    }
    var results = new ArrayList<PolicyRun>();
    runs.forEach(run -> results.add(run.resultNow()));
    results.add(clairvoyant.run(demand, settings));
    return new ReplayResult(settings, demand.info(), results);
  }

  private static void requireDifferentNames(List<ReplayPolicy> policies) {
    var names = new HashSet<String>();
    for (ReplayPolicy policy : policies) {
      if (!names.add(policy.name())) {
        throw new IllegalArgumentException("two policies named " + policy.name());
      }
    }
  }

  /**
   * Returns when all are done; stops the rest as soon as one fails or this thread is interrupted.
   */
  private static void awaitAll(
      ExecutorCompletionService<PolicyRun> completion, ExecutorService executor, int count)
      throws InterruptedException {
    try {
      for (int i = 0; i < count; i++) {
        completion.take().get();
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException("a policy failed", e.getCause());
    } finally {
      executor.shutdownNow();
    }
  }
}
