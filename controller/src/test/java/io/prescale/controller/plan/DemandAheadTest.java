package io.prescale.controller.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.prescale.controller.plan.DemandAhead.Bounds;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class DemandAheadTest {
  private static final Instant START = Instant.parse("2026-11-24T00:00:00Z");
  private static final Duration STEP = Duration.ofMinutes(15);

  private static DemandAhead rising(Bounds... bounds) {
    int steps = List.of(bounds).stream().mapToInt(Bounds::steps).sum();
    return DemandAhead.of(START, STEP, steps, (h, level) -> h + 4 * level, List.of(bounds));
  }

  @Test
  void replicasAreThoseOfTheHpa() {
    var demand = rising(new Bounds(10, 0, 100));

    assertThat(demand.replicas(0, 0.5, 1)).isEqualTo(2);
    assertThat(demand.replicas(3, 0.5, 1)).isEqualTo(5);
    assertThat(demand.replicas(3, 0.9, 1)).isEqualTo(7);
    assertThat(demand.replicas(3, 0.9, 1.3)).isEqualTo(9);
    assertThat(demand.replicas(3, 0.825, 1)).as("between 75 %% and 90 %%").isEqualTo(7);
    assertThat(demand.replicas(3, 0.001, 1)).as("as at 5 %%").isEqualTo(4);
    assertThat(demand.replicas(3, 1, 1)).as("as at 99 %%").isEqualTo(7);
  }

  @Test
  void floorsAndCeilingsApplyToTheirSteps() {
    var demand = rising(new Bounds(4, 5, 100), new Bounds(6, 0, 3));

    assertThat(demand.replicas(0, 0.5, 1)).isEqualTo(5);
    assertThat(demand.replicas(9, 0.5, 1)).isEqualTo(3);
    assertThat(demand.bounded(9, 1e300)).isEqualTo(3);
  }

  @Test
  void aLaterWindowKeepsWhatIsKnownOfIt() {
    var demand = rising(new Bounds(4, 5, 100), new Bounds(6, 0, 3));

    var later = demand.window(START.plus(STEP.multipliedBy(3)), 4);

    assertThat(later.bounds()).containsExactly(new Bounds(1, 5, 100), new Bounds(3, 0, 3));
    assertThat(later.replicas(0, 0.5, 1)).isEqualTo(5);
    assertThat(later.from()).isEqualTo(START.plus(Duration.ofMinutes(45)));
    assertThat(demand.window(START.minus(STEP), 3).byLevel().get(2)).containsExactly(2.0, 2.0, 3.0);
    assertThatThrownBy(() -> demand.window(START, 11)).hasMessageContaining("11 steps");
    assertThatThrownBy(() -> demand.window(START.plusSeconds(1), 2))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void nonsenseIsRefused() {
    for (double value : new double[] {Double.NaN, -1, Double.POSITIVE_INFINITY}) {
      assertThatThrownBy(
              () -> DemandAhead.of(START, STEP, 1, (_, _) -> value, List.of(new Bounds(1, 0, 1))))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> new DemandAhead(START, STEP, List.of(), List.of()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () -> new DemandAhead(START, STEP, Collections.nCopies(7, List.of(1.0)), List.of()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Bounds(0, 0, 0)).isInstanceOf(IllegalArgumentException.class);
  }
}
