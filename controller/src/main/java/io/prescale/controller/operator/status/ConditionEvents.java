package io.prescale.controller.operator.status;

import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.prescale.controller.api.v1alpha1.ConditionReason;
import io.prescale.controller.api.v1alpha1.ConditionStatus;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.api.v1alpha1.PredictiveHPAStatus;
import io.prescale.controller.api.v1alpha1.StatusCondition;
import io.prescale.controller.cluster.ReportedEvent;
import io.prescale.controller.telemetry.Telemetry.Write;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Reports changes of a condition's status or reason, in the log and as Kubernetes events: of one
 * reason at most 20 a minute, because an outage of Prometheus changes the conditions of all.
 * Thread-safe.
 */
public final class ConditionEvents {
  private static final Logger LOG = LoggerFactory.getLogger(ConditionEvents.class);
  private static final String REPORTER = "prescale";
  private static final int MOST_IN_A_MINUTE = 20;

  private final KubernetesClient client;
  private final CountedWrites writes;
  private final Map<ConditionReason, Minute> minutes = new EnumMap<>(ConditionReason.class);

  private record Minute(Instant began, int changes) {}

  public ConditionEvents(KubernetesClient client, CountedWrites writes) {
    this.client = client;
    this.writes = writes;
  }

  /**
   * Reports what differs between the resource's status and the next one, and of a first status only
   * failures. A lost event is no error.
   */
  void report(PredictiveHPA resource, PredictiveHPAStatus next, Instant now) {
    var before = Optional.ofNullable(resource.getStatus());
    for (StatusCondition condition : next.conditions()) {
      var old = before.flatMap(status -> Conditions.of(status.conditions(), condition.type()));
      if ((old.isEmpty() ? isAlarming(condition) : !isSame(old.get(), condition))
          && mayReport(condition.reason(), now)) {
        report(resource, condition, now);
      }
    }
  }

  private synchronized boolean mayReport(ConditionReason reason, Instant now) {
    var last = minutes.get(reason);
    var minute =
        last == null || !now.isBefore(last.began().plusSeconds(60))
            ? new Minute(now, 1)
            : new Minute(last.began(), last.changes() + 1);
    minutes.put(reason, minute);
    if (minute.changes() == MOST_IN_A_MINUTE + 1) {
      LOG.warn("Within a minute, more conditions became {}; their statuses say which.", reason);
    }
    return minute.changes() <= MOST_IN_A_MINUTE;
  }

  private static boolean isSame(StatusCondition a, StatusCondition b) {
    return a.status() == b.status() && a.reason() == b.reason();
  }

  private static boolean isAlarming(StatusCondition condition) {
    return condition.status() == ConditionStatus.False
        && condition.reason() != ConditionReason.ShadowMode;
  }

  private void report(PredictiveHPA resource, StatusCondition condition, Instant now) {
    LOG.atLevel(isAlarming(condition) ? Level.WARN : Level.INFO)
        .log(
            "{}: {} is {} ({}): {}",
            resource.qualifiedName(),
            condition.type(),
            condition.status(),
            condition.reason(),
            condition.message());
    var meta = resource.getMetadata();
    var about =
        new ObjectReferenceBuilder()
            .withApiVersion(resource.getApiVersion())
            .withKind(resource.getKind())
            .withNamespace(meta.getNamespace())
            .withName(meta.getName())
            .withUid(meta.getUid())
            .build();
    var type = condition.type().name().toLowerCase(Locale.ROOT);
    var event =
        new ReportedEvent(
                about,
                meta.getNamespace(),
                "%s.%s.%x".formatted(meta.getName(), type, now.toEpochMilli()),
                isAlarming(condition),
                condition.reason().name(),
                "%s is %s: %s".formatted(condition.type(), condition.status(), condition.message()))
            .by(REPORTER, now);
    try {
      writes.run(
          Write.EVENT,
          () -> client.v1().events().inNamespace(meta.getNamespace()).resource(event).create());
    } catch (KubernetesClientException e) {
      LOG.debug("No event about {}/{}", meta.getNamespace(), meta.getName(), e);
    }
  }
}
