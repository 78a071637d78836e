package io.prescale.controller.autoscaling;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.forecasting.Sample;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StepIntakeTest {
  private static final Instant START = Instant.parse("2026-03-01T12:00:00Z");

  @Test
  void aSampleTellsOfTheStepThatEndsAtItsTime() {
    var intake = intake(60, 100);

    assertThat(accept(intake, 60, sample(60, 5))).containsExactly(5);
    assertThat(intake.next()).isEqualTo(at(60));
    assertThat(accept(intake, 130, sample(120, 7))).containsExactly(7);
    assertThat(intake.next()).isEqualTo(at(120));
  }

  @Test
  void aStepIsHandedOutOnceItIsOver() {
    var intake = intake(60, 100);

    assertThat(accept(intake, 59, sample(15, 2), sample(30, 4))).isEmpty();
    assertThat(accept(intake, 60, sample(45, 9))).containsExactly(5);
    assertThat(accept(intake, 119)).isEmpty();
  }

  @Test
  void aGapIsNotZero() {
    var intake = intake(60, 100);

    assertThat(accept(intake, 240, sample(60, 1), sample(240, 4)))
        .containsExactly(1, Double.NaN, Double.NaN, 4);
  }

  @Test
  void waitsForTheSamplesOfTheLastSteps() {
    var intake = intake(60, 100);

    assertThat(accept(intake, 300, sample(60, 1))).containsExactly(1);
    assertThat(accept(intake, 310, sample(120, 2), sample(180, 3))).containsExactly(2, 3);
  }

  @Test
  void passesOverWhatIsLateFutureOrNoDemand() {
    var intake = intake(60, 100);
    accept(intake, 120, sample(60, 1), sample(120, 2));

    assertThat(
            accept(
                intake,
                180,
                sample(60, 8), // late
                sample(181, 8), // of the future
                sample(170, -1),
                sample(171, Double.NaN),
                sample(172, Double.POSITIVE_INFINITY),
                sample(173, 1e300),
                new Sample(Instant.MIN, 8),
                new Sample(Instant.MAX, 8)))
        .isEmpty();
    assertThat(accept(intake, 180, sample(180, 3))).containsExactly(3);
  }

  @Test
  void theLastOfTwoSamplesOfTheSameTimeCounts() {
    assertThat(accept(intake(60, 100), 60, sample(60, 1), sample(60, 3))).containsExactly(3);
  }

  @Test
  void orderDoesNotMatter() {
    assertThat(accept(intake(60, 100), 180, sample(180, 3), sample(60, 1), sample(120, 2)))
        .containsExactly(1, 2, 3);
  }

  @Test
  void afterALongGapItBeginsLater() {
    var intake = intake(1, 10);
    var steps = intake.accept(List.of(sample(1_000_000, 4)), at(1_000_000));

    assertThat(steps.start).isEqualTo(at(999_990));
    assertThat(steps.values).hasSize(10).endsWith(4);
    assertThat(steps.values[0]).isNaN();
  }

  @Test
  void skipsWhatIsKnownFromElsewhere() {
    var intake = intake(60, 100);
    intake.skipTo(at(120));

    assertThat(accept(intake, 180, sample(60, 1), sample(120, 2), sample(180, 3)))
        .containsExactly(3);
    intake.skipTo(at(0));
    assertThat(intake.next()).as("never back").isEqualTo(at(180));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 5, 60, 300})
  void deliversEverythingOnceHoweverItArrives(int step) {
    var random = new SplittableRandom(step);
    double[] truth = random.doubles(200, 0, 100).toArray();
    var missing = random.ints(30, 1, 199).boxed().toList();
    missing.forEach(i -> truth[i] = Double.NaN);
    var intake = intake(step, 1000);
    var delivered = new ArrayList<Double>();
    int known = 0;
    while (known < truth.length) {
      int until = Math.min(truth.length, known + random.nextInt(1, 8));
      var batch = new ArrayList<Sample>();
      for (int i = Math.max(0, known - 3); i < until; i++) { // some were seen before
        batch.add(sample((i + 1) * step, truth[i]));
      }
      Collections.shuffle(batch, new Random(known));
      var steps = intake.accept(batch, at(until * step + random.nextInt(step)));
      Arrays.stream(steps.values).forEach(delivered::add);
      known = until;
    }

    assertThat(delivered.stream().mapToDouble(v -> v).toArray()).containsExactly(truth);
  }

  private static double[] accept(StepIntake intake, int second, Sample... samples) {
    return intake.accept(List.of(samples), at(second)).values;
  }

  private static StepIntake intake(int step, int mostSteps) {
    return new StepIntake(Duration.ofSeconds(step), START, mostSteps);
  }

  private static Sample sample(int second, double value) {
    return new Sample(at(second), value);
  }

  private static Instant at(int second) {
    return START.plusSeconds(second);
  }
}
