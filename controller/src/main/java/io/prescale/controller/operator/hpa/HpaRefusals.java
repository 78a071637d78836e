package io.prescale.controller.operator.hpa;

import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.prescale.controller.operator.hpa.HpaPlan.Reason;
import io.prescale.controller.operator.hpa.HpaPlan.Refusal;
import io.prescale.controller.operator.hpa.HpaWish.Keeper;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/**
 * Why Prescale may not write the HPA of a wish, each with its remedy.
 *
 * @param existing the HPAs of the wish's namespace that have to do with it
 */
record HpaRefusals(HpaWish wish, Collection<HorizontalPodAutoscaler> existing) {
  /** What another HPA is in the way of. */
  Optional<Refusal> first() {
    return unknownTarget()
        .or(this::adoption)
        .or(this::otherHpa)
        .or(this::nameTaken)
        .or(this::unknown);
  }

  /** Of two PredictiveHPAs the older one scales. */
  Refusal yieldingTo(String older) {
    return new Refusal(
        Reason.TARGET_HAS_OTHER_HPA,
        "PredictiveHPA %s is older and scales %s already; delete that PredictiveHPA or this one, or set spec.mode: Shadow on one of them."
            .formatted(older, target()));
  }

  /**
   * KEDA asks Prescale itself; other HPAs ask the cluster's API.
   *
   * @param why a sentence with the remedy
   */
  Optional<Refusal> unserved(String why) {
    return wish.active() && wish.keeper() != Keeper.KEDA
        ? refusal(Reason.METRICS_SERVED_BY_OTHERS, why)
        : Optional.empty();
  }

  private Optional<Refusal> adoption() {
    if (wish.adopt().isEmpty()) {
      return Optional.empty();
    }
    var live = HpaPlanner.named(existing, wish.hpaName());
    if (live.isEmpty()) {
      return refusal(
          Reason.ADOPTED_HPA_MISSING,
          "spec.adopt names HorizontalPodAutoscaler %s, which is not in namespace %s; correct the name, or leave adopt out to have one made."
              .formatted(wish.hpaName(), wish.namespace()));
    }
    var hpa = live.get();
    if (!TargetReference.isOf(hpa, wish.target()) && !TargetReference.isUnknown(hpa)) {
      return refusal(
          Reason.ADOPTED_HPA_HAS_OTHER_TARGET,
          "spec.adopt names HorizontalPodAutoscaler %s, which scales %s and not %s; name the HPA of the scaleTargetRef."
              .formatted(
                  wish.hpaName(),
                  TargetReference.text(hpa.getSpec().getScaleTargetRef()),
                  target()));
    }
    return owner(hpa)
        .flatMap(
            owner ->
                refusal(
                    Reason.HPA_OWNED_BY_OTHERS,
                    "HorizontalPodAutoscaler %s belongs to %s, which would put its own rules back; remove that first."
                        .formatted(wish.hpaName(), owner)));
  }

  private Optional<String> owner(HorizontalPodAutoscaler hpa) {
    var adopter = OriginalSpec.adopter(hpa).filter(name -> !name.equals(wish.name()));
    return adopter
        .map(name -> "PredictiveHPA " + name)
        .or(
            () ->
                hpa.getMetadata().getOwnerReferences().stream()
                    .filter(reference -> Boolean.TRUE.equals(reference.getController()))
                    .findFirst()
                    .map(reference -> reference.getKind() + " " + reference.getName()));
  }

  private Optional<Refusal> otherHpa() {
    return existing.stream()
        .filter(hpa -> TargetReference.isOf(hpa, wish.target()))
        .filter(hpa -> !hpa.getMetadata().getName().equals(wish.hpaName()))
        .filter(hpa -> !HpaPlanner.isOurs(hpa, wish))
        .min(Comparator.comparing(hpa -> hpa.getMetadata().getName()))
        .flatMap(hpa -> refusal(Reason.TARGET_HAS_OTHER_HPA, conflict(hpa)));
  }

  private String conflict(HorizontalPodAutoscaler other) {
    var name = other.getMetadata().getName();
    return owner(other)
        .map(
            by ->
                "%s scales %s already through HorizontalPodAutoscaler %s, and Kubernetes obeys neither of two; delete that %s or this PredictiveHPA."
                    .formatted(by, target(), name, by.substring(0, by.indexOf(' '))))
        .orElseGet(
            () ->
                "HorizontalPodAutoscaler %s scales %s already, and Kubernetes obeys neither of two; set spec.adopt: %s to work through it, or delete it."
                    .formatted(name, target(), name));
  }

  private Optional<Refusal> nameTaken() {
    return HpaPlanner.named(existing, wish.hpaName())
        .filter(hpa -> wish.adopt().isEmpty() && !HpaPlanner.isOurs(hpa, wish))
        .flatMap(
            _ ->
                refusal(
                    Reason.HPA_NAME_TAKEN,
                    "There is a HorizontalPodAutoscaler %s that is not this PredictiveHPA's; delete or rename it."
                        .formatted(wish.hpaName())));
  }

  private Optional<Refusal> unknown() {
    return HpaPlanner.named(existing, wish.hpaName())
        .filter(HpaInBrief::isOfLarge)
        .flatMap(
            hpa ->
                refusal(
                    Reason.HPA_UNKNOWN,
                    (HpaInBrief.isInPart(hpa)
                            ? "HorizontalPodAutoscaler %s has a field that this version of Prescale"
                                + " cannot read, and is not written; correct the tool that wrote"
                                + " it, or upgrade Prescale."
                            : "HorizontalPodAutoscaler %s has more than 65,536 characters with the"
                                + " rules that it gets back, and is not written; shorten its"
                                + " metrics or behavior.")
                        .formatted(wish.hpaName())));
  }

  /** It might scale the same target, so none is made beside it; one that is there stays in use. */
  private Optional<Refusal> unknownTarget() {
    boolean makes =
        HpaPlanner.named(existing, wish.hpaName())
            .filter(hpa -> HpaPlanner.isKept(hpa, wish))
            .isEmpty();
    return existing.stream()
        .filter(hpa -> makes && TargetReference.isUnknown(hpa))
        .map(hpa -> hpa.getMetadata().getName())
        .min(Comparator.naturalOrder())
        .flatMap(
            name ->
                refusal(
                    Reason.HPA_UNKNOWN,
                    "HorizontalPodAutoscaler %s may scale %s: this version of Prescale cannot read its scaleTargetRef; correct the tool that wrote it, or delete that HorizontalPodAutoscaler."
                        .formatted(name, target())));
  }

  private String target() {
    return TargetReference.text(wish.target());
  }

  private static Optional<Refusal> refusal(Reason reason, String message) {
    return Optional.of(new Refusal(reason, message));
  }
}
