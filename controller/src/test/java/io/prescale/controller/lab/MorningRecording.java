package io.prescale.controller.lab;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * How a service and training fared in one morning, in samples of which each holds until the next.
 *
 * @param bindings from the creation of each replica until it was bound, the longest last
 * @param withNotice training pods that had to go, and had their notice
 * @param withoutNotice those that had none, or too short a one
 */
record MorningRecording(
    String name,
    List<Sample> samples,
    List<Duration> bindings,
    long withNotice,
    long withoutNotice) {
  private static final Duration AT_ONCE = Duration.ofSeconds(1);

  /**
   * One sample.
   *
   * @param needed replicas that have to serve
   * @param ready replicas that do
   * @param training cards on which training runs
   */
  record Sample(Duration at, int needed, int ready, int training) {}

  MorningRecording {
    samples = List.copyOf(samples);
    bindings = List.copyOf(bindings);
    if (samples.size() < 2) {
      throw new IllegalArgumentException("nothing was recorded of " + name);
    }
  }

  /** Time in which fewer replicas served than had to. */
  double overloadedSeconds() {
    return integral(it -> it.ready() < it.needed() ? 1 : 0);
  }

  double trainingCardHours() {
    return integral(Sample::training) / 3600;
  }

  /** How many replicas were bound a second after they were created, or sooner. */
  long boundAtOnce() {
    return bindings.stream().filter(it -> it.compareTo(AT_ONCE) <= 0).count();
  }

  /** Zero where no replica was bound. */
  Duration slowestBinding() {
    return bindings.isEmpty() ? Duration.ZERO : bindings.getLast();
  }

  private double integral(ToDoubleFunction<Sample> value) {
    double sum = 0;
    for (int i = 1; i < samples.size(); i++) {
      var one = samples.get(i - 1);
      sum += value.applyAsDouble(one) * samples.get(i).at().minus(one.at()).toMillis() / 1000.0;
    }
    return sum;
  }

  static String table(List<MorningRecording> all) {
    var text = new StringBuilder();
    text.append(
        "| | overloaded | training | bound within a second | longest | with notice | without |\n");
    text.append("|---|---:|---:|---:|---:|---:|---:|\n");
    for (var one : all) {
      text.append(
          String.format(
              Locale.ROOT,
              "| %s | %.1f s | %.2f card-hours | %d of %d | %.1f s | %d | %d |%n",
              one.name(),
              one.overloadedSeconds(),
              one.trainingCardHours(),
              one.boundAtOnce(),
              one.bindings().size(),
              one.slowestBinding().toMillis() / 1000.0,
              one.withNotice(),
              one.withoutNotice()));
    }
    return text.toString();
  }
}
