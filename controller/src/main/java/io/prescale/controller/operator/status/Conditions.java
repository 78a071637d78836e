package io.prescale.controller.operator.status;

import io.prescale.controller.api.v1alpha1.ConditionReason;
import io.prescale.controller.api.v1alpha1.ConditionStatus;
import io.prescale.controller.api.v1alpha1.ConditionType;
import io.prescale.controller.api.v1alpha1.Mode;
import io.prescale.controller.api.v1alpha1.Shortened;
import io.prescale.controller.api.v1alpha1.StatusCondition;
import io.prescale.controller.autoscaling.CycleResult;
import io.prescale.controller.autoscaling.HpaState;
import io.prescale.controller.autoscaling.MetricResult;
import io.prescale.controller.autoscaling.Reading;
import io.prescale.controller.autoscaling.Trust;
import io.prescale.controller.operator.hpa.HpaPlan;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Derives the conditions of a status; {@link #dated} adds since when each holds. */
public final class Conditions {
  private static final int LONGEST_MESSAGE = 1024;

  /** What the HPA says of a target at 0 that it did not scale there. */
  private static final String AT_ZERO = "ScalingDisabled";

  private Conditions() {}

  /** A condition without its time. */
  public record Finding(
      ConditionType type, ConditionStatus status, ConditionReason reason, String message) {
    /** The same where an HPA acts, with a word on a PredictiveHPA that yields to this one. */
    public Finding beside(Optional<String> younger) {
      return younger.isEmpty() || status != ConditionStatus.True
          ? this
          : new Finding(
              type,
              status,
              reason,
              "%s PredictiveHPA %s, which is younger, has the same target and does not scale it; delete one of the two."
                  .formatted(message, younger.get()));
    }
  }

  public static Finding problem(ConditionType type, ConditionReason reason, String message) {
    return new Finding(type, ConditionStatus.False, reason, message);
  }

  private static Finding problem(ConditionReason reason, String message) {
    return problem(typeOf(reason), reason, message);
  }

  private static Finding holds(ConditionReason reason, String message) {
    return new Finding(typeOf(reason), ConditionStatus.True, reason, message);
  }

  private static Finding unknown(ConditionReason reason, String message) {
    return new Finding(typeOf(reason), ConditionStatus.Unknown, reason, message);
  }

  private static ConditionType typeOf(ConditionReason reason) {
    return Objects.requireNonNull(reason.type(), "a reason of any condition");
  }

  /**
   * All conditions after a tick.
   *
   * @param leadingMissing which leading series is not known, and why
   */
  public static List<Finding> of(
      CycleResult result, Optional<String> leadingMissing, Finding scaling) {
    return List.of(
        ready(result), metricsAvailable(result, leadingMissing), forecastTrusted(result), scaling);
  }

  static Finding ready(CycleResult result) {
    if (result.desiredReplicas().isPresent()) {
      return holds(ConditionReason.Deciding, "Decisions are being made.");
    }
    boolean missing = result.metrics().stream().anyMatch(metric -> metric.missing().isPresent());
    return unknown(
        ConditionReason.Starting,
        missing
            ? "No decision has been made yet; MetricsAvailable says what is missing."
            : "No decision has been made yet; the first one follows the first whole step.");
  }

  /** All conditions of a PredictiveHPA whose loop cannot run: none but Ready is known. */
  public static List<Finding> notReady(ConditionReason reason, String message) {
    return List.of(
        problem(ConditionType.Ready, reason, message),
        notDeciding(ConditionType.MetricsAvailable),
        notDeciding(ConditionType.ForecastTrusted),
        notDeciding(ConditionType.ScalingActive));
  }

  private static Finding notDeciding(ConditionType type) {
    return new Finding(
        type,
        ConditionStatus.Unknown,
        ConditionReason.NotDeciding,
        "No decisions are made; the condition Ready says why.");
  }

  /** No decision needs a leading series, so a missing one is only mentioned. */
  public static Finding metricsAvailable(CycleResult result, Optional<String> leadingMissing) {
    return result.metrics().stream()
        .filter(metric -> metric.missing().isPresent())
        .findFirst()
        .map(Conditions::missing)
        .or(() -> leadingMissing.map(Conditions::withoutLeading))
        .orElseGet(() -> holds(ConditionReason.MetricsRead, "Every metric was read."));
  }

  private static Finding withoutLeading(String missing) {
    return holds(
        ConditionReason.LeadingSeriesMissing,
        "Every metric was read, and is forecast without what leads it: " + missing);
  }

  private static Finding missing(MetricResult metric) {
    var missing = metric.missing().orElseThrow();
    return problem(reason(missing.reason()), "%s: %s".formatted(metric.name(), missing.message()));
  }

  private static ConditionReason reason(Reading.Reason reason) {
    return switch (reason) {
      case NO_DATA -> ConditionReason.NoSeries;
      case MANY_SERIES -> ConditionReason.ManySeries;
      case NOT_A_NUMBER -> ConditionReason.NotANumber;
      case UNUSABLE_ANSWER, TOO_LARGE -> ConditionReason.NotASeries;
      case STALE -> ConditionReason.StaleSeries;
      case SERIES_LOST -> ConditionReason.SeriesLost;
      case QUERY_REFUSED, ACCESS_DENIED -> ConditionReason.QueryRefused;
      case UNREACHABLE, SERVER_ERROR, TIMEOUT, BACKING_OFF -> ConditionReason.ServerUnreachable;
    };
  }

  /** The condition of the metric that is trusted least. */
  public static Finding forecastTrusted(CycleResult result) {
    return trust(result, Trust.State.OPEN)
        .or(() -> trust(result, Trust.State.LEARNING))
        .map(Conditions::untrusted)
        .orElseGet(
            () ->
                holds(
                    ConditionReason.Skilled,
                    "Forecasts are followed: they have not done clearly worse than simple ones."));
  }

  private static Optional<MetricResult> trust(CycleResult result, Trust.State state) {
    return result.metrics().stream().filter(metric -> metric.trust().state() == state).findFirst();
  }

  private static Finding untrusted(MetricResult metric) {
    var message = "%s: %s".formatted(metric.name(), metric.trust().message());
    return metric.trust().state() == Trust.State.LEARNING
        ? unknown(ConditionReason.Learning, message)
        : problem(whyOpen(metric.trust()), message);
  }

  public static ConditionReason whyOpen(Trust trust) {
    return switch (trust.reason().orElseThrow()) {
      case NO_BETTER_THAN_LAST_VALUE, NO_BETTER_THAN_SEASONAL_NAIVE -> ConditionReason.NoSkill;
      case COVERAGE_TOO_LOW, COVERAGE_TOO_HIGH -> ConditionReason.CoverageOff;
    };
  }

  /**
   * Whether an HPA acts on the served values.
   *
   * @param whose how to call that HPA
   * @param ownMaximum replicas to which the HPA is limited again when it is given back
   */
  public static Finding scalingActive(
      Mode mode,
      Optional<HpaPlan.Refusal> refusal,
      String whose,
      Optional<HpaState> hpa,
      boolean valueKnown,
      OptionalInt ownMaximum) {
    if (mode == Mode.Shadow) {
      return problem(
          ConditionReason.ShadowMode,
          "Shadow mode changes nothing; set spec.mode: Active to scale.");
    }
    return refusal
        .map(why -> problem(reason(why.reason()), why.message()))
        .orElseGet(() -> valueKnown ? scalingActive(whose, hpa, ownMaximum) : withoutValue());
  }

  /**
   * The API server refused an HPA.
   *
   * @param minReplicas that the HPA was to have
   * @param message what it said
   */
  public static Finding hpaNotWritten(int minReplicas, String message) {
    return minReplicas == 0 && message.contains("spec.minReplicas")
        ? problem(
            ConditionReason.ZeroNotAllowed,
            "The API server refuses an HPA with minReplicas 0. Turn on the feature gate"
                + " HPAScaleToZero in kube-apiserver and kube-controller-manager, write"
                + " spec.minReplicas: 1, or scale through KEDA. It said: "
                + message)
        : problem(
            ConditionType.ScalingActive,
            ConditionReason.InternalError,
            "The HPA could not be written: " + message);
  }

  /** Others are written first. */
  public static Finding hpaWaits(String name) {
    return unknown(
        ConditionReason.HpaPending,
        "HorizontalPodAutoscaler %s waits to be written: many are at this moment.".formatted(name));
  }

  private static Finding withoutValue() {
    return unknown(
        ConditionReason.HpaPending,
        "No value has been computed yet; until then no HPA is changed.");
  }

  private static Finding scalingActive(
      String whose, Optional<HpaState> hpa, OptionalInt ownMaximum) {
    var own =
        hpa.flatMap(
            state ->
                state.conditions().stream()
                    .filter(condition -> condition.type().equals("ScalingActive"))
                    .findFirst());
    if (own.isEmpty()) {
      return unknown(ConditionReason.HpaPending, whose + " has not read its metrics yet.");
    }
    return own.filter(Predicate.not(HpaState.Condition::isTrue))
        .map(
            condition ->
                problem(
                    ConditionReason.HpaInactive,
                    "%s says %s: %s%s"
                        .formatted(
                            whose,
                            condition.reason(),
                            condition.message(),
                            condition.reason().equals(AT_ZERO)
                                ? ". What scaled the target to 0 has to wake it: KEDA does, and an"
                                    + " HPA only what it scaled to 0 itself. Otherwise start one"
                                    + " replica with kubectl scale."
                                : "")))
        .orElseGet(() -> scaling(whose, hpa.orElseThrow().currentReplicas(), ownMaximum));
  }

  private static Finding scaling(String whose, int replicas, OptionalInt ownMaximum) {
    var scaling = whose + " acts on the served values.";
    return ownMaximum.isPresent() && replicas > ownMaximum.getAsInt()
        ? holds(
            ConditionReason.ScalingAboveOwnMaximum,
            "%s There are %d replicas; once it is given back, its own maximum of %d holds again. Raise that first: maxReplicas in its annotation prescale.io/original-spec."
                .formatted(scaling, replicas, ownMaximum.getAsInt()))
        : holds(ConditionReason.Scaling, scaling);
  }

  private static ConditionReason reason(HpaPlan.Reason reason) {
    return switch (reason) {
      case ADOPTED_HPA_MISSING, ADOPTED_HPA_HAS_OTHER_TARGET, HPA_OWNED_BY_OTHERS ->
          ConditionReason.HpaNotAdoptable;
      case TARGET_HAS_OTHER_HPA -> ConditionReason.TargetConflict;
      case HPA_NOT_READING -> ConditionReason.HpaNotReading;
      case METRICS_SERVED_BY_OTHERS -> ConditionReason.MetricsServedByOthers;
      case REPLICAS_CONTESTED -> ConditionReason.ReplicasContested;
      case HPA_NAME_TAKEN, HPA_UNKNOWN, HPA_CONTESTED -> ConditionReason.HpaConflict;
    };
  }

  /** The condition of the status, which keeps its time as long as its status does not change. */
  public static StatusCondition dated(
      Finding finding, List<StatusCondition> before, @Nullable Long generation, Instant now) {
    var since =
        of(before, finding.type())
            .filter(condition -> condition.status() == finding.status())
            .map(StatusCondition::lastTransitionTime)
            .orElse(now);
    return new StatusCondition(
        finding.type(),
        finding.status(),
        generation,
        since,
        finding.reason(),
        Shortened.to(LONGEST_MESSAGE, finding.message()));
  }

  public static Optional<StatusCondition> of(List<StatusCondition> conditions, ConditionType type) {
    return conditions.stream().filter(condition -> condition.type() == type).findFirst();
  }
}
