package io.prescale.controller.autoscaling;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.autoscaling.HpaVerdict.Gate;
import io.prescale.forecasting.online.ForecastParts;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class DecisionInWordsTest {
  private static final HpaVerdict VERDICT =
      new HpaVerdict(24, Gate.MAXIMUM, "The HPA wants 24 replicas and may have 20 (maxReplicas).");

  @Test
  void tellsADecisionFromObservationToHpa() {
    var lead =
        new LeadTime(
            Duration.ofSeconds(312),
            LeadTime.Source.MEASURED,
            14,
            Optional.of(Instant.EPOCH),
            LeadTime.Parts.none());
    var forecast =
        new ForecastSummary(
            Instant.EPOCH,
            Duration.ofMinutes(6),
            Duration.ofMinutes(5),
            610.2,
            700,
            731,
            770,
            new ForecastParts(518.4, 80, 11.8, 0, -12.25, List.of()));

    assertThat(
            new Explanation(
                    Instant.EPOCH,
                    "requests",
                    512.25,
                    Optional.of(forecast),
                    ScalingDecision.Reason.FORECAST,
                    Optional.empty(),
                    157.8,
                    OptionalDouble.of(0.0125),
                    lead,
                    768,
                    32,
                    24,
                    VERDICT,
                    Optional.of(new MissedBudget(0.005, 0.011, OptionalDouble.of(1.42))),
                    Optional.empty())
                .sentences())
        .containsExactly(
            "In the step before, requests was 512.",
            "In the 5 min that begin 6 min later it is expected to reach 610 (half the time), 700"
                + " (9 times in 10) or 731 (19 times in 20).",
            "That is a level of 518, season +80, correction +11.8, events +0; calibration"
                + " moves the 95 % quantile by −12.3.",
            "The lead time is 5 min 12 s, measured on 14 scale-ups.",
            "The served value is 768 (20 for the median, 4 more for the accepted risk, which leaves"
                + " a probability of shortage of 1.25 %): 24 replicas of 32 each.",
            "The HPA wants 24 replicas and may have 20 (maxReplicas).",
            "1.1 % of the last days was short of capacity, where the budget allows 0.5 %; a higher"
                + " costLimit and about 1.4 times the replicas would keep it.");
  }

  @Test
  void saysWhatLeadTimeTheModelsAreFittedForWhileItIsShorter() {
    var lead =
        new LeadTime(
            Duration.ofSeconds(628),
            LeadTime.Source.MEASURED,
            20,
            Optional.of(Instant.EPOCH),
            LeadTime.Parts.none());
    var forecast =
        new ForecastSummary(
            Instant.EPOCH,
            Duration.ofMinutes(9),
            Duration.ofMinutes(5),
            6,
            7,
            8,
            9,
            new ForecastParts(6, 0, 0, 0, 0, List.of()));

    assertThat(
            new Explanation(
                    Instant.EPOCH,
                    "requests",
                    7.5,
                    Optional.of(forecast),
                    ScalingDecision.Reason.FORECAST,
                    Optional.empty(),
                    0,
                    OptionalDouble.of(0.01),
                    lead,
                    10,
                    10,
                    1,
                    VERDICT,
                    Optional.empty(),
                    Optional.empty())
                .sentences())
        .contains(
            "The lead time is 10 min 28 s, measured on 20 scale-ups; the models are fitted for 9"
                + " min.");
  }

  @Test
  void saysWhyNoForecastWasActedOn() {
    assertThat(sentence(ScalingDecision.Reason.NO_FORECAST))
        .isEqualTo(
            "The served value is 7.50 (the newest observation, as there is no forecast): 1 replica"
                + " of 10 each.");
    assertThat(sentence(ScalingDecision.Reason.NEVER_BELOW_OBSERVED)).contains("which is above");
    assertThat(sentence(ScalingDecision.Reason.NOT_TRUSTED)).contains("not trusted");
  }

  @Test
  void saysThatReplicasAreKept() {
    assertThat(sentence(ScalingDecision.Reason.KEPT))
        .isEqualTo(
            "The served value is 7.50 (replicas that are likely enough to be needed again are kept,"
                + " because stopping and restarting them would cost more): 1 replica of 10 each.");
  }

  @Test
  void tellsApartWhatKeepsAReplica() {
    assertThat(activity(Activity.Cause.OBSERVED_DEMAND))
        .isEqualTo("A replica is needed, as there is demand.");
    assertThat(activity(Activity.Cause.FORECAST))
        .isEqualTo(
            "A replica is needed, as demand is forecast; one lead time ahead its probability is"
                + " 12.5 %.");
    assertThat(activity(Activity.Cause.DECLARED_EVENT)).contains("a declared event takes place");
    assertThat(activity(Activity.Cause.UNKNOWN)).contains("is kept, as it is unknown");
    assertThat(activity(Activity.Cause.IDLE)).startsWith("Demand needs no replica");
  }

  private static String activity(Activity.Cause cause) {
    return new Explanation(
            Instant.EPOCH,
            "requests",
            0,
            Optional.empty(),
            ScalingDecision.Reason.NO_FORECAST,
            Optional.empty(),
            0,
            OptionalDouble.empty(),
            LeadTime.declared(Duration.ofSeconds(90)),
            10,
            10,
            1,
            VERDICT,
            Optional.empty(),
            Optional.of(new Activity(cause, OptionalDouble.of(0.125))))
        .sentences()
        .get(2);
  }

  private static String sentence(ScalingDecision.Reason reason) {
    var sentences =
        new Explanation(
                Instant.EPOCH,
                "requests",
                7.5,
                Optional.empty(),
                reason,
                Optional.empty(),
                0,
                OptionalDouble.empty(),
                LeadTime.declared(Duration.ofSeconds(90)),
                7.5,
                10,
                1,
                VERDICT,
                Optional.empty(),
                Optional.empty())
            .sentences();
    assertThat(sentences).hasSize(4).contains("The lead time is 1 min 30 s, as declared.");
    return sentences.get(2);
  }
}
