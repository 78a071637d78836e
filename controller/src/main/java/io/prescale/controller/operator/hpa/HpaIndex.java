package io.prescale.controller.operator.hpa;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Finds the few HPAs of a namespace that concern a PredictiveHPA: those of its target or of one
 * that cannot be read, the one it wants, and those that it made or has adopted. An HPA has several
 * keys; one in common suffices.
 */
public final class HpaIndex {
  private HpaIndex() {}

  /** What an HPA is found by. */
  public static List<String> keys(HorizontalPodAutoscaler hpa) {
    var meta = hpa.getMetadata();
    var namespace = meta.getNamespace();
    var adopter = OriginalSpec.adopter(hpa).map(name -> adopter(namespace, name));
    var owners =
        meta.getOwnerReferences().stream()
            .map(OwnerReference::getUid)
            .map(uid -> owner(namespace, uid));
    return Stream.of(
            Stream.of(name(namespace, meta.getName())),
            targetKey(hpa).stream(),
            adopter.stream(),
            owners)
        .flatMap(it -> it)
        .toList();
  }

  /** The key of its target, which PredictiveHPAs of that target have too. */
  public static Optional<String> targetKey(HorizontalPodAutoscaler hpa) {
    return Optional.ofNullable(hpa.getSpec())
        .flatMap(spec -> Optional.ofNullable(spec.getScaleTargetRef()))
        .map(it -> TargetReference.key(hpa.getMetadata().getNamespace(), it));
  }

  /** What the HPAs that concern a wish are found by. */
  public static List<String> keysFor(HpaWish wish) {
    var namespace = wish.namespace();
    return List.of(
        TargetReference.key(namespace, wish.target()),
        TargetReference.key(namespace, TargetReference.UNKNOWN),
        name(namespace, wish.hpaName()),
        owner(namespace, wish.owner().getUid()),
        adopter(namespace, wish.name()));
  }

  /** What the HPAs are found by that a PredictiveHPA made or has adopted. */
  public static List<String> keysOfOwn(ObjectMeta predictiveHpa) {
    var namespace = predictiveHpa.getNamespace();
    return List.of(
        owner(namespace, predictiveHpa.getUid()), adopter(namespace, predictiveHpa.getName()));
  }

  private static String name(String namespace, String name) {
    return namespace + "/name/" + name;
  }

  private static String owner(String namespace, String uid) {
    return namespace + "/owner/" + uid;
  }

  private static String adopter(String namespace, String name) {
    return namespace + "/adopter/" + name;
  }
}
