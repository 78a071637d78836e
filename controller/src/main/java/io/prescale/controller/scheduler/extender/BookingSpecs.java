package io.prescale.controller.scheduler.extender;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.prescale.controller.api.v1alpha1.BookingNeed;
import io.prescale.controller.api.v1alpha1.GpuBooking;
import io.prescale.controller.api.v1alpha1.GpuBookingSpec;
import io.prescale.controller.api.v1alpha1.GpuBookingStatus;
import io.prescale.controller.scheduler.warm.WarmBooking;
import io.prescale.placement.inventory.DemandReader;
import io.prescale.placement.inventory.PodDemand;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.inventory.PodSelector;
import io.prescale.placement.ledger.Booking;
import io.prescale.placement.ledger.Booking.Need;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads GpuBookings; never fails, whatever their templates hold. */
final class BookingSpecs {
  private static final double PERCENT = 100;

  private final KubernetesSerialization json = new KubernetesSerialization();
  private final DemandReader demands = new DemandReader(_ -> Set.of());
  private final QueueSource queues;

  /**
   * A reader.
   *
   * @param queues in whose words templates name their queue
   */
  BookingSpecs(QueueSource queues) {
    this.queues = queues;
  }

  /**
   * A booking as it was read.
   *
   * @param terms that can be kept to; empty if the spec makes no sense
   * @param fault why it makes none; empty if it does
   */
  record Read(GpuBooking booking, Optional<Terms> terms, String fault) {
    String key() {
      return booking.getMetadata().getNamespace() + "/" + booking.getMetadata().getName();
    }

    Optional<WarmBooking> warm() {
      var said = Optional.ofNullable(booking.getStatus()).map(GpuBookingStatus::images);
      return terms.map(
          it ->
              new WarmBooking(
                  it.key(), booking.getMetadata().getUid(), it.pods(), it.pod(), it.needs(), said));
    }
  }

  /**
   * What a booking says.
   *
   * @param pod what a replica looks like
   */
  record Terms(
      String key, PodSelector pods, Pod pod, PodFacts facts, List<Need> needs, double price) {
    /** On the nodes that let its replicas in. */
    Booking among(Set<String> nodes) {
      return new Booking(key, pods, facts, nodes, needs, price);
    }
  }

  static String key(GenericKubernetesResource resource) {
    return resource.getMetadata().getNamespace() + "/" + resource.getMetadata().getName();
  }

  Read read(GenericKubernetesResource resource) {
    var booking = new GpuBooking();
    booking.setMetadata(resource.getMetadata());
    status(resource).ifPresent(booking::setStatus);
    try {
      var spec = json.convertValue(resource.get("spec"), GpuBookingSpec.class);
      booking.setSpec(spec);
      var terms = terms(key(resource), booking);
      return demands.read(terms.facts()) instanceof PodDemand.Cards
          ? new Read(booking, Optional.of(terms), "")
          : new Read(
              booking,
              Optional.empty(),
              "its template asks for no cards that are known one by one; ask for some, as pods do");
    } catch (RuntimeException e) {
      return new Read(
          booking, Optional.empty(), "it cannot be read; write it as the definition says");
    }
  }

  private Optional<GpuBookingStatus> status(GenericKubernetesResource resource) {
    try {
      return Optional.ofNullable(resource.getAdditionalProperties().get("status"))
          .map(it -> json.convertValue(it, GpuBookingStatus.class));
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  private Terms terms(String key, GpuBooking booking) {
    var meta = booking.getMetadata();
    var spec = booking.getSpec();
    var pod =
        new PodBuilder()
            .withNewMetadataLike(spec.template().getMetadata())
            .withNamespace(meta.getNamespace())
            .withName(meta.getName())
            .withUid("booking-" + meta.getUid())
            .withCreationTimestamp(meta.getCreationTimestamp())
            .endMetadata()
            .withNewSpecLike(spec.template().getSpec())
            .withNodeName(null)
            .endSpec()
            .build();
    return new Terms(
        key,
        new PodSelector(meta.getNamespace(), spec.selector()),
        pod,
        Facts.of(pod, queues),
        spec.needs().stream().map(BookingSpecs::need).toList(),
        spec.shortagePrice());
  }

  private static Need need(BookingNeed need) {
    return new Need(need.from(), need.until(), need.replicas(), need.percent() / PERCENT);
  }
}
