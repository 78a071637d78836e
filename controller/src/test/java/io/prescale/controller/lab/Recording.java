package io.prescale.controller.lab;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/**
 * How one Deployment kept up with the demand, in samples about a second apart; each holds until the
 * next.
 *
 * @param name of the Deployment
 * @param capacity demand that one ready replica can serve
 */
record Recording(String name, double capacity, List<Moment> moments) {

  /**
   * One sample.
   *
   * @param demand the true one
   * @param served value that its HPA is given; empty when there was none
   * @param desired replicas that its HPA set
   */
  record Moment(Instant at, double demand, OptionalDouble served, int desired, int ready) {}

  Recording {
    moments = List.copyOf(moments);
    if (moments.size() < 2) {
      throw new IllegalArgumentException("nothing was recorded of " + name);
    }
  }

  Instant start() {
    return moments.getFirst().at();
  }

  Instant end() {
    return moments.getLast().at();
  }

  /** Share of the time in which demand was above what the ready replicas can serve. */
  double overloadedShare() {
    double overloaded = sum(m -> isOverloaded(m) ? 1 : 0);
    return overloaded / sum(_ -> 1);
  }

  /** Hours of ready replicas. */
  double replicaHours() {
    return sum(Moment::ready) / Duration.ofHours(1).toMillis();
  }

  boolean isOverloaded(Moment moment) {
    return moment.demand() > moment.ready() * capacity;
  }

  /** When demand first reached this at or after a time. */
  Optional<Instant> demandReached(double level, Instant from) {
    return reached(Moment::demand, level, from);
  }

  /** When the value for the HPA first reached this at or after a time. */
  Optional<Instant> servedReached(double level, Instant from) {
    return reached(m -> m.served().orElse(0), level, from);
  }

  /** When ready replicas could first serve this at or after a time. */
  Optional<Instant> capacityReached(double level, Instant from) {
    return reached(m -> m.ready() * capacity, level, from);
  }

  private Optional<Instant> reached(ToDoubleFunction<Moment> value, double level, Instant from) {
    return moments.stream()
        .filter(m -> !m.at().isBefore(from) && value.applyAsDouble(m) >= level)
        .map(Moment::at)
        .findFirst();
  }

  /** Over time, in milliseconds. */
  private double sum(ToDoubleFunction<Moment> value) {
    double sum = 0;
    for (int i = 1; i < moments.size(); i++) {
      var moment = moments.get(i - 1);
      sum +=
          value.applyAsDouble(moment)
              * Duration.between(moment.at(), moments.get(i).at()).toMillis();
    }
    return sum;
  }
}
