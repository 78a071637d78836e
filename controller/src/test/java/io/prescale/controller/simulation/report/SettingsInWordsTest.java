package io.prescale.controller.simulation.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.autoscaling.HpaRules;
import io.prescale.controller.autoscaling.HpaRules.FailedSync;
import io.prescale.controller.autoscaling.ScalingPolicy;
import io.prescale.controller.autoscaling.ScalingRules;
import io.prescale.controller.autoscaling.ScalingRules.Selection;
import io.prescale.controller.simulation.replay.ColdStart;
import io.prescale.controller.simulation.replay.ReplaySettings;
import java.time.Duration;
import java.util.List;
import java.util.SequencedMap;
import org.junit.jupiter.api.Test;

class SettingsInWordsTest {

  @Test
  void describesTheDefaults() throws InterruptedException {
    var words = words(ReplaySettings.forCapacity(38.0634).withSkip(Duration.ofHours(1)));

    assertThat(words)
        .containsEntry(
            "Trace",
            "2026-03-02 00:00 to 2026-03-02 02:00 (UTC): 120 minutes, of which 2 were not"
                + " observed.")
        .containsEntry("Cold start", "A replica serves 5 min after its creation by the HPA.")
        .containsEntry(
            "HPA",
            "Syncs every 15 s; at least 1 replica, no upper limit."
                + " A sync without a metric recommends the current replicas.")
        .containsEntry(
            "Scale up",
            "At once, when the metric is more than 10 % from its target,"
                + " by at most 4 pods in 15 s or 100 % in 15 s, whichever is more.")
        .containsEntry(
            "Scale down",
            "After 5 min (stabilization window),"
                + " when the metric is more than 10 % from its target, by at most 100 % in 15 s.");
    assertThat(words.get("Scored"))
        .startsWith("60 minutes (1 h) from 2026-03-02 01:00; earlier minutes are history only.")
        .contains("2 minutes without an observation");
    assertThat(words.get("Capacity")).startsWith("One ready replica carries a demand of 38.063.");
  }

  @Test
  void describesAllOtherSettings() throws InterruptedException {
    var up =
        new ScalingRules(
            Duration.ofSeconds(30),
            0,
            Selection.MIN,
            List.of(
                ScalingPolicy.pods(1, Duration.ofMinutes(1)),
                ScalingPolicy.percent(50, Duration.ofMinutes(2))));
    var down = new ScalingRules(Duration.ZERO, 0.1, Selection.DISABLED, List.of());
    var rules =
        new HpaRules(HpaRules.defaults().syncPeriod(), up, down, 2, 40, FailedSync.LEAVES_NOTHING);
    var words =
        words(
            ReplaySettings.forCapacity(1)
                .withSkip(Duration.ZERO)
                .withRules(rules)
                .withColdStart(
                    new ColdStart.LogNormal(Duration.ofMinutes(2), Duration.ofMinutes(6))));

    assertThat(words)
        .containsEntry(
            "Cold start",
            "Half of the replicas serve within 2 min of their creation, 90 % within 6 min"
                + " (log-normally distributed, seed 42).")
        .containsEntry(
            "HPA",
            "Syncs every 15 s; at least 2 replicas, at most 40."
                + " A sync without a metric adds nothing to the stabilization windows.")
        .containsEntry(
            "Scale up",
            "After 30 s (stabilization window), however close the metric is"
                + " to its target, by at most 1 pod in 1 min or 50 % in 2 min, whichever is less.")
        .containsEntry("Scale down", "Never.");
  }

  private static SequencedMap<String, String> words(ReplaySettings settings)
      throws InterruptedException {
    double[] demand = Results.season(120, 1);
    demand[70] = Double.NaN;
    demand[71] = Double.NaN;
    return SettingsInWords.of(Results.run(demand, settings), Results.about("clairvoyant"));
  }
}
