package io.prescale.controller.operator;

import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HPAScalingPolicy;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HPAScalingRules;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscalerBehavior;
import io.prescale.controller.api.v1alpha1.Amount;
import io.prescale.controller.autoscaling.HpaRules;
import io.prescale.controller.autoscaling.ScalingPolicy;
import io.prescale.controller.autoscaling.ScalingRules;
import io.prescale.controller.autoscaling.ScalingRules.Selection;
import io.prescale.controller.operator.hpa.HpaFeatures;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads the rules by which an HPA will act from the behavior that it is given. */
final class BehaviorRules {
  private BehaviorRules() {}

  /**
   * Those of an HPA that Prescale writes: a tolerance that the user does not set is 0.
   *
   * @throws IllegalArgumentException when the behavior has values that Kubernetes does not allow,
   *     or too many policies
   */
  static HpaRules ours(
      @Nullable HorizontalPodAutoscalerBehavior behavior, HpaFeatures features, int min, int max) {
    var rules = written(behavior, features, min, max);
    var up = behavior == null ? null : behavior.getScaleUp();
    return features.tolerance() && (up == null || up.getTolerance() == null)
        ? rules.withBehavior(rules.scaleUp().withTolerance(0), rules.scaleDown())
        : rules; // as the HPA planner sets it
  }

  /**
   * Those of an HPA as it is written, with Kubernetes' defaults where its behavior says nothing.
   *
   * @throws IllegalArgumentException when the behavior has values that Kubernetes does not allow,
   *     or too many policies
   */
  static HpaRules written(
      @Nullable HorizontalPodAutoscalerBehavior behavior, HpaFeatures features, int min, int max) {
    var defaults = HpaRules.defaults();
    var up = behavior == null ? null : behavior.getScaleUp();
    var down = behavior == null ? null : behavior.getScaleDown();
    return defaults
        .withBehavior(
            rules(up, defaults.scaleUp(), features), rules(down, defaults.scaleDown(), features))
        .withReplicas(min, max);
  }

  private static ScalingRules rules(
      @Nullable HPAScalingRules users, ScalingRules defaults, HpaFeatures features) {
    if (users == null) {
      return defaults;
    }
    var window = users.getStabilizationWindowSeconds();
    var tolerance = features.tolerance() ? users.getTolerance() : null;
    var policies = users.getPolicies();
    return new ScalingRules(
        window == null ? defaults.stabilizationWindow() : Duration.ofSeconds(window),
        tolerance == null ? defaults.tolerance() : tolerance(tolerance),
        selection(users.getSelectPolicy()),
        policies == null || policies.isEmpty()
            ? defaults.policies()
            : policies.stream().map(BehaviorRules::policy).toList());
  }

  private static double tolerance(Quantity users) {
    return Amount.value(users.toString())
        .orElseThrow(
            () ->
                new SpecReader.InvalidFieldException(
                    "spec.behavior: tolerance is \"%s\"; write a quantity of 0 or more, such as 0.05"
                        .formatted(users)));
  }

  private static Selection selection(@Nullable String name) {
    return switch (Objects.requireNonNullElse(name, "Max")) {
      case "Min" -> Selection.MIN;
      case "Disabled" -> Selection.DISABLED;
      default -> Selection.MAX;
    };
  }

  private static ScalingPolicy policy(HPAScalingPolicy policy) {
    var period = Duration.ofSeconds(policy.getPeriodSeconds());
    return "Percent".equals(policy.getType())
        ? ScalingPolicy.percent(policy.getValue(), period)
        : ScalingPolicy.pods(policy.getValue(), period);
  }
}
