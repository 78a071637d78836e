package io.prescale.controller.web.live;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.prescale.controller.api.v1alpha1.CapacityPlan;
import io.prescale.controller.api.v1alpha1.CapacityPlanStatus;
import io.prescale.controller.api.v1alpha1.PlanCalibration;
import io.prescale.controller.api.v1alpha1.PlanShape;
import io.prescale.controller.api.v1alpha1.PlanStatement;
import io.prescale.controller.cluster.ApiFailure;
import io.prescale.controller.web.PlanPage;
import io.prescale.controller.web.PlanView;
import io.prescale.forecasting.CountInWords;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the plan from the CapacityPlan that the leader writes, at most every ten seconds. */
public final class WrittenPlan implements PlanView {
  private static final Duration BETWEEN_READS = Duration.ofSeconds(10);
  private static final long USUAL_STEP = 900;
  private static final int STEPS_A_DAY = 96;

  private final KubernetesClient client;
  private final InstantSource clock;
  private Optional<PlanPage> known = Optional.empty();
  private Instant readAt = Instant.MIN;

  /** A reader that has read nothing yet. */
  public WrittenPlan(KubernetesClient client, InstantSource clock) {
    this.client = client;
    this.clock = clock;
  }

  @Override
  public synchronized PlanPage plan() throws IOException {
    var now = clock.instant();
    if (known.isEmpty() || Duration.between(readAt, now).compareTo(BETWEEN_READS) >= 0) {
      known = Optional.of(read());
      readAt = now;
    }
    return known.get();
  }

  private PlanPage read() throws IOException {
    try {
      var plan = client.resources(CapacityPlan.class).withName(CapacityPlan.NAME).get();
      return page(plan == null ? null : plan.getStatus());
    } catch (KubernetesClientException e) {
      throw new IOException("The plan cannot be read: %s.".formatted(ApiFailure.text(e)), e);
    }
  }

  static PlanPage page(@Nullable CapacityPlanStatus status) {
    if (status == null || status.madeAt() == null || status.from() == null) {
      return PlanPage.none("No plan has been made yet. The leader makes one every ten minutes.");
    }
    return new PlanPage(
        status.madeAt(),
        status.from(),
        status.from().plusSeconds(seconds(status)),
        Objects.requireNonNullElse(status.percent(), 0),
        Objects.requireNonNullElse(status.summary(), ""),
        status.statements().stream().map(WrittenPlan::shortage).toList(),
        status.shapes().stream().map(WrittenPlan::shape).toList(),
        unplanned(status),
        Optional.ofNullable(status.calibration()).flatMap(PlanCalibration::sentence).orElse(""));
  }

  /** All services have the same steps; without any the axis is a day. */
  private static long seconds(CapacityPlanStatus status) {
    int steps =
        status.workloads().stream()
            .flatMap(it -> it.demand().stream())
            .mapToInt(it -> it.milli().size())
            .max()
            .orElse(STEPS_A_DAY);
    return Math.max(1, steps) * Objects.requireNonNullElse(status.stepSeconds(), USUAL_STEP);
  }

  private static PlanPage.Shortage shortage(PlanStatement statement) {
    var nodes = Optional.ofNullable(statement.nodes());
    return new PlanPage.Shortage(
        statement.from(),
        statement.until(),
        statement.at(),
        statement.workloads(),
        statement.shape(),
        statement.needed(),
        statement.fits(),
        statement.percent(),
        Objects.requireNonNullElse(statement.askedFit(), 0),
        statement.asks().stream().map(ask -> new PlanPage.Ask(ask.pod(), ask.notice())).toList(),
        nodes
            .map(
                missing ->
                    "%s %s".formatted(CountInWords.of(missing.count(), "node"), missing.kind()))
            .orElse(""),
        nodes.map(missing -> missing.startBy()).orElse(null),
        statement.message());
  }

  private static PlanPage.Shape shape(PlanShape shape) {
    return new PlanPage.Shape(
        shape.shape(),
        shape.workloads(),
        shape.running(),
        shape.peaks().stream()
            .map(
                peak -> new PlanPage.Peak(peak.percent(), peak.replicas(), peak.cards(), peak.at()))
            .toList());
  }

  private static List<String> unplanned(CapacityPlanStatus status) {
    var sentences = new ArrayList<String>();
    status.workloads().stream()
        .filter(it -> it.problem() != null)
        .forEach(it -> sentences.add("%s: %s".formatted(it.name(), it.problem())));
    if (status.leftOut() != null) {
      sentences.add(
          "Left out, because the plan is full: %s."
              .formatted(CountInWords.of(status.leftOut(), "service")));
    }
    return sentences;
  }
}
