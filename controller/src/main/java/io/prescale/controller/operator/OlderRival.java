package io.prescale.controller.operator;

import static io.prescale.controller.api.v1alpha1.ConditionType.MetricsAvailable;
import static io.prescale.controller.api.v1alpha1.ConditionType.Ready;

import io.prescale.controller.api.v1alpha1.ConditionReason;
import io.prescale.controller.api.v1alpha1.ConditionStatus;
import io.prescale.controller.api.v1alpha1.Mode;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.api.v1alpha1.PredictiveHPAStatus;
import io.prescale.controller.api.v1alpha1.ScaleTargetRef;
import io.prescale.controller.api.v1alpha1.StatusCondition;
import io.prescale.controller.operator.hpa.TargetReference;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Of several Active PredictiveHPAs with one target the oldest scales it; the others yield, so that
 * two that were made together do not block each other.
 */
final class OlderRival {
  /** Times of creation have whole seconds and sort as text; names decide between equal ones. */
  static final Comparator<PredictiveHPA> AGE =
      Comparator.<PredictiveHPA, String>comparing(
              it -> Objects.requireNonNullElse(it.getMetadata().getCreationTimestamp(), ""))
          .thenComparing(it -> it.getMetadata().getName());

  private OlderRival() {}

  /** Equal for PredictiveHPAs with one target; none for one that cannot be read. */
  static List<String> keys(PredictiveHPA resource) {
    var spec = resource.getSpec();
    return spec == null ? List.of() : List.of(key(resource, spec.scaleTargetRef()));
  }

  /** The key of those with a target in the namespace of {@code resource}. */
  static String key(PredictiveHPA resource, ScaleTargetRef target) {
    return TargetReference.key(resource.getMetadata().getNamespace(), SpecReader.target(target));
  }

  /**
   * The name of the oldest other PredictiveHPA that scales, or is about to scale, the target of
   * {@code resource}.
   *
   * @param others at least all PredictiveHPAs of its namespace with one of its {@link #keys}
   * @return empty when {@code resource} is the oldest itself
   */
  static Optional<String> of(PredictiveHPA resource, Stream<PredictiveHPA> others) {
    return others
        .filter(other -> AGE.compare(other, resource) < 0)
        .filter(other -> isToScale(other, resource) && canWork(other.getStatus()))
        .min(AGE)
        .map(oldest -> oldest.getMetadata().getName());
  }

  /**
   * The name of the oldest other one that would scale the target if {@code resource} did not.
   *
   * @param others as above
   */
  static Optional<String> younger(PredictiveHPA resource, Stream<PredictiveHPA> others) {
    return others
        .filter(other -> AGE.compare(other, resource) > 0 && isToScale(other, resource))
        .min(AGE)
        .map(younger -> younger.getMetadata().getName());
  }

  /** Whether one scales its target, unless an older one does. */
  static boolean canScale(PredictiveHPA resource) {
    return isActive(resource) && canWork(resource.getStatus());
  }

  private static boolean isToScale(PredictiveHPA other, PredictiveHPA targetOf) {
    return isActive(other)
        && TargetReference.isSame(
            SpecReader.target(other.getSpec().scaleTargetRef()),
            SpecReader.target(targetOf.getSpec().scaleTargetRef()));
  }

  private static boolean isActive(PredictiveHPA resource) {
    return resource.getMetadata().getDeletionTimestamp() == null
        && resource.getSpec() != null
        && resource.getSpec().mode() == Mode.Active;
  }

  /**
   * One that has not decided yet may work. Were it no rival until it has, the younger of two that
   * were made together would make an HPA and delete it again.
   */
  private static boolean canWork(@Nullable PredictiveHPAStatus status) {
    return status == null
        || status.conditions().stream()
            .filter(it -> status.desiredReplicas() == null || it.type() != MetricsAvailable)
            .noneMatch(OlderRival::prevents);
  }

  /** Without metrics one that has decided goes on, and another never begins. */
  private static boolean prevents(StatusCondition condition) {
    boolean isNeeded = condition.type() == Ready || condition.type() == MetricsAvailable;
    return (isNeeded && condition.status() == ConditionStatus.False)
        || condition.reason() == ConditionReason.HpaNotAdoptable
        || condition.reason() == ConditionReason.HpaNotReading
        || condition.reason() == ConditionReason.HpaConflict;
  }
}
