package io.prescale.controller.operator.hpa;

import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Quantity;
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
   * @param existing the HPAs that {@link HpaIndex} finds for the wish, or more of its namespace
   * @param older another PredictiveHPA that scales the target, to which this one yields
   */
  public HpaPlan plan(
      HpaWish wish, Collection<HorizontalPodAutoscaler> existing, Optional<String> older) {
    boolean scales = wish.active() && older.isEmpty();
    var steps =
        new ArrayList<Step>(
            release(
                wish.name(),
                wish.owner().getUid(),
                existing.stream()
                    .filter(hpa -> !(scales && isNamed(hpa, wish.hpaName())))
                    .toList()));
    if (!scales) {
      return new HpaPlan(steps, older.filter(_ -> wish.active()).flatMap(it -> yields(wish, it)));
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

  /**
   * Plans how a PredictiveHPA gives up these HPAs: its own are deleted, an adopted one gets its
   * rules back.
   *
   * @param name of the PredictiveHPA
   * @param uid of the PredictiveHPA
   */
  public List<Step> release(String name, String uid, Collection<HorizontalPodAutoscaler> hpas) {
    return hpas.stream().flatMap(hpa -> release(name, uid, hpa)).toList();
  }

  private Stream<Step> release(String name, String uid, HorizontalPodAutoscaler hpa) {
    if (OriginalSpec.isAdoptedBy(hpa, name)) {
      return Stream.of(new HpaPlan.Restore(hpa, OriginalSpec.of(hpa, name, json)));
    }
    return isOwnedBy(hpa, uid) ? Stream.of(new HpaPlan.Delete(hpa)) : Stream.empty();
  }

  private static Optional<Refusal> yields(HpaWish wish, String older) {
    return refusal(
        Reason.TARGET_HAS_OTHER_HPA,
        "PredictiveHPA %s is older and scales %s already; delete that PredictiveHPA or this one, or set spec.mode: Shadow on one of them."
            .formatted(older, TargetReference.text(wish.target())));
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
    if (!TargetReference.isOf(hpa, wish.target())) {
      return refusal(
          Reason.ADOPTED_HPA_HAS_OTHER_TARGET,
          "spec.adopt names HorizontalPodAutoscaler %s, which scales %s and not %s; name the HPA of the scaleTargetRef."
              .formatted(
                  wish.hpaName(),
                  TargetReference.text(hpa.getSpec().getScaleTargetRef()),
                  TargetReference.text(wish.target())));
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
        .filter(hpa -> TargetReference.isOf(hpa, wish.target()))
        .filter(hpa -> !isNamed(hpa, wish.hpaName()))
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
                    .formatted(
                        by,
                        TargetReference.text(wish.target()),
                        name,
                        by.substring(0, by.indexOf(' '))))
        .orElseGet(
            () ->
                "HorizontalPodAutoscaler %s scales %s already, and Kubernetes obeys neither of two; set spec.adopt: %s to work through it, or delete it."
                    .formatted(name, TargetReference.text(wish.target()), name));
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
            ? OriginalSpec.of(live, wish.name(), json)
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
    return isOwnedBy(hpa, wish.owner().getUid());
  }

  private static boolean isOwnedBy(HorizontalPodAutoscaler hpa, String owner) {
    return hpa.getMetadata().getOwnerReferences().stream()
        .map(OwnerReference::getUid)
        .anyMatch(uid -> Objects.equals(uid, owner));
  }

  private static Optional<HorizontalPodAutoscaler> named(
      Collection<HorizontalPodAutoscaler> hpas, String name) {
    return hpas.stream().filter(hpa -> isNamed(hpa, name)).findFirst();
  }

  private static boolean isNamed(HorizontalPodAutoscaler hpa, String name) {
    return hpa.getMetadata().getName().equals(name);
  }
}
