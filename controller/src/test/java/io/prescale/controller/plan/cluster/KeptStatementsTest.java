package io.prescale.controller.plan.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.api.v1alpha1.PlanBand;
import io.prescale.controller.api.v1alpha1.PlanCalibration;
import io.prescale.controller.api.v1alpha1.PlanKept;
import io.prescale.controller.plan.DemandAhead;
import io.prescale.controller.plan.DemandAhead.Bounds;
import io.prescale.controller.plan.Dependence;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** What was said is scored once, by what came, and survives in a status. */
class KeptStatementsTest {
  private static final Instant NOW = Instant.parse("2026-11-24T09:05:00Z");
  private static final Instant NINE = Instant.parse("2026-11-24T09:00:00Z");
  private static final Duration STEP = Duration.ofMinutes(15);

  private static KeptStatements kept(Instant at, int permille) {
    return KeptStatements.of(
        List.of(new PlanKept(at, List.of("team/a", "team/b"), 5, permille)), null);
  }

  @Test
  void aStatementIsScoredOnceAllThatItIsAboutIsKnown() {
    var open = kept(NINE, 100);

    var unknown =
        open.settled(
            (name, _) -> name.equals("team/a") ? OptionalInt.of(3) : OptionalInt.empty(), NOW);
    assertThat(unknown.kept()).hasSize(1);
    assertThat(unknown.calibration().said()).isZero();

    var came = open.settled((_, _) -> OptionalInt.of(3), NOW);
    assertThat(came.kept()).isEmpty();
    assertThat(came.calibration().bands().get(1).came()).as("six are more than five").isOne();
    assertThat(came.written().squaresMilli()).isEqualTo(810);

    var not = open.settled((_, _) -> OptionalInt.of(2), NOW);
    assertThat(not.calibration().bands().get(1).came()).isZero();
    assertThat(not.calibration().said()).isOne();
  }

  @Test
  void whatNeverBecomesKnownIsForgotten() {
    var lost =
        kept(NINE.minus(Duration.ofHours(7)), 100).settled((_, _) -> OptionalInt.empty(), NOW);

    assertThat(lost.kept()).isEmpty();
    assertThat(lost.calibration().said()).isZero();
  }

  @Test
  void itSurvivesInAStatusAndNonsenseThereIsForgotten() {
    var scored = kept(NINE, 100).settled((_, _) -> OptionalInt.of(3), NOW);
    assertThat(KeptStatements.of(List.of(), scored.written()).calibration())
        .isEqualTo(scored.calibration());

    var nonsense = new PlanCalibration(1, 1, List.of(new PlanBand(1, 1, 5)));
    assertThat(KeptStatements.of(List.of(new PlanKept(NINE, List.of(), 1, -1)), nonsense).kept())
        .isEmpty();
    assertThat(KeptStatements.of(List.of(), nonsense).calibration().said()).isZero();
  }

  @Test
  void everyFullHourIsSaidOnceAboutADayAheadAsItWasFirstSaid() {
    var cluster = new PlannedObjects().nodes(4);
    var demand =
        DemandAhead.of(NINE, STEP, 96, (_, level) -> 10 * level, List.of(new Bounds(96, 0, 50)));
    var service = new Service("team/chat", demand, STEP, cluster.pods("chat", NOW));
    var dependence = Dependence.learn(Map.of("team/chat", Map.of()));
    var answer =
        CapacityPlanner.plan(
            cluster.objects(), Map.of(), List.of(service), dependence, PlanQuestion.usual(), NOW);

    var first = KeptStatements.of(List.of(), null).with(answer, 0.9);

    assertThat(first.kept())
        .extracting(PlanKept::at)
        .containsExactly(hours(20), hours(21), hours(22), hours(23));
    assertThat(first.kept()).allMatch(it -> it.replicas() == 9);
    assertThat(first.kept()).allMatch(it -> it.permille() >= 90 && it.permille() <= 110);
    assertThat(first.with(answer, 0.5).kept()).isEqualTo(first.kept());
  }

  private static Instant hours(int ahead) {
    return NINE.plus(Duration.ofHours(ahead));
  }
}
