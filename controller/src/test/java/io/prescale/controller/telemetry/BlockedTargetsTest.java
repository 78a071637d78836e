package io.prescale.controller.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.autoscaling.LeadTime;
import io.prescale.controller.autoscaling.MetricSettings;
import io.prescale.controller.autoscaling.Reading;
import io.prescale.controller.autoscaling.ReplicaState;
import io.prescale.controller.autoscaling.ScalingCycle;
import io.prescale.controller.autoscaling.TargetSettings;
import io.prescale.controller.autoscaling.Ticks;
import io.prescale.forecasting.Sample;
import java.io.IOException;
import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A target was ticked, and cannot be any more, for example because its Deployment is gone. */
class BlockedTargetsTest {
  private static final Instant START = Instant.parse("2026-03-02T00:00:00Z");
  private static final LeadTime LEAD = LeadTime.declared(Duration.ofMinutes(5));
  private static final Target CHAT = new Target("team-a", "chat");

  private Instant now = START;
  private final Telemetry telemetry = new Telemetry(() -> now);
  private final ScalingCycle cycle =
      new ScalingCycle(
          TargetSettings.of(new MetricSettings("requests", 10)), LEAD, START, Runnable::run);

  @BeforeEach
  void tick() {
    now = now.plusSeconds(60);
    var reading = new Reading.Observed(List.of(new Sample(now, 30)));
    var result = Ticks.tick(cycle, now, reading, new ReplicaState(3, 3, LEAD, Optional.empty()));
    telemetry.ticked(CHAT, result, OptionalDouble.of(1), Duration.ofMillis(1));
    telemetry.quotaLeaves(CHAT, OptionalInt.of(9));
  }

  @Test
  void onlyCountersAndTheServedValueAreLeftOfIt() throws IOException {
    assertThat(series())
        .contains(
            "prescale_desired_replicas",
            "prescale_quota_replicas",
            "prescale_gpus_per_replica",
            "prescale_lead_time_seconds",
            "prescale_observed_demand",
            "prescale_breaker_state");

    telemetry.blocked(CHAT);
    now = now.plusSeconds(40);

    assertThat(series())
        .containsOnly(
            "prescale_ticks_total",
            "prescale_replica_seconds_total",
            "prescale_overloaded_seconds_total",
            "prescale_rises_total",
            "prescale_served_value",
            "prescale_served_age_seconds");
    assertThat(exposition())
        .contains("prescale_targets 0.0", "prescale_blocked_targets 1.0")
        .containsPattern("prescale_served_age_seconds\\{[^}]*} 40\\.0");
  }

  @Test
  void itsNextTickBringsAllBack() throws IOException {
    var before = series();
    telemetry.blocked(CHAT);

    tick();

    assertThat(series()).isEqualTo(before);
    assertThat(exposition())
        .contains("prescale_targets 1.0", "prescale_blocked_targets 0.0")
        .containsPattern("prescale_ticks_total\\{[^}]*} 2\\.0");
  }

  @Test
  void soDoesTheEndOfTheBlockBeforeATickIsDue() throws IOException {
    var before = exposition();
    telemetry.blocked(CHAT);
    telemetry.goesOn(CHAT);

    assertThat(series(exposition())).isEqualTo(series(before));
  }

  @Test
  void oneThatWasNeverTickedIsCountedUntilItIsGone() throws IOException {
    var other = new Target("team-a", "other");
    telemetry.blocked(other);
    assertThat(exposition())
        .contains("prescale_targets 1.0", "prescale_blocked_targets 1.0")
        .doesNotContain("name=\"other\"");

    telemetry.removed(other);
    telemetry.blocked(CHAT);
    telemetry.removedAll();
    assertThat(exposition()).contains("prescale_targets 0.0", "prescale_blocked_targets 0.0");
  }

  /** The names of the series of the target. */
  private List<String> series() throws IOException {
    return series(exposition());
  }

  private static List<String> series(String exposition) {
    return Pattern.compile("(?m)^(\\w+)\\{[^}]*name=\"chat\"")
        .matcher(exposition)
        .results()
        .map(BlockedTargetsTest::name)
        .filter(it -> !it.endsWith("_created"))
        .distinct()
        .toList();
  }

  private static String name(MatchResult match) {
    return match.group(1);
  }

  private String exposition() throws IOException {
    var writer = new StringWriter();
    telemetry.write(writer);
    return writer.toString();
  }
}
