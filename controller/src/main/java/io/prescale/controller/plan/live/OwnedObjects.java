package io.prescale.controller.plan.live;

import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.prescale.controller.api.v1alpha1.GpuBooking;
import java.util.Map;
import java.util.Optional;

/** Objects that bookings own, so that the API server deletes them together. */
final class OwnedObjects {
  /** By which all that is written for bookings can be found, and removed, by hand. */
  static final Map<String, String> LABELS = Map.of("app.kubernetes.io/managed-by", "prescale");

  private final KubernetesClient client;

  OwnedObjects(KubernetesClient client) {
    this.client = client;
  }

  /** Of no other's: the UID of the booking is in it. */
  static String name(GpuBooking booking) {
    return name(booking.getMetadata().getUid());
  }

  /** The same of a booking of this UID. */
  static String name(String booking) {
    return "prescale-" + booking;
  }

  private static ObjectMeta meta(GpuBooking booking, String name) {
    return new ObjectMetaBuilder()
        .withNamespace(booking.getMetadata().getNamespace())
        .withName(name)
        .withLabels(LABELS)
        .addNewOwnerReference()
        .withApiVersion(booking.getApiVersion())
        .withKind(booking.getKind())
        .withName(booking.getMetadata().getName())
        .withUid(booking.getMetadata().getUid())
        .withController(true)
        .endOwnerReference()
        .build();
  }

  /** Creates or updates the PodTemplate from which autoscalers read a pod's requests. */
  void apply(GpuBooking booking, String name, PodTemplateSpec template) {
    var wanted =
        new PodTemplateBuilder().withMetadata(meta(booking, name)).withTemplate(template).build();
    client.resource(wanted).fieldManager(LiveBookings.MANAGER).forceConflicts().serverSideApply();
  }

  /**
   * Makes an object of another kind what it is to be, with further labels.
   *
   * @param seen the version that was read; one that has changed since is a conflict
   */
  void apply(
      GpuBooking booking,
      ResourceDefinitionContext kind,
      String name,
      Optional<String> seen,
      Map<String, String> labels,
      Map<String, String> annotations,
      Map<String, Object> spec) {
    var meta =
        new ObjectMetaBuilder(meta(booking, name))
            .addToLabels(labels)
            .withAnnotations(annotations)
            .withResourceVersion(seen.orElse(null))
            .build();
    var wanted =
        new GenericKubernetesResourceBuilder()
            .withApiVersion(kind.getGroup() + "/" + kind.getVersion())
            .withKind(kind.getKind())
            .withMetadata(meta)
            .addToAdditionalProperties("spec", spec)
            .build();
    client
        .genericKubernetesResources(kind)
        .inNamespace(meta.getNamespace())
        .resource(wanted)
        .fieldManager(LiveBookings.MANAGER)
        .forceConflicts()
        .serverSideApply();
  }

  /** Deletes a PodTemplate. */
  void delete(String namespace, String name) {
    client.v1().podTemplates().inNamespace(namespace).withName(name).delete();
  }
}
