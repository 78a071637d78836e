package io.prescale.controller.lab;

import static io.prescale.controller.lab.Patience.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Schedules against a real HPA controller: each replica carries 4. */
class ScheduleLabIT {
  /** In force in any minute: it ends at the next leap day. */
  private static final String NOW = "start: '* * * * *', end: 0 0 29 2 *";

  private static @Nullable GaugedLab lab;

  @BeforeAll
  static void startAll(@TempDir Path folder) throws IOException, InterruptedException {
    lab = GaugedLab.start(folder, "schedules");
  }

  @AfterAll
  static void stopAll() {
    if (lab != null) {
      lab.close();
    }
  }

  @Test
  void aFloorRaisesTheHpaAboveDemandAndExplainNamesIt() throws Exception {
    lab().gauges().set("load_floor", 4);
    lab().workload("floor", 1);
    predictiveHpa("floor", "load_floor", "{name: agreed, " + NOW + ", minReplicas: 6}");

    patiently().until(() -> lab().replicas("floor"), replicas -> replicas == 6);

    assertThat(lab().prescale().run("explain", "floor/floor"))
        .contains("observed    4 of requests")
        .contains("served      24 (ScheduledFloor): 6 replicas")
        .contains("schedule    agreed");
    assertThat(lab().get("floor", "hpa", "prescale-floor").at("/spec/minReplicas").asInt()).isOne();

    lab().gauges().set("load_floor", 32);
    patiently().until(() -> lab().replicas("floor"), replicas -> replicas == 8);
  }

  @Test
  void aFloorIsReachedAlthoughTheDemandIsUnknown() throws Exception {
    lab().workload("unknown", 1);
    predictiveHpa("unknown", "load_nowhere", "{name: agreed, " + NOW + ", minReplicas: 5}");

    patiently().until(() -> lab().replicas("unknown"), replicas -> replicas == 5);

    var conditions = lab().get("unknown", "phpa", "unknown").at("/status/conditions");
    assertThat(conditions)
        .anySatisfy(
            condition -> {
              assertThat(condition.get("type").asText()).isEqualTo("MetricsAvailable");
              assertThat(condition.get("status").asText()).isEqualTo("False");
            });
  }

  @Test
  void aCeilingHoldsTheHpaBelowDemand() throws Exception {
    lab().gauges().set("load_ceiling", 32);
    lab().workload("ceiling", 1);
    predictiveHpa("ceiling", "load_ceiling", "{name: quota, " + NOW + ", maxReplicas: 3}");

    patiently().until(() -> lab().replicas("ceiling"), replicas -> replicas == 3);

    patiently()
        .until(
            () ->
                lab().get("ceiling", "phpa", "ceiling").at("/status/lastDecision/reason").asText(),
            "ScheduledCeiling"::equals);
  }

  private static void predictiveHpa(String name, String query, String schedule) throws Exception {
    lab().predictiveHpa(name, "Active", query, "schedules: [" + schedule + "]");
  }

  private static GaugedLab lab() {
    return Objects.requireNonNull(lab, "the laboratory was not started");
  }
}
