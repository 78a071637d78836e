package io.prescale.controller.operator.hpa;

import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.autoscaling.v2.CrossVersionObjectReference;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscalerBehavior;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscalerBehaviorBuilder;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscalerBuilder;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscalerSpec;
import io.fabric8.kubernetes.api.model.autoscaling.v2.MetricSpec;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.prescale.controller.operator.hpa.HpaPlan.Reason;
import io.prescale.controller.operator.hpa.HpaPlan.Refusal;
import io.prescale.controller.operator.hpa.HpaPlan.Step;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Compares the wanted HPA with the existing ones and plans the writes. It changes no HPA but its
 * own and the one that {@code spec.adopt} names.
 */
public final class HpaPlanner {
  /** Marks the HPAs that Prescale made. */
  public static final String MANAGED_BY = "app.kubernetes.io/managed-by";

  private static final String US = "prescale";
  private static final Quantity NO_TOLERANCE = new Quantity("0");

  private final HpaFeatures features;
  private final KubernetesSerialization json;

  public HpaPlanner(HpaFeatures features, KubernetesSerialization json) {
    this.features = features;
    this.json = json;
  }

  /**
   * Plans the writes.
   *
   * @param existing all HPAs of the wish's namespace
   */
  public HpaPlan plan(HpaWish wish, Collection<HorizontalPodAutoscaler> existing) {
    var steps = new ArrayList<Step>(releases(wish, existing));
    if (!wish.active()) {
      return new HpaPlan(steps, Optional.empty());
    }
    var live = named(existing, wish.hpaName());
    var refusal =
        refusalOf(wish, live).or(() -> otherHpa(wish, existing)).or(() -> nameTaken(wish, live));
    if (refusal.isEmpty()) {
      var desired = desired(wish, live);
      if (live.isEmpty() || !includes(live.get(), desired)) {
        steps.add(new HpaPlan.Apply(desired));
      }
    }
    return new HpaPlan(steps, refusal);
  }

  /** Whether the HPA is one that this PredictiveHPA made or has adopted. */
  public static boolean belongsTo(HorizontalPodAutoscaler hpa, HpaWish wish) {
    return isOurs(hpa, wish) || OriginalSpec.isAdoptedBy(hpa, wish.name());
  }

  /** The PredictiveHPA, in the same namespace, that made an HPA or has adopted it. */
  public static Optional<String> predictiveHpaOf(HorizontalPodAutoscaler hpa) {
    return OriginalSpec.adopter(hpa)
        .or(
            () ->
                hpa.getMetadata().getOwnerReferences().stream()
                    .filter(owner -> owner.getKind().equals("PredictiveHPA"))
                    .map(OwnerReference::getName)
                    .findFirst());
  }

  private List<Step> releases(HpaWish wish, Collection<HorizontalPodAutoscaler> existing) {
    return existing.stream()
        .filter(hpa -> !(wish.active() && hpa.getMetadata().getName().equals(wish.hpaName())))
        .flatMap(hpa -> release(wish, hpa))
        .toList();
  }

  private Stream<Step> release(HpaWish wish, HorizontalPodAutoscaler hpa) {
    if (OriginalSpec.isAdoptedBy(hpa, wish.name())) {
      return Stream.of(new HpaPlan.Restore(hpa, OriginalSpec.of(hpa, wish, json)));
    }
    return isOurs(hpa, wish) ? Stream.of(new HpaPlan.Delete(hpa)) : Stream.empty();
  }

  private Optional<Refusal> refusalOf(HpaWish wish, Optional<HorizontalPodAutoscaler> live) {
    if (wish.adopt().isEmpty()) {
      return Optional.empty();
    }
    if (live.isEmpty()) {
      return refusal(
          Reason.ADOPTED_HPA_MISSING,
          "spec.adopt names HorizontalPodAutoscaler %s, which is not in namespace %s; correct the name, or leave adopt out to have one made."
              .formatted(wish.hpaName(), wish.namespace()));
    }
    var hpa = live.get();
    if (!sameTarget(hpa, wish.target())) {
      return refusal(
          Reason.ADOPTED_HPA_HAS_OTHER_TARGET,
          "spec.adopt names HorizontalPodAutoscaler %s, which scales %s and not %s; name the HPA of the scaleTargetRef."
              .formatted(
                  wish.hpaName(), text(hpa.getSpec().getScaleTargetRef()), text(wish.target())));
    }
    return owner(wish, hpa)
        .flatMap(
            owner ->
                refusal(
                    Reason.HPA_OWNED_BY_OTHERS,
                    "HorizontalPodAutoscaler %s belongs to %s, which would put its own rules back; remove that first."
                        .formatted(wish.hpaName(), owner)));
  }

  private static Optional<String> owner(HpaWish wish, HorizontalPodAutoscaler hpa) {
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

  private static Optional<Refusal> otherHpa(
      HpaWish wish, Collection<HorizontalPodAutoscaler> existing) {
    return existing.stream()
        .filter(hpa -> sameTarget(hpa, wish.target()))
        .filter(hpa -> !hpa.getMetadata().getName().equals(wish.hpaName()))
        .filter(hpa -> !isOurs(hpa, wish))
        .min(Comparator.comparing(hpa -> hpa.getMetadata().getName()))
        .flatMap(
            hpa -> refusal(Reason.TARGET_HAS_OTHER_HPA, conflict(wish, hpa, owner(wish, hpa))));
  }

  private static String conflict(
      HpaWish wish, HorizontalPodAutoscaler other, Optional<String> owner) {
    var name = other.getMetadata().getName();
    return owner
        .map(
            by ->
                "%s scales %s already through HorizontalPodAutoscaler %s, and Kubernetes obeys neither of two; delete that %s or this PredictiveHPA."
                    .formatted(by, text(wish.target()), name, by.substring(0, by.indexOf(' '))))
        .orElseGet(
            () ->
                "HorizontalPodAutoscaler %s scales %s already, and Kubernetes obeys neither of two; set spec.adopt: %s to work through it, or delete it."
                    .formatted(name, text(wish.target()), name));
  }

  private static Optional<Refusal> nameTaken(HpaWish wish, Optional<HorizontalPodAutoscaler> live) {
    return live.filter(hpa -> wish.adopt().isEmpty() && !isOurs(hpa, wish))
        .flatMap(
            _ ->
                refusal(
                    Reason.HPA_NAME_TAKEN,
                    "There is a HorizontalPodAutoscaler %s that is not this PredictiveHPA's; delete or rename it."
                        .formatted(wish.hpaName())));
  }

  private static Optional<Refusal> refusal(Reason reason, String message) {
    return Optional.of(new Refusal(reason, message));
  }

  private HorizontalPodAutoscaler desired(HpaWish wish, Optional<HorizontalPodAutoscaler> live) {
    return wish.adopt().isPresent() ? adopting(wish, live.orElseThrow()) : own(wish);
  }

  private HorizontalPodAutoscaler own(HpaWish wish) {
    return new HorizontalPodAutoscalerBuilder()
        .withNewMetadata()
        .withNamespace(wish.namespace())
        .withName(wish.hpaName())
        .withLabels(Map.of(MANAGED_BY, US))
        .withOwnerReferences(wish.owner())
        .endMetadata()
        .withSpec(spec(wish, wish.nativeMetrics(), wish.behavior()))
        .build();
  }

  /** The user's metrics stay in it: the HPA takes the highest answer of all. */
  private HorizontalPodAutoscaler adopting(HpaWish wish, HorizontalPodAutoscaler live) {
    var original =
        OriginalSpec.isAdoptedBy(live, wish.name())
            ? OriginalSpec.of(live, wish, json)
            : live.getSpec();
    var metrics = new ArrayList<MetricSpec>(original.getMetrics());
    wish.nativeMetrics().stream().filter(metric -> !metrics.contains(metric)).forEach(metrics::add);
    return new HorizontalPodAutoscalerBuilder()
        .withNewMetadata()
        .withNamespace(wish.namespace())
        .withName(wish.hpaName())
        .addToAnnotations(OriginalSpec.ADOPTED_BY, wish.name())
        .addToAnnotations(OriginalSpec.ORIGINAL_SPEC, json.asJson(original))
        .endMetadata()
        .withSpec(
            spec(
                wish,
                metrics,
                wish.behavior().or(() -> Optional.ofNullable(original.getBehavior()))))
        .build();
  }

  private HorizontalPodAutoscalerSpec spec(
      HpaWish wish, List<MetricSpec> others, Optional<HorizontalPodAutoscalerBehavior> behavior) {
    var spec = new HorizontalPodAutoscalerSpec();
    spec.setScaleTargetRef(wish.target());
    spec.setMinReplicas(wish.minReplicas());
    spec.setMaxReplicas(wish.maxReplicas());
    spec.setMetrics(
        Stream.concat(wish.external().stream().map(wish::externalSpec), others.stream()).toList());
    behavior(behavior).ifPresent(spec::setBehavior);
    return spec;
  }

  /**
   * A forecast 9 % above the present is not noise: it scales up, unless the user sets a tolerance.
   */
  private Optional<HorizontalPodAutoscalerBehavior> behavior(
      Optional<HorizontalPodAutoscalerBehavior> users) {
    if (!features.tolerance()) {
      return users;
    }
    var behavior = users.orElseGet(HorizontalPodAutoscalerBehavior::new);
    if (behavior.getScaleUp() != null && behavior.getScaleUp().getTolerance() != null) {
      return users;
    }
    return Optional.of(
        new HorizontalPodAutoscalerBehaviorBuilder(behavior)
            .editOrNewScaleUp()
            .withTolerance(NO_TOLERANCE)
            .endScaleUp()
            .build());
  }

  private boolean includes(HorizontalPodAutoscaler live, HorizontalPodAutoscaler desired) {
    return new Inclusion(json).includes(live, desired);
  }

  private static boolean isOurs(HorizontalPodAutoscaler hpa, HpaWish wish) {
    return hpa.getMetadata().getOwnerReferences().stream()
        .map(OwnerReference::getUid)
        .anyMatch(uid -> Objects.equals(uid, wish.owner().getUid()));
  }

  private static Optional<HorizontalPodAutoscaler> named(
      Collection<HorizontalPodAutoscaler> hpas, String name) {
    return hpas.stream().filter(hpa -> hpa.getMetadata().getName().equals(name)).findFirst();
  }

  private static boolean sameTarget(HorizontalPodAutoscaler hpa, CrossVersionObjectReference to) {
    var target = hpa.getSpec().getScaleTargetRef();
    return target != null
        && Objects.equals(target.getKind(), to.getKind())
        && Objects.equals(target.getName(), to.getName())
        && group(target).equals(group(to));
  }

  private static String group(CrossVersionObjectReference reference) {
    var version = Objects.requireNonNullElse(reference.getApiVersion(), "");
    int slash = version.indexOf('/');
    return slash < 0 ? "" : version.substring(0, slash);
  }

  private static String text(CrossVersionObjectReference reference) {
    return reference.getKind() + "/" + reference.getName();
  }
}
