package io.prescale.controller.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import org.junit.jupiter.api.Test;

class ExplanationTextTest {
  private static final String RESOURCE =
      """
      apiVersion: autoscaling.prescale.io/v1alpha1
      kind: PredictiveHPA
      metadata: {name: chat, namespace: team}
      status:
        mode: Active
        target: Deployment/chat
        leadTime: {seconds: 35, source: Measured, samples: 4, parts: {schedule: 1.5, ready: 30}}
        metrics:
        - name: requests
          averageValue: "4"
          quantiles: {p50: "30001m", p90: "33", p95: "34500m", p99: "1k"}
          parts: {level: "28001m", season: "2", correction: "-250m"}
          breaker: {state: Closed, reason: Forecasts are acted on.}
        lastDecision:
          at: "2026-11-21T12:00:00Z"
          metric: requests
          observed: "28750m"
          forecast: "30001m"
          riskUplift: "9999m"
          served: "40"
          desiredReplicas: 10
          reason: Forecast
          hpa: {wanted: 10, gate: None, message: The HPA wants 10 replicas and asks for them.}
        decisions:
        - at: "2026-11-21T12:00:00Z"
          metric: requests
          observed: "28750m"
          forecast: "30001m"
          served: "40"
          leadSeconds: 35
          currentReplicas: 7
          desiredReplicas: 10
          reason: Forecast
          gate: None
        conditions:
        - {type: Ready, status: "True", reason: Deciding, message: All is well.,
           lastTransitionTime: "2026-11-21T11:00:00Z"}
      """;

  private final PredictiveHPA resource =
      new KubernetesSerialization().unmarshal(RESOURCE, PredictiveHPA.class);

  @Test
  void tellsTheNewestDecisionInPlainNumbers() {
    assertThat(new ExplanationText(resource).newest())
        .containsExactly(
            "team/chat: Deployment/chat, Active, decided at 2026-11-21T12:00:00Z",
            "",
            "  observed    28.75 of requests",
            "  forecast    30.001 median, 33 at 90 %, 34.5 at 95 %, 1000 at 99 %",
            "  made of     level 28.001, season 2, correction -0.25",
            "  trust       Closed: Forecasts are acted on.",
            "  lead time   35 s (measured, 4 scale-ups): schedule 1.5, ready 30.0",
            "  rounding    adds 1.999 to the median: 8 whole replicas of 4",
            "  risk        adds 8: 2 replicas",
            "  served      40 (Forecast): 10 replicas",
            "  HPA         wants 10, held by None. The HPA wants 10 replicas and asks for them.",
            "",
            "Ready True (Deciding): All is well.");
  }

  @Test
  void tellsWhatWokeATargetThatMayHaveNoReplicas() {
    var woken =
        new KubernetesSerialization()
            .unmarshal(
                RESOURCE
                    .replace(
                        "    reason: Forecast\n    hpa",
                        "    reason: Forecast\n    activity: DeclaredEvent\n"
                            + "    demandProbability: 0.02\n    hpa")
                    .replace("    gate: None", "    gate: None\n    activity: DeclaredEvent"),
                PredictiveHPA.class);
    assertThat(new ExplanationText(woken).newest())
        .contains(
            "  activity    DeclaredEvent, with a probability of demand one lead time ahead of"
                + " 0.02");
    assertThat(new ExplanationText(woken).past(woken.getStatus().decisions().getFirst()))
        .contains("  activity    DeclaredEvent");
  }

  @Test
  void saysWhatKeepingAMissedBudgetWouldCost() {
    assertThat(missing("{budget: 0.005, shortShare: 0.0112, timesReplicas: 1.4}"))
        .isEqualTo(
            "  budget      missed: 1.12 % of the last days was short of capacity, 0.5 % is allowed;"
                + " a higher costLimit and about 1.4 times the replicas would keep it");
    assertThat(missing("{budget: 0.005, shortShare: 0.0112}"))
        .endsWith("; no costLimit would keep it");
    assertThat(missing("{shortShare: 0.0112}")).contains("unknown is allowed");
  }

  private static String missing(String budget) {
    var text =
        RESOURCE.replace(
            "reason: Forecast\n    hpa",
            "reason: Forecast\n    missedBudget: " + budget + "\n    hpa");
    var missed = new KubernetesSerialization().unmarshal(text, PredictiveHPA.class);
    return new ExplanationText(missed)
        .newest().stream().filter(it -> it.contains("  budget ")).findFirst().orElseThrow();
  }

  @Test
  void tellsAPastDecisionInPlainNumbers() {
    var past = resource.getStatus().decisions().getFirst();
    assertThat(new ExplanationText(resource).past(past))
        .containsExactly(
            "team/chat: Deployment/chat, Active, in force since 2026-11-21T12:00:00Z",
            "",
            "  observed    28.75 of requests",
            "  forecast    30.001, 35 s ahead (median)",
            "  served      40 (Forecast)",
            "  replicas    7 running, 10 asked for",
            "  HPA         held by None");
  }

  @Test
  void saysUnknownForWhatTheStatusDoesNotHold() {
    var empty =
        new KubernetesSerialization()
            .unmarshal(
                """
                apiVersion: autoscaling.prescale.io/v1alpha1
                kind: PredictiveHPA
                metadata: {name: chat, namespace: team}
                status: {lastDecision: {at: "2026-11-21T12:00:00Z"}}
                """,
                PredictiveHPA.class);
    assertThat(new ExplanationText(empty).newest())
        .contains(
            "  observed    unknown of unknown",
            "  risk        adds unknown to the median",
            "  served      unknown (unknown): unknown replicas");
  }
}
