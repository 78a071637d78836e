package io.prescale.placement.experiment;

import io.prescale.placement.cluster.GpuRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** Generates requests that arrive and leave at random at an about constant load. */
public final class Churn {
  private Churn() {}

  /** A request that may be repeated, and its lifetime. */
  public record Job(GpuRequest request, long lifetimeSeconds) {
    public Job {
      if (lifetimeSeconds < 1) {
        throw new IllegalArgumentException(
            "%s stays %d seconds; give at least 1".formatted(request.name(), lifetimeSeconds));
      }
    }
  }

  /** A request and the period during which it holds its place. */
  public record Visit(GpuRequest request, long fromSecond, long toSecond) {}

  /**
   * Draws visits whose total demand is about constant (M/G/∞): at second 0 those of the stationary
   * state, drawn in proportion to lifetime and at a random moment of it; afterwards others at
   * exponential intervals.
   *
   * @param capacityMilli capacity of the cluster, in thousandths of a card
   * @param percent average demand at a time, in percent of the capacity
   * @param later number of visits that begin after second 0
   * @return the visits in order of their begin
   * @throws IllegalArgumentException when no job demands compute of a card
   */
  public static List<Visit> visits(
      List<Job> jobs, long capacityMilli, int percent, int later, RandomGenerator random) {
    double[] lifetimesUpTo = new double[jobs.size()];
    double lifetimes = 0;
    double milliSeconds = 0;
    for (int i = 0; i < jobs.size(); i++) {
      var job = jobs.get(i);
      lifetimes += job.lifetimeSeconds();
      lifetimesUpTo[i] = lifetimes;
      milliSeconds += (double) job.lifetimeSeconds() * Arrivals.milliOf(job.request());
    }
    if (milliSeconds == 0) {
      throw new IllegalArgumentException(
          "no job demands compute of a GPU, so the load cannot be set");
    }
    double wantedMilli = capacityMilli * (percent / 100.0);
    var visits = new ArrayList<Visit>();
    long present = Math.round(wantedMilli * lifetimes / milliSeconds);
    for (long i = 0; i < present; i++) {
      var job = jobs.get(indexOf(random.nextDouble() * lifetimes, lifetimesUpTo));
      long left = 1 + (long) (random.nextDouble() * job.lifetimeSeconds());
      visits.add(visit(job, visits.size(), 0, left));
    }
    double secondsBetween = milliSeconds / jobs.size() / wantedMilli;
    double second = 0;
    for (int i = 0; i < later; i++) {
      second += random.nextExponential() * secondsBetween;
      var job = jobs.get(random.nextInt(jobs.size()));
      long from = (long) second;
      visits.add(visit(job, visits.size(), from, from + job.lifetimeSeconds()));
    }
    return visits;
  }

  private static Visit visit(Job job, int number, long from, long to) {
    var request = job.request();
    var named = new GpuRequest(request.name() + "+" + number, request.shape(), request.standing());
    return new Visit(named, from, to);
  }

  /** The index of the first sum above a value. */
  private static int indexOf(double value, double[] sums) {
    int low = 0;
    int high = sums.length - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (sums[middle] > value) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }
}
