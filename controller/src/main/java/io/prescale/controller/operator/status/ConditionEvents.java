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
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Reports changes of a condition's status or reason as Kubernetes events and in the log; those of a
 * server that fails only as events. Of one reason at most 20 a minute are reported in a namespace,
 * because an outage of Prometheus changes the conditions of all, and at most 1,000 in all.
 * Thread-safe.
 */
public final class ConditionEvents {
  private static final Logger LOG = LoggerFactory.getLogger(ConditionEvents.class);
  private static final String REPORTER = "prescale";
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final int MOST_IN_A_MINUTE = 20;
  private static final int MOST_OF_ALL = 1_000;

  private final KubernetesClient client;
  private final CountedWrites writes;
  private final Map<Kind, Integer> reported = new HashMap<>();
  private Instant began = Instant.MIN;
  private int all;

  private record Kind(String namespace, ConditionReason reason) {}

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
      boolean isOfServer =
          isOfServer(Optional.of(condition)) || (isOfServer(old) && !isAlarming(condition));
      var level = isOfServer ? Level.DEBUG : level(condition);
      if ((old.isEmpty() ? isAlarming(condition) : !isSame(old.get(), condition))
          && mayReport(resource.getMetadata().getNamespace(), condition, level, now)) {
        report(resource, condition, level, now);
      }
    }
  }

  /** The log says it once of the server. */
  private static boolean isOfServer(Optional<StatusCondition> condition) {
    return condition.filter(it -> it.reason() == ConditionReason.ServerUnreachable).isPresent();
  }

  private synchronized boolean mayReport(
      String namespace, StatusCondition condition, Level level, Instant now) {
    if (now.isBefore(began) || !now.isBefore(began.plus(MINUTE))) { // before: a clock set back
      began = now;
      all = 0;
      reported.clear();
    }
    if (all > MOST_OF_ALL) {
      return false;
    }
    int changes = reported.merge(new Kind(namespace, condition.reason()), 1, Integer::sum);
    if (changes > MOST_IN_A_MINUTE) {
      if (changes == MOST_IN_A_MINUTE + 1) {
        LOG.atLevel(level)
            .log(
                "Within a minute, more conditions in namespace {} became {}; their statuses say"
                    + " which.",
                namespace,
                condition.reason());
      }
      return false;
    }
    all++;
    if (all > MOST_OF_ALL) {
      LOG.warn("Within a minute, more than {} conditions changed; see the statuses.", MOST_OF_ALL);
    }
    return all <= MOST_OF_ALL;
  }

  private static Level level(StatusCondition condition) {
    return isAlarming(condition) ? Level.WARN : Level.INFO;
  }

  private static boolean isSame(StatusCondition a, StatusCondition b) {
    return a.status() == b.status() && a.reason() == b.reason();
  }

  private static boolean isAlarming(StatusCondition condition) {
    return condition.status() == ConditionStatus.False
        && condition.reason() != ConditionReason.ShadowMode;
  }

  private void report(PredictiveHPA resource, StatusCondition condition, Level level, Instant now) {
    LOG.atLevel(level)
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
      writes.runAtOnce(
          Write.EVENT,
          meta.getNamespace(),
          () -> client.v1().events().inNamespace(meta.getNamespace()).resource(event).create());
    } catch (KubernetesClientException e) {
      LOG.debug("No event about {}/{}", meta.getNamespace(), meta.getName(), e);
    }
  }
}
