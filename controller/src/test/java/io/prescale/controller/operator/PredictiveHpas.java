package io.prescale.controller.operator;

import io.prescale.controller.api.v1alpha1.MetricStatus;
import io.prescale.controller.api.v1alpha1.Mode;
import io.prescale.controller.api.v1alpha1.PlanPoint;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.api.v1alpha1.PredictiveHPAStatus;
import io.prescale.controller.api.v1alpha1.ScaleTargetRef;
import io.prescale.controller.api.v1alpha1.Specs;
import io.prescale.controller.api.v1alpha1.StatusCondition;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** PredictiveHPAs as tests need them. */
public final class PredictiveHpas {
  public static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");

  private PredictiveHpas() {}

  /** {@code team/chat}: Deployment chat, 2 to 9 replicas of 4 requests each. */
  public static PredictiveHPA chat(String... metrics) {
    var resource = new PredictiveHPA();
    resource.getMetadata().setNamespace("team");
    resource.getMetadata().setName("chat");
    resource.getMetadata().setUid("uid-1");
    resource.getMetadata().setGeneration(3L);
    resource.setSpec(
        Specs.of(
            new ScaleTargetRef("apps/v1", "Deployment", "chat"),
            2,
            9,
            Mode.Active,
            List.of(metrics).stream()
                .map(name -> Specs.query(name, "sum(" + name + ")", "4"))
                .toList()));
    return resource;
  }

  public static PredictiveHPAStatus status(
      List<MetricStatus> metrics, StatusCondition... conditions) {
    return new PredictiveHPAStatus(
        3L,
        Mode.Active,
        "Deployment/chat",
        2,
        2,
        0,
        3,
        null,
        null,
        metrics,
        null,
        List.of(),
        List.of(conditions),
        null,
        null,
        null,
        null);
  }

  /** A metric that serves a value since noon: fresh for 2 minutes, alive for 15. */
  public static MetricStatus served(
      String name, @Nullable String value, List<PlanPoint> plan, @Nullable String lastError) {
    return new MetricStatus(
        name, "4", "9", null, value, NOON, 120L, 900L, "9", null, plan, null, null, null, null,
        null, null, lastError);
  }
}
