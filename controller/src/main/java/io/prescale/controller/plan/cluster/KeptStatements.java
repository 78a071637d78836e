package io.prescale.controller.plan.cluster;

import io.prescale.controller.api.v1alpha1.PlanBand;
import io.prescale.controller.api.v1alpha1.PlanCalibration;
import io.prescale.controller.api.v1alpha1.PlanKept;
import io.prescale.controller.plan.Calibration;
import io.prescale.controller.plan.cluster.CapacityPlanner.Answer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Statements whose time has not passed, and how earlier ones have fared. Each is kept as it was
 * first said, about a day ahead: of every group and full hour that the need exceeds that of the
 * plan.
 */
public record KeptStatements(List<PlanKept> kept, Calibration calibration) {
  private static final int MOST = 200;
  private static final int MOST_GROUPS = 8;
  private static final double PERMILLE = 1000;

  /** What is nearer is easier to say. */
  private static final Duration AHEAD = Duration.ofHours(20);

  /** After this time, what was needed will not become known. */
  private static final Duration LOST_AFTER = Duration.ofHours(6);

  public KeptStatements {
    kept = List.copyOf(kept);
  }

  /** What a status carries; what makes no sense is forgotten. */
  public static KeptStatements of(List<PlanKept> kept, @Nullable PlanCalibration written) {
    var sound =
        kept.stream()
            .filter(it -> it.permille() >= 0 && it.permille() <= PERMILLE && it.at() != null)
            .toList();
    return new KeptStatements(sound, read(written));
  }

  private static Calibration read(@Nullable PlanCalibration written) {
    if (written == null) {
      return Calibration.none();
    }
    try {
      return new Calibration(
          written.squaresMilli() / PERMILLE,
          written.bands().stream()
              .map(it -> new Calibration.Band(it.said(), it.expectedMilli() / PERMILLE, it.came()))
              .toList());
    } catch (IllegalArgumentException _) {
      return Calibration.none();
    }
  }

  /** Scores what has passed, by the replicas that a workload needed in a step, where known. */
  public KeptStatements settled(BiFunction<String, Instant, OptionalInt> needed, Instant now) {
    var open = new ArrayList<PlanKept>();
    var scored = calibration;
    for (var each : kept) {
      var came = came(each, needed);
      if (came.isPresent()) {
        scored = scored.with(each.permille() / PERMILLE, came.getAsInt() > each.replicas());
      } else if (each.at().plus(LOST_AFTER).isAfter(now)) {
        open.add(each);
      }
    }
    return new KeptStatements(open, scored);
  }

  private static OptionalInt came(
      PlanKept statement, BiFunction<String, Instant, OptionalInt> needed) {
    int sum = 0;
    for (var workload : statement.workloads()) {
      var replicas = needed.apply(workload, statement.at());
      if (replicas.isEmpty()) {
        return OptionalInt.empty();
      }
      sum += replicas.getAsInt();
    }
    return OptionalInt.of(sum);
  }

  /** Adds what a plan says for the first time of the time about a day ahead. */
  public KeptStatements with(Answer answer, double level) {
    var known = new HashSet<List<Object>>();
    kept.forEach(it -> known.add(List.of(it.at(), it.workloads())));
    var all = new ArrayList<>(kept);
    for (var group : answer.groups().stream().limit(MOST_GROUPS).toList()) {
      var demand = group.services().getFirst().demand();
      var names = group.names().stream().sorted().toList(); // groups begin with the largest
      for (int h = 0; h < demand.steps(); h++) {
        var at = demand.time(h);
        boolean isFull = at.getEpochSecond() % Duration.ofHours(1).toSeconds() == 0;
        if (isFull
            && !at.isBefore(demand.time(0).plus(AHEAD))
            && group.services().size() == group.names().size()
            && all.size() < MOST
            && known.add(List.of(at, names))) {
          int need = group.need(h, level);
          double above = group.sums().get(h).probabilityAbove(need);
          all.add(new PlanKept(at, names, need, (int) Math.round(above * PERMILLE)));
        }
      }
    }
    return new KeptStatements(all, calibration);
  }

  /** As a status carries it. */
  public PlanCalibration written() {
    return new PlanCalibration(
        calibration.said(),
        Math.round(calibration.squares() * PERMILLE),
        calibration.bands().stream()
            .map(
                it ->
                    new PlanBand(
                        it.said(),
                        Math.min(it.said() * 1000, Math.round(it.expected() * PERMILLE)),
                        it.came()))
            .toList());
  }
}
