package io.prescale.controller.plan.live;

import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.prescale.controller.api.v1alpha1.GpuBooking;
import java.util.Map;

/** The PodTemplates of bookings, of which autoscalers read what a replica asks for. */
final class PodTemplates {
  /** By which all that is written for bookings can be found, and removed, by hand. */
  static final Map<String, String> LABELS = Map.of("app.kubernetes.io/managed-by", "prescale");

  private final KubernetesClient client;

  PodTemplates(KubernetesClient client) {
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

  static OwnerReference owner(GpuBooking booking) {
    return new OwnerReferenceBuilder()
        .withApiVersion(booking.getApiVersion())
        .withKind(booking.getKind())
        .withName(booking.getMetadata().getName())
        .withUid(booking.getMetadata().getUid())
        .withController(true)
        .build();
  }

  void apply(GpuBooking booking, String name, PodTemplateSpec template) {
    var wanted =
        new PodTemplateBuilder()
            .withNewMetadata()
            .withNamespace(booking.getMetadata().getNamespace())
            .withName(name)
            .withLabels(LABELS)
            .withOwnerReferences(owner(booking))
            .endMetadata()
            .withTemplate(template)
            .build();
    client.resource(wanted).fieldManager(LiveBookings.MANAGER).forceConflicts().serverSideApply();
  }

  void delete(String namespace, String name) {
    client.v1().podTemplates().inNamespace(namespace).withName(name).delete();
  }
}
