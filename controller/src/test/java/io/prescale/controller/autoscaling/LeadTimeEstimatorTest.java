package io.prescale.controller.autoscaling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.prescale.controller.autoscaling.LeadTime.Parts;
import io.prescale.controller.autoscaling.LeadTime.Source;
import io.prescale.controller.autoscaling.LeadTimeEstimator.Outcome;
import io.prescale.controller.autoscaling.ScaleUp.PodStart;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LeadTimeEstimatorTest {
  private static final Instant T = Instant.parse("2026-03-01T12:00:00Z");
  private static final HpaRules RULES = HpaRules.defaults();

  private final LeadTimeEstimator estimator =
      new LeadTimeEstimator(Duration.ofMinutes(4), Optional.empty());

  @Test
  void beforeTheFirstScaleUpTheDefaultAndOneSyncOfTheHpa() {
    LeadTime lead = estimator.estimate(RULES, 3, Duration.ofSeconds(20));

    assertThat(lead.source()).isEqualTo(Source.DEFAULT);
    assertThat(lead.samples()).isZero();
    assertThat(lead.total()).isEqualTo(Duration.ofSeconds(15 + 240 + 20));
    assertThat(lead.parts().sum()).isEqualTo(lead.total());
  }

  @Test
  void measuresEachStage() {
    assertThat(estimator.observe(scaleUp(pod(12, 15, 75, 300)))).isEqualTo(Outcome.COUNTED);

    LeadTime lead = estimator.estimate(RULES, 3, Duration.ofSeconds(30));

    assertThat(lead)
        .isEqualTo(
            new LeadTime(
                Duration.ofSeconds(330),
                Source.MEASURED,
                1,
                Optional.of(T.plusSeconds(300)),
                new Parts(
                    seconds(12), seconds(3), seconds(60), seconds(225), seconds(0), seconds(30))));
  }

  @Test
  void ninePodsInTenCount() {
    var pods = new ArrayList<PodStart>();
    for (int i = 1; i <= 10; i++) {
      pods.add(pod(10, 10, 10, 100 * i));
    }
    estimator.observe(new ScaleUp(T, pods));

    assertThat(estimator.estimate(RULES, 1, Duration.ZERO).total()).isEqualTo(seconds(900));
  }

  @Test
  void nineScaleUpsInTenCountAndOnlyTheLastTwenty() {
    for (int i = 0; i < 30; i++) {
      estimator.observe(scaleUp(pod(10, 10, 10, i < 10 ? 5000 : 100 + i)));
    }
    LeadTime lead = estimator.estimate(RULES, 1, Duration.ZERO);

    assertThat(lead.samples()).isEqualTo(20);
    assertThat(lead.total()).as("the 18th of 110 s to 129 s").isEqualTo(seconds(127));
  }

  @Test
  void addsTheRampOfTheHpasPolicies() {
    var onePodAMinute =
        RULES.withBehavior(
            new ScalingRules(
                Duration.ZERO,
                0.1,
                ScalingRules.Selection.MAX,
                List.of(ScalingPolicy.pods(1, Duration.ofMinutes(1)))),
            RULES.scaleDown());
    estimator.observe(scaleUp(pod(10, 10, 10, 100)));

    assertThat(estimator.estimate(onePodAMinute, 10, Duration.ZERO).parts().hpa())
        .as("ten more, the first at once")
        .isEqualTo(Duration.ofMinutes(9));
    assertThat(
            estimator.estimate(onePodAMinute.withReplicas(1, 12), 10, Duration.ZERO).parts().hpa())
        .as("up to maxReplicas")
        .isEqualTo(Duration.ofMinutes(1));
    assertThat(estimator.estimate(RULES, 10, Duration.ZERO).parts().hpa()).isZero();
    assertThat(estimator.estimate(RULES, 0, Duration.ZERO).parts().hpa()).isZero();
  }

  @Test
  void anHpaThatMayNotScaleUpIsNotWaitedFor() {
    var never =
        RULES.withBehavior(
            new ScalingRules(Duration.ZERO, 0.1, ScalingRules.Selection.DISABLED, List.of()),
            RULES.scaleDown());

    assertThat(estimator.estimate(never, 3, Duration.ZERO).parts().hpa()).isZero();
  }

  @Test
  void littleClockSkewIsNoTime() {
    var ready = T.plusSeconds(50);
    var skewed =
        new PodStart(
            T.minusSeconds(3), // before the decision
            Optional.of(T.minusSeconds(8)), // before its creation
            Optional.of(T.plusSeconds(60)), // after it was ready
            Optional.of(ready));

    assertThat(estimator.observe(new ScaleUp(T, List.of(skewed)))).isEqualTo(Outcome.COUNTED);
    assertThat(estimator.estimate(RULES, 1, Duration.ZERO).parts())
        .isEqualTo(
            new Parts(seconds(0), seconds(0), seconds(53), seconds(0), seconds(0), seconds(0)));
  }

  @Test
  void believesNothingThatContradictsItself() {
    var readyBeforeCreated =
        new PodStart(T, Optional.empty(), Optional.empty(), Optional.of(T.minusSeconds(31)));
    var decidedAfter = pod(-31, 0, 0, 100);

    assertThat(estimator.observe(new ScaleUp(T, List.of(readyBeforeCreated))))
        .isEqualTo(Outcome.CONTRADICTORY);
    assertThat(estimator.observe(scaleUp(decidedAfter))).isEqualTo(Outcome.CONTRADICTORY);
    assertThat(estimator.estimate(RULES, 1, Duration.ZERO).source()).isEqualTo(Source.DEFAULT);
  }

  @Test
  void podsThatNeverBecomeReadyTellNothing() {
    var never = new PodStart(T, Optional.empty(), Optional.empty(), Optional.empty());
    var afterDays = pod(0, 1, 2, 300_000);

    assertThat(estimator.observe(scaleUp(never))).isEqualTo(Outcome.NEVER_READY);
    assertThat(estimator.observe(scaleUp(afterDays))).isEqualTo(Outcome.NEVER_READY);
    assertThat(estimator.observe(scaleUp(never, pod(0, 1, 2, 30)))).isEqualTo(Outcome.NEVER_READY);
    assertThat(estimator.observe(scaleUp())).isEqualTo(Outcome.NO_PODS);
    assertThat(estimator.observe(scaleUp(pod(1801, 1801, 1801, 1900))))
        .isEqualTo(Outcome.UNRELATED);
    assertThat(estimator.estimate(RULES, 1, Duration.ZERO).samples()).isZero();
  }

  @Test
  void whatAnEarlierLifeMeasuredCountsLessWithEachScaleUp() {
    for (int i = 0; i < 20; i++) {
      estimator.observe(scaleUp(pod(10, 20, 30, 400)));
    }
    var earlier = estimator.estimate(RULES, 1, seconds(30));
    var later = new LeadTimeEstimator(Duration.ofMinutes(1), Optional.of(earlier));

    assertThat(later.estimate(RULES, 1, seconds(10)).total()).isEqualTo(seconds(410));
    assertThat(later.estimate(RULES, 1, seconds(10)).samples()).isEqualTo(20);
    for (int i = 1; i <= 9; i++) {
      later.observe(scaleUp(pod(10, 20, 30, 40)));
      assertThat(later.estimate(RULES, 1, seconds(10)).total()).as("%d", i).isEqualTo(seconds(410));
      assertThat(later.estimate(RULES, 1, seconds(10)).samples()).isEqualTo(20 - i);
    }
    later.observe(scaleUp(pod(10, 20, 30, 40)));
    assertThat(later.estimate(RULES, 1, seconds(10)).total()).isEqualTo(seconds(50));

    var declared = LeadTime.declared(Duration.ofHours(1));
    assertThat(
            new LeadTimeEstimator(seconds(60), Optional.of(declared))
                .estimate(RULES, 1, Duration.ZERO)
                .source())
        .isEqualTo(Source.DEFAULT);
  }

  @Test
  void staysWithinBoundsWhateverItSees() {
    var random = new SplittableRandom(3);
    for (int i = 0; i < 5_000; i++) {
      var pods = new ArrayList<PodStart>();
      for (int p = random.nextInt(4); p > 0; p--) {
        pods.add(
            new PodStart(
                anyTime(random),
                maybe(random, anyTime(random)),
                maybe(random, anyTime(random)),
                maybe(random, anyTime(random))));
      }
      estimator.observe(new ScaleUp(anyTime(random), pods));
      LeadTime lead =
          estimator.estimate(RULES, random.nextInt(100), seconds(random.nextInt(-5, 90)));
      assertThat(lead.total()).isBetween(Duration.ZERO, ForecastSettings.LONGEST_LEAD);
      assertThat(lead.parts().sum()).isEqualTo(lead.total());
    }
  }

  @Test
  void refusesAnAbsurdDefault() {
    assertThatThrownBy(() -> new LeadTimeEstimator(Duration.ofHours(3), Optional.empty()))
        .hasMessage("default lead time must be from 0 to 2 h: 3 h");
    assertThatThrownBy(() -> LeadTime.declared(Duration.ofDays(2)))
        .hasMessage("lead time must be from 0 to 1 day: 2 days");
  }

  private static Instant anyTime(SplittableRandom random) {
    int[] spans = {10, 100, 10_000, 100_000_000};
    int span = spans[random.nextInt(spans.length)];
    return T.plusSeconds(random.nextInt(-span, span));
  }

  private static Optional<Instant> maybe(SplittableRandom random, Instant time) {
    return random.nextInt(4) == 0 ? Optional.empty() : Optional.of(time);
  }

  private static ScaleUp scaleUp(PodStart... pods) {
    return new ScaleUp(T, List.of(pods));
  }

  /** Seconds after the decision. */
  private static PodStart pod(int created, int scheduled, int pulled, int ready) {
    return new PodStart(
        T.plusSeconds(created),
        Optional.of(T.plusSeconds(scheduled)),
        Optional.of(T.plusSeconds(pulled)),
        Optional.of(T.plusSeconds(ready)));
  }

  private static Duration seconds(int seconds) {
    return Duration.ofSeconds(seconds);
  }
}
