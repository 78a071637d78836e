package io.prescale.controller.simulation.replay;

import io.prescale.controller.autoscaling.HpaRules;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Knows the demand, and creates each replica exactly one cold start before it is needed: the least
 * cost without overload. Not a {@link ReplayPolicy}, as those cannot see ahead, and not bound by an
 * HPA's rules.
 */
final class Clairvoyant {

  static final String NAME = "clairvoyant";

  private final int[] created;
  private final int[] ready;

  /**
   * O(minutes · lead).
   *
   * @param demand per minute; where it is unknown (NaN), the fewest replicas do
   */
  Clairvoyant(double[] demand, ReplaySettings settings) {
    int[] needed =
        Arrays.stream(demand)
            .mapToInt(d -> HpaRules.replicasFor(d, settings.capacityPerReplica()))
            .map(replicas -> Math.max(replicas, settings.rules().minReplicas()))
            .toArray();
    int lead = settings.leadMinutes();
    created = new int[demand.length];
    ready = new int[demand.length];
    for (int i = 0; i < demand.length; i++) {
      int end = Math.min(i + lead + 1, demand.length);
      created[i] = Arrays.stream(needed, i, end).max().orElseThrow();
      ready[i] = Arrays.stream(created, Math.max(0, i - lead), i + 1).min().orElseThrow();
    }
  }

  double replicaHours() {
    return Arrays.stream(created).asLongStream().sum() / 60.0;
  }

  private double hoursAtZero() {
    return Arrays.stream(created).filter(replicas -> replicas == 0).count() / 60.0;
  }

  /** The run over the whole trace, of which this is the scored part. */
  PolicyRun run(Demand demand, ReplaySettings settings) {
    double days = created.length / (24 * 60.0);
    var outcome =
        new PolicyOutcome(
            NAME,
            0,
            0,
            0,
            replicaHours(),
            1,
            events() / days,
            reversals() / days,
            shortUses() / days,
            Optional.empty(),
            0,
            0,
            settings.rules().minReplicas() == 0
                ? Optional.of(new AtZero(hoursAtZero(), 0, 0, 0))
                : Optional.empty());
    var before = new Clairvoyant(demand.skipped(), settings);
    var ticks = new ArrayList<Tick>(demand.minutes());
    for (int i = 0; i < demand.minutes(); i++) {
      boolean scored = i >= demand.scoredFrom();
      ticks.add((scored ? this : before).tick(i, scored ? i - demand.scoredFrom() : i, demand));
    }
    return new PolicyRun(outcome, ticks, Collections.nCopies(ticks.size(), Optional.empty()));
  }

  private Tick tick(int minute, int index, Demand demand) {
    return new Tick(
        demand.time(minute),
        demand.known(minute),
        OptionalDouble.empty(),
        Optional.empty(),
        created[index],
        ready[index]);
  }

  private int events() {
    int events = 0;
    for (int i = 1; i < created.length; i++) {
      events += created[i] != created[i - 1] ? 1 : 0;
    }
    return events;
  }

  private long shortUses() {
    var uses = new ShortUses(1);
    for (int i = 1; i < ready.length; i++) {
      uses.serve(Math.max(0, ready[i] - ready[i - 1]), i);
      uses.stop(Math.max(0, ready[i - 1] - ready[i]), i);
    }
    return uses.count();
  }

  private int reversals() {
    int reversals = 0;
    int lastDirection = 0;
    for (int i = 1; i < created.length; i++) {
      int direction = Integer.signum(created[i] - created[i - 1]);
      if (direction != 0) {
        reversals += direction == -lastDirection ? 1 : 0;
        lastDirection = direction;
      }
    }
    return reversals;
  }
}
