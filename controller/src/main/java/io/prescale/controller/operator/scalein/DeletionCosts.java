package io.prescale.controller.operator.scalein;

import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.prescale.controller.cluster.Kept;
import io.prescale.controller.cluster.WrittenTime;
import io.prescale.controller.operator.hpa.HpaWriter;
import io.prescale.controller.operator.scalein.Candidate.Mark;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Reads and writes the deletion cost of pods. Whose it is, the managed fields say: another's is
 * neither changed nor removed.
 */
public final class DeletionCosts {
  /** Of two serving pods, the ReplicaSet controller removes the one with the lower cost. */
  public static final String ANNOTATION = "controller.kubernetes.io/pod-deletion-cost";

  private final KubernetesClient client;

  DeletionCosts(KubernetesClient client) {
    this.client = client;
  }

  /** Of a manager's fields of a pod, the one that is read here. */
  public static Kept managedField() {
    return Kept.fields()
        .with("f:metadata", Kept.fields().with("f:annotations", Kept.fields("f:" + ANNOTATION)));
  }

  /** Of a pod's managed fields, the entry that says that the deletion cost is Prescale's. */
  private static Optional<ManagedFieldsEntry> own(Pod pod) {
    return Objects.requireNonNullElse(
            pod.getMetadata().getManagedFields(), List.<ManagedFieldsEntry>of())
        .stream()
        .filter(entry -> HpaWriter.FIELD_MANAGER.equals(entry.getManager()))
        .filter(entry -> String.valueOf(entry.getFieldsV1()).contains("f:" + ANNOTATION))
        .findFirst();
  }

  /** Prescale's own mark; one that is no number counts as the lowest, and is replaced. */
  static Optional<Mark> mark(Pod pod) {
    return own(pod)
        .flatMap(
            entry ->
                text(pod)
                    .map(
                        cost ->
                            new Mark(
                                number(cost),
                                WrittenTime.read(entry.getTime()).orElse(Instant.EPOCH))));
  }

  /** Whether it has a cost that is not Prescale's. */
  static boolean isAnothers(Pod pod) {
    return text(pod).isPresent() && mark(pod).isEmpty();
  }

  /**
   * Sets Prescale's cost of a pod, or removes it.
   *
   * @throws KubernetesClientException when the server refuses or cannot be reached; a conflict when
   *     the pod is gone or the cost has become another's
   */
  void write(String namespace, Candidate pod, OptionalInt cost) {
    var metadata =
        new PodBuilder()
            .withNewMetadata()
            .withNamespace(namespace)
            .withName(pod.name())
            .withUid(pod.uid()); // or a pod that is gone would be made anew
    if (cost.isPresent()) {
      metadata.addToAnnotations(ANNOTATION, Integer.toString(cost.getAsInt()));
    }
    client
        .resource(metadata.endMetadata().build())
        .fieldManager(HpaWriter.FIELD_MANAGER)
        .serverSideApply();
  }

  private static Optional<String> text(Pod pod) {
    return Optional.ofNullable(pod.getMetadata().getAnnotations())
        .map(annotations -> annotations.get(ANNOTATION));
  }

  private static int number(String cost) {
    try {
      return Integer.parseInt(cost);
    } catch (NumberFormatException _) {
      return Integer.MIN_VALUE;
    }
  }
}
