package io.prescale.controller.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.prescale.controller.plan.DemandAhead.Bounds;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The quantile of a sum, against sums whose distribution is known. */
class ReplicaSumTest {
  private static final Instant START = Instant.parse("2026-11-24T00:00:00Z");
  private static final Duration STEP = Duration.ofMinutes(15);
  private static final int WINDOWS = 672;

  /** Between 0 and 100 replicas, all equally probable. */
  private static DemandAhead uniform() {
    return DemandAhead.of(
        START, STEP, 1, (_, level) -> 100 * level, List.of(new Bounds(1, 0, 1000)));
  }

  private static Map<String, DemandAhead> uniforms(int services) {
    var demands = new TreeMap<String, DemandAhead>();
    IntStream.range(0, services).forEach(i -> demands.put("s" + i, uniform()));
    return demands;
  }

  /** Errors whose normal scores have a correlation: a common part and one of their own. */
  private static Map<String, Map<Instant, Double>> past(int services, double correlation) {
    var random = new SplittableRandom(11);
    var past = new HashMap<String, Map<Instant, Double>>();
    for (int w = 0; w < WINDOWS; w++) {
      double common = random.nextGaussian();
      for (int s = 0; s < services; s++) {
        double own = random.nextGaussian();
        past.computeIfAbsent("s" + s, _ -> new TreeMap<>())
            .put(
                START.minus(STEP.multipliedBy(w + 1)),
                Math.sqrt(correlation) * common + Math.sqrt(1 - correlation) * own);
      }
    }
    return past;
  }

  private static ReplicaSum sum(int services, double correlation) {
    var dependence = Dependence.learn(past(services, correlation));
    return ReplicaSum.of(uniforms(services), dependence, 0, 1);
  }

  @Test
  void errorsThatAlwaysGoTogetherGiveTheSumOfTheQuantiles() {
    var alone = sum(1, 1).quantile(0.9);
    assertThat(alone).isBetween(89, 92);
    assertThat(sum(4, 1).quantile(0.9)).isEqualTo(4 * alone);
    assertThat(sum(4, 1).quantile(0.95)).isEqualTo(4 * sum(1, 1).quantile(0.95));
  }

  @Test
  void independentErrorsGiveTheConvolution() {
    // Of four independent uniform numbers: Irwin-Hall, variance 4 * 100²/12, nearly normal.
    double ofTheSum = 200 + 1.2816 * 100 * Math.sqrt(4 / 12.0);
    assertThat((double) sum(4, 0).quantile(0.9)).isCloseTo(ofTheSum, within(15.0));
    assertThat(sum(4, 0).quantile(0.9)).isLessThan(310).isLessThan(sum(4, 1).quantile(0.9) - 40);
  }

  @Test
  void betweenTheTwoItIsAsASimulationSays() {
    double simulated = simulatedP90(4, 0.5);
    assertThat((double) sum(4, 0.5).quantile(0.9)).isCloseTo(simulated, within(20.0));
  }

  /** The same law, drawn directly with other random numbers. */
  private static double simulatedP90(int services, double correlation) {
    var random = new SplittableRandom(5);
    var sums = new ArrayList<Double>();
    for (int k = 0; k < 100_000; k++) {
      double common = random.nextGaussian();
      double sum = 0;
      for (int s = 0; s < services; s++) {
        double score =
            Math.sqrt(correlation) * common + Math.sqrt(1 - correlation) * random.nextGaussian();
        sum += 100 * normal(score);
      }
      sums.add(sum);
    }
    Collections.sort(sums);
    return sums.get(90_000);
  }

  /** Abramowitz and Stegun 26.2.17, error below 1e-7. */
  private static double normal(double x) {
    double t = 1 / (1 + 0.2316419 * Math.abs(x));
    double poly =
        t
            * (0.319381530
                + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
    double upper = Math.exp(-x * x / 2) / Math.sqrt(2 * Math.PI) * poly;
    return x >= 0 ? 1 - upper : upper;
  }

  @Test
  void whoHasTooLittlePastIsTakenToMoveWithTheOthers() {
    var past = new HashMap<>(past(2, 1));
    past.put("s2", Map.of(START.minus(STEP), 0.3));
    var dependence = Dependence.learn(past);

    var sum = ReplicaSum.of(uniforms(3), dependence, 0, 1);

    assertThat(sum.quantile(0.9)).isEqualTo(3 * sum(1, 1).quantile(0.9));
    assertThat(dependence.scenarios()).isEqualTo(Dependence.MOST);
  }

  @Test
  void withoutAnyPastAllMoveTogether() {
    var dependence = Dependence.learn(Map.of("s0", Map.of(), "s1", Map.of()));

    assertThat(ReplicaSum.of(uniforms(2), dependence, 0, 1).quantile(0.5)).isBetween(100, 102);
    assertThat(Dependence.learn(Map.of()).scenarios()).isZero();
  }

  @Test
  void theProbabilityOfMoreIsThatOfTheDistribution() {
    assertThat(sum(1, 1).probabilityAbove(75)).isCloseTo(0.25, within(0.02));
    assertThat(sum(1, 1).probabilityAbove(1000)).isZero();
    assertThat(sum(2, 1).probabilityAbove(0)).isOne();
  }

  @Test
  void ranksThatMakeNoSenseAreRefused() {
    assertThatThrownBy(() -> new Dependence(Map.of("a", List.of(1, 2), "b", List.of(1))))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Dependence(Map.of("a", List.of(99))).level("b", 0))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
