package io.prescale.controller.operator.hpa;

import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.autoscaling.v2.ExternalMetricSource;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.autoscaling.v2.MetricSpec;
import io.prescale.controller.operator.hpa.HpaPlan.Reason;
import io.prescale.controller.operator.hpa.HpaPlan.Refusal;
import io.prescale.controller.operator.hpa.HpaWish.External;
import io.prescale.controller.operator.hpa.HpaWish.Keeper;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The HPA of a user or of KEDA that is to act on our metrics. It is found by its target, read, and
 * never written.
 */
final class ForeignHpa {
  private final HpaWish wish;
  private final List<HorizontalPodAutoscaler> ofTarget;

  ForeignHpa(HpaWish wish, Collection<HorizontalPodAutoscaler> existing) {
    this.wish = wish;
    this.ofTarget =
        existing.stream()
            .filter(hpa -> TargetReference.isOf(hpa, wish.target()))
            .filter(hpa -> !isOwned(hpa, wish)) // about to be deleted
            .sorted(Comparator.comparing(ForeignHpa::name))
            .toList();
  }

  private static boolean isOwned(HorizontalPodAutoscaler hpa, HpaWish wish) {
    return hpa.getMetadata().getOwnerReferences().stream()
        .anyMatch(owner -> Objects.equals(owner.getUid(), wish.owner().getUid()));
  }

  /** The HPA that reads one of our metrics. */
  Optional<HorizontalPodAutoscaler> reading() {
    return ofTarget.stream()
        .filter(hpa -> isKeepers(hpa) && wish.external().stream().anyMatch(it -> reads(hpa, it)))
        .findFirst();
  }

  private boolean isKeepers(HorizontalPodAutoscaler hpa) {
    return (wish.keeper() == Keeper.KEDA) == KedaHpas.scaledObject(hpa).isPresent();
  }

  private boolean reads(HorizontalPodAutoscaler hpa, External metric) {
    return wish.keeper() == Keeper.KEDA
        ? KedaHpas.reads(hpa, metric.metric())
        : source(hpa, metric).isPresent();
  }

  /** How a user's HPA asks for our metric: by its name, and by our label and no other. */
  private Optional<ExternalMetricSource> source(HorizontalPodAutoscaler hpa, External metric) {
    return hpa.getSpec().getMetrics().stream()
        .map(MetricSpec::getExternal)
        .filter(Objects::nonNull)
        .filter(it -> it.getMetric().getName().equals(metric.metric()))
        .filter(
            it ->
                it.getMetric().getSelector() != null
                    && Map.of(HpaWish.SELECTOR_LABEL, wish.name())
                        .equals(it.getMetric().getSelector().getMatchLabels())
                    && isEmpty(it.getMetric().getSelector().getMatchExpressions()))
        .findFirst();
  }

  private static boolean isEmpty(@Nullable List<?> list) {
    return list == null || list.isEmpty();
  }

  /** Why no HPA acts on our metrics as it should, if one is to. */
  Optional<Refusal> refusal() {
    if (!wish.active() || wish.keeper() == Keeper.PRESCALE) {
      return Optional.empty();
    }
    if (ofTarget.size() > 1) {
      return Optional.of(
          new Refusal(
              Reason.TARGET_HAS_OTHER_HPA,
              "HorizontalPodAutoscalers %s scale %s, and Kubernetes obeys none of several; delete all but one."
                  .formatted(
                      ofTarget.stream().map(ForeignHpa::name).collect(Collectors.joining(", ")),
                      target())));
    }
    return (wish.keeper() == Keeper.KEDA ? refusalOfKeda() : refusalOfUsers())
        .map(message -> new Refusal(Reason.HPA_NOT_READING, message));
  }

  private Optional<String> refusalOfKeda() {
    var trigger =
        "{type: external, metadata: {scalerAddress: …, predictiveHPA: %s}, authenticationRef: …}"
            .formatted(wish.name());
    if (ofTarget.isEmpty()) {
      return Optional.of(
          "KEDA keeps no HPA for %s; write a ScaledObject for it with the trigger %s, or end its pause (autoscaling.keda.sh/paused)."
              .formatted(target(), trigger));
    }
    var hpa = ofTarget.getFirst();
    var owner = KedaHpas.scaledObject(hpa);
    if (owner.isEmpty()) {
      return Optional.of(
          "HorizontalPodAutoscaler %s scales %s and is not KEDA's; delete it, or set spec.scaleThrough: ExistingHPA to scale through it."
              .formatted(name(hpa), target()));
    }
    return missing(hpa)
        .map(
            metric ->
                "HorizontalPodAutoscaler %s of ScaledObject %s does not read %s; add the trigger %s, and look whether KEDA's operator can call Prescale."
                    .formatted(name(hpa), owner.get(), metric.metric(), trigger));
  }

  private Optional<String> refusalOfUsers() {
    if (ofTarget.isEmpty()) {
      return Optional.of(
          "No HorizontalPodAutoscaler scales %s; make one with this in its spec.metrics: %s"
              .formatted(target(), blocks()));
    }
    var hpa = ofTarget.getFirst();
    var owner = KedaHpas.scaledObject(hpa);
    if (owner.isPresent()) {
      return Optional.of(
          "HorizontalPodAutoscaler %s belongs to ScaledObject %s; set spec.scaleThrough: KEDA to scale through it."
              .formatted(name(hpa), owner.get()));
    }
    var missing = missing(hpa);
    if (missing.isPresent()) {
      return Optional.of(
          "HorizontalPodAutoscaler %s does not read %s; add this to its spec.metrics: %s"
              .formatted(name(hpa), missing.get().metric(), block(missing.get())));
    }
    return wish.external().stream().flatMap(metric -> otherTarget(hpa, metric)).findFirst();
  }

  private Optional<External> missing(HorizontalPodAutoscaler hpa) {
    return wish.external().stream().filter(metric -> !reads(hpa, metric)).findFirst();
  }

  private Stream<String> otherTarget(HorizontalPodAutoscaler hpa, External metric) {
    var target = source(hpa, metric).orElseThrow().getTarget();
    var asked = target == null ? null : target.getAverageValue();
    return isSame(asked, metric.averageValue())
        ? Stream.empty()
        : Stream.of(
            "HorizontalPodAutoscaler %s reads %s with %s, and spec.metrics says averageValue %s; make them equal."
                .formatted(
                    name(hpa),
                    metric.metric(),
                    asked == null ? "no averageValue" : "averageValue " + asked,
                    metric.averageValue()));
  }

  private static boolean isSame(@Nullable Quantity a, Quantity b) {
    return a != null && a.getNumericalAmount().compareTo(b.getNumericalAmount()) == 0;
  }

  private String blocks() {
    return wish.external().stream().map(this::block).collect(Collectors.joining(" "));
  }

  /** An item of a list in YAML, on one line. */
  private String block(External metric) {
    return "- {type: External, external: {metric: {name: %s, selector: {matchLabels: {%s: %s}}}, target: {type: AverageValue, averageValue: \"%s\"}}}"
        .formatted(metric.metric(), HpaWish.SELECTOR_LABEL, wish.name(), metric.averageValue());
  }

  private String target() {
    return TargetReference.text(wish.target());
  }

  private static String name(HorizontalPodAutoscaler hpa) {
    return hpa.getMetadata().getName();
  }
}
