package io.prescale.controller.operator.hpa;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscalerBuilder;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ReplicaContestTest {
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");

  private final ReplicaContest contest = new ReplicaContest();

  @Test
  void noticesAnHpaThatHasToScaleBackThreeTimes() {
    for (int i = 0; i < 3; i++) {
      contest.observe(scaled(2, 7, at(15 * i)), at(15 * i));
      assertThat(contest.refusal(at(15 * i))).as("time %d", i).isEmpty();
    }
    contest.observe(scaled(2, 7, at(45)), at(45));

    var refusal = contest.refusal(at(45)).orElseThrow();
    assertThat(refusal.reason()).isEqualTo(HpaPlan.Reason.REPLICAS_CONTESTED);
    assertThat(refusal.message())
        .startsWith(
            "Another tool sets the replicas: 3 times within an hour, HorizontalPodAutoscaler"
                + " by-cpu found other replicas of Deployment/chat than it had asked for, at last 2"
                + " instead of 7.");
    assertThat(contest.refusal(at(3614))).as("the first is forgotten later").isPresent();
    assertThat(contest.refusal(at(3615))).isEmpty();
  }

  @Test
  void noticesItToWhereTheHpasPoliciesHoldItBack() {
    int[] asked = {5, 3, 4, 4};
    for (int i = 0; i < asked.length; i++) {
      contest.observe(scaled(2, asked[i], at(15 * i)), at(15 * i));
      contest.observe(scaled(2, 2, at(15 * i)), at(15 * i + 10)); // wants more, and may not yet
    }
    assertThat(contest.refusal(at(60))).isPresent();
  }

  @Test
  void noticesReplicasThatAreSetTooHigh() {
    for (int i = 0; i < 4; i++) {
      contest.observe(scaled(20, 7, at(15 * i)), at(15 * i));
    }
    assertThat(contest.refusal(at(45))).isPresent();
  }

  @Test
  void takesScalingForNoContestEvenIfSomeOfItWasNotSeen() {
    int[] ramp = {2, 4, 8, 9, 12, 15, 20, 18, 14, 9, 4, 2};
    for (int i = 1; i < ramp.length; i++) {
      if (i % 3 != 0) {
        contest.observe(scaled(ramp[i - 1], ramp[i], at(15 * i)), at(15 * i));
        contest.observe(scaled(ramp[i], ramp[i], at(15 * i)), at(15 * i + 5));
      }
    }
    contest.observe(Hpas.users("by-cpu", Hpas.CHAT), at(400));

    assertThat(contest.refusal(at(200))).isEmpty();
  }

  @Test
  void takesAnotherHpaForAnotherStory() {
    for (int i = 0; i < 8; i++) {
      var hpa = scaled(2, 7, at(15 * i));
      hpa.getMetadata().setName("hpa-" + i);
      contest.observe(hpa, at(15 * i));
    }
    assertThat(contest.refusal(at(120))).isEmpty();
  }

  private static HorizontalPodAutoscaler scaled(int found, int asked, Instant at) {
    return new HorizontalPodAutoscalerBuilder(Hpas.users("by-cpu", Hpas.CHAT))
        .withNewStatus()
        .withCurrentReplicas(found)
        .withDesiredReplicas(asked)
        .withLastScaleTime(at.toString())
        .endStatus()
        .build();
  }

  private static Instant at(int seconds) {
    return NOON.plusSeconds(seconds);
  }
}
