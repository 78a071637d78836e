package io.prescale.controller.simulation.report;

import static io.prescale.controller.simulation.report.Results.about;
import static io.prescale.controller.simulation.report.Results.outcome;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.prescale.controller.autoscaling.Risk;
import io.prescale.controller.autoscaling.StartCost;
import io.prescale.controller.simulation.replay.ColdStart;
import io.prescale.controller.simulation.replay.Coverage;
import io.prescale.controller.simulation.replay.PolicyOutcome;
import io.prescale.controller.simulation.replay.ReplayResult;
import io.prescale.controller.simulation.replay.ReplaySettings;
import java.io.IOException;
import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JsonReportTest {
  private static final PolicyOutcome GAPPY =
      new PolicyOutcome(
          "Prescale",
          0.25,
          0.0625,
          0.025,
          120,
          1.2,
          20,
          10,
          4,
          Optional.empty(),
          0,
          0,
          Optional.empty());

  @Test
  void writesEveryFigureUnrounded() throws IOException, InterruptedException {
    ReplayResult result = Results.sixteenDays();

    JsonNode json = json(result, about("Prescale"));

    assertThat(json.get("policies")).hasSize(7);
    for (int i = 0; i < 7; i++) {
      PolicyOutcome outcome = result.runs().get(i).outcome();
      JsonNode policy = json.get("policies").get(i);
      assertThat(policy.get("policy").asText()).isEqualTo(outcome.policy());
      assertThat(policy.get("overloaded_share").asDouble()).isEqualTo(outcome.overloadedShare());
      assertThat(policy.get("unserved_share").asDouble()).isEqualTo(outcome.unservedShare());
      assertThat(policy.get("replica_hours").asDouble()).isEqualTo(outcome.replicaHours());
      assertThat(policy.get("cost_vs_clairvoyant").asDouble())
          .isEqualTo(outcome.costVsClairvoyant());
      assertThat(policy.get("scale_events_per_day").asDouble())
          .isEqualTo(outcome.scaleEventsPerDay());
      assertThat(policy.get("reversals_per_day").asDouble()).isEqualTo(outcome.reversalsPerDay());
      assertThat(policy.get("short_uses_per_day").asDouble()).isEqualTo(outcome.shortUsesPerDay());
      assertThat(policy.get("minutes_below_reactive").asInt())
          .isEqualTo(outcome.minutesBelowReactive());
    }
    Coverage.Score p95 =
        result.runs().getFirst().outcome().coverage().map(Coverage::p95).orElseThrow();
    JsonNode score = json.get("policies").get(0).get("coverage").get("p95");
    assertThat(score.get("level").asDouble()).isEqualTo(0.95);
    assertThat(score.get("covered").asDouble()).isEqualTo(p95.covered().orElseThrow());
    assertThat(score.get("pinball_loss").asDouble()).isEqualTo(p95.pinballLoss().orElseThrow());
    assertThat(score.get("minutes").asInt()).isEqualTo(p95.minutes());
    assertThat(json.get("policies").get(1).get("coverage").isNull()).isTrue();
  }

  @Test
  void fieldsKeepTheirNamesAndOrder() throws IOException {
    assertThat(text(Results.of(GAPPY), about("Prescale")))
        .isEqualTo(
            """
            {
              "format" : "prescale-replay",
              "version" : 1,
              "written_at" : "2026-03-18T09:30:00Z",
              "policy" : "Prescale",
              "overload_budget" : null,
              "budget_curve" : null,
              "start_cost" : 0.0,
              "trace" : {
                "name" : "checkout.csv",
                "source" : "traces/checkout.csv",
                "start" : "2026-03-02T00:00:00Z",
                "minutes" : 60,
                "missing_minutes" : 0,
                "scored_from" : "2026-03-02T00:00:00Z",
                "scored_minutes" : 60,
                "interpolated_minutes" : 0,
                "mean_demand" : 100.0,
                "peak_demand" : 100.0
              },
              "settings" : {
                "capacity_per_replica" : 40.0,
                "cold_start" : {
                  "distribution" : "constant",
                  "planned_seconds" : 300.0
                },
                "window_seconds" : 300.0,
                "skip_seconds" : 0.0,
                "seed" : 42,
                "hpa" : {
                  "sync_period_seconds" : 15.0,
                  "min_replicas" : 1,
                  "max_replicas" : 1000000,
                  "failed_sync" : "recommends_current",
                  "scale_up" : {
                    "stabilization_window_seconds" : 0.0,
                    "tolerance" : 0.1,
                    "select_policy" : "max",
                    "policies" : [
                      {
                        "type" : "pods",
                        "value" : 4,
                        "period_seconds" : 15.0
                      },
                      {
                        "type" : "percent",
                        "value" : 100,
                        "period_seconds" : 15.0
                      }
                    ]
                  },
                  "scale_down" : {
                    "stabilization_window_seconds" : 300.0,
                    "tolerance" : 0.1,
                    "select_policy" : "max",
                    "policies" : [
                      {
                        "type" : "percent",
                        "value" : 100,
                        "period_seconds" : 15.0
                      }
                    ]
                  }
                }
              },
              "policies" : [
                {
                  "policy" : "Prescale",
                  "overloaded_share" : 0.25,
                  "overloaded_unobserved_share" : 0.0625,
                  "unserved_share" : 0.025,
                  "replica_hours" : 120.0,
                  "cost_vs_clairvoyant" : 1.2,
                  "scale_events_per_day" : 20.0,
                  "reversals_per_day" : 10.0,
                  "short_uses_per_day" : 4.0,
                  "minutes_below_reactive" : 0,
                  "untrusted_share" : 0.0,
                  "coverage" : null,
                  "at_zero" : null
                }
              ],
              "decisions" : [ ]
            }
            """);
  }

  @Test
  void explainsChangesOfReplicas() throws IOException, InterruptedException {
    var demand = new double[60];
    Arrays.fill(demand, 200);
    var settings = ReplaySettings.forCapacity(40).withSkip(Duration.ZERO);
    ReplayResult result = Results.run(demand, settings, new Results.Explained());

    JsonNode decisions = json(result, about("explained")).get("decisions");

    assertThat(decisions).hasSize(1);
    JsonNode decision = decisions.get(0);
    assertThat(decision.get("time").asText()).isEqualTo("2026-03-02T00:40:00Z");
    assertThat(decision.get("served").asDouble()).isEqualTo(180);
    assertThat(decision.get("replicas").asInt()).isEqualTo(5);
    assertThat(decision.get("reason").asText()).isEqualTo("forecast");
    assertThat(decision.get("shortage_probability").asDouble()).isEqualTo(0.004);
    assertThat(decision.get("season").asDouble()).isEqualTo(40);
    assertThat(decision.get("correction").asDouble()).isEqualTo(-10);
    assertThat(decision.get("weights").get("boosted").asDouble()).isEqualTo(0.75);
  }

  @Test
  void unknownNumbersAreNull() throws IOException {
    ReplayResult result = Results.of(outcome("x", Double.NaN, Double.POSITIVE_INFINITY));

    JsonNode policy = json(result, about("x")).get("policies").get(0);

    assertThat(policy.get("overloaded_share").isNull()).isTrue();
    assertThat(policy.get("replica_hours").isNull()).isTrue();
    assertThat(policy.get("cost_vs_clairvoyant").isNull()).isTrue();
  }

  @Test
  void spreadColdStartsHaveTwoPercentiles() throws IOException, InterruptedException {
    var settings =
        ReplaySettings.forCapacity(40)
            .withSkip(Duration.ZERO)
            .withColdStart(
                new ColdStart.Uniform(Duration.ofSeconds(30), Duration.ofMillis(45_500)));
    ReplayResult result = Results.run(Results.season(60, 1), settings);

    JsonNode coldStart = json(result, about("clairvoyant")).get("settings").get("cold_start");

    assertThat(coldStart.get("distribution").asText()).isEqualTo("uniform");
    assertThat(coldStart.get("p50_seconds").asDouble()).isEqualTo(30);
    assertThat(coldStart.get("p90_seconds").asDouble()).isEqualTo(45.5);
    assertThat(coldStart.get("planned_seconds").asDouble()).isEqualTo(45.5);
  }

  @Test
  void anyTextComesThrough() throws IOException {
    String name = "</script>\"\\\n\u2028😀\ud800\0";
    var about =
        new ReportSubject(
            name,
            name,
            name,
            new Risk.Budget(0.005, 2, new StartCost(20)),
            Optional.of(name),
            ZoneOffset.UTC,
            Instant.EPOCH);

    JsonNode json = json(Results.of(outcome(name, 0, 1)), about);

    String wellFormed = "</script>\"\\\n\u2028😀��";
    assertThat(json.get("trace").get("name").asText()).isEqualTo(wellFormed);
    assertThat(json.get("policies").get(0).get("policy").asText()).isEqualTo(wellFormed);
    assertThat(json.get("overload_budget").asDouble()).isEqualTo(0.005);
    assertThat(json.get("budget_curve").asText()).isEqualTo(wellFormed);
    assertThat(json.get("start_cost").asDouble()).isEqualTo(20);
  }

  private static JsonNode json(ReplayResult result, ReportSubject about) throws IOException {
    return new ObjectMapper().readTree(text(result, about));
  }

  private static String text(ReplayResult result, ReportSubject about) throws IOException {
    var out = new StringWriter();
    JsonReport.write(result, about, out);
    return out.toString();
  }
}
