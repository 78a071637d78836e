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
import io.prescale.controller.operator.hpa.HpaPlan.Step;
import io.prescale.controller.operator.hpa.HpaWish.Keeper;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
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
   * @param unserved why HPAs would not be answered by Prescale; then none is made or adopted, and
   *     those that were before stay
   */
  public HpaPlan plan(
      HpaWish wish,
      Collection<HorizontalPodAutoscaler> existing,
      Optional<String> older,
      Optional<String> unserved) {
    var refusals = new HpaRefusals(wish, existing);
    boolean scales = wish.active() && wish.keeper() == Keeper.PRESCALE && older.isEmpty();
    var steps =
        new ArrayList<Step>(
            release(
                wish.name(),
                wish.owner().getUid(),
                existing.stream()
                    .filter(hpa -> !(scales && isNamed(hpa, wish.hpaName())))
                    .toList()));
    if (!scales) {
      return new HpaPlan(
          steps,
          older
              .filter(_ -> wish.active())
              .map(refusals::yieldingTo)
              .or(() -> new ForeignHpa(wish, existing).refusal())
              .or(() -> unserved.flatMap(refusals::unserved)));
    }
    var live = named(existing, wish.hpaName());
    var obstacle = refusals.first();
    var refusal = obstacle.or(() -> unserved.flatMap(refusals::unserved));
    boolean keeps = live.filter(hpa -> isKept(hpa, wish)).isPresent();
    if (refusal.isEmpty() || (keeps && obstacle.isEmpty())) {
      var desired = desired(wish, live);
      if (live.isEmpty() || !includes(live.get(), desired)) {
        steps.add(
            new HpaPlan.Apply(desired, live.map(hpa -> hpa.getMetadata().getResourceVersion())));
      }
    }
    return new HpaPlan(steps, refusal);
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

  /** The maximum of replicas that the adopted HPA of a wish gets back; empty if none is adopted. */
  public OptionalInt ownMaximum(HpaWish wish, Collection<HorizontalPodAutoscaler> existing) {
    return existing.stream()
        .filter(hpa -> OriginalSpec.isAdoptedBy(hpa, wish.name()))
        .filter(hpa -> !HpaInBrief.isOfLarge(hpa))
        .map(hpa -> OriginalSpec.of(hpa, wish.name(), json).getMaxReplicas())
        .filter(Objects::nonNull)
        .mapToInt(Integer::intValue)
        .findFirst();
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
      return Stream.of(new HpaPlan.Restore(hpa, name));
    }
    return isOwnedBy(hpa, uid) ? Stream.of(new HpaPlan.Delete(hpa)) : Stream.empty();
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

  /** Whether a PredictiveHPA made an HPA or has adopted it. */
  static boolean isKept(HorizontalPodAutoscaler hpa, HpaWish wish) {
    return isOurs(hpa, wish) || OriginalSpec.isAdoptedBy(hpa, wish.name());
  }

  static boolean isOurs(HorizontalPodAutoscaler hpa, HpaWish wish) {
    return isOwnedBy(hpa, wish.owner().getUid());
  }

  private static boolean isOwnedBy(HorizontalPodAutoscaler hpa, String owner) {
    return hpa.getMetadata().getOwnerReferences().stream()
        .map(OwnerReference::getUid)
        .anyMatch(uid -> Objects.equals(uid, owner));
  }

  static Optional<HorizontalPodAutoscaler> named(
      Collection<HorizontalPodAutoscaler> hpas, String name) {
    return hpas.stream().filter(hpa -> isNamed(hpa, name)).findFirst();
  }

  private static boolean isNamed(HorizontalPodAutoscaler hpa, String name) {
    return hpa.getMetadata().getName().equals(name);
  }
}
