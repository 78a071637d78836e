package io.prescale.controller.scheduler.extender;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
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
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

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
                  it.key(),
                  booking.getMetadata().getUid(),
                  it.selector(),
                  it.pods(),
                  it.needs(),
                  said));
    }
  }

  /**
   * What a booking says.
   *
   * @param replica its pods
   * @param pods those of them that ask for cards
   */
  record Terms(
      String key,
      PodSelector selector,
      List<PodFacts> replica,
      List<Pod> pods,
      List<Need> needs,
      double price) {
    /** On the nodes that let all of these in. */
    Booking among(Function<Pod, Set<String>> nodesOf) {
      var nodes = new HashSet<>(nodesOf.apply(pods.getFirst()));
      pods.stream().distinct().skip(1).map(nodesOf).forEach(nodes::retainAll);
      return new Booking(key, selector, replica, nodes, needs, price);
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
      return terms.pods().isEmpty()
          ? new Read(
              booking,
              Optional.empty(),
              "its template asks for no cards that are known one by one; ask for some, as pods do")
          : new Read(booking, Optional.of(terms), "");
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
    var replica = new ArrayList<PodFacts>();
    var pods = new ArrayList<Pod>();
    for (var template : spec.replica()) {
      var pod = pod(meta, template);
      var facts = Facts.of(pod, queues);
      replica.add(facts);
      if (demands.read(facts) instanceof PodDemand.Cards) {
        pods.add(pod);
      }
    }
    return new Terms(
        key,
        new PodSelector(meta.getNamespace(), spec.selector()),
        replica,
        pods,
        spec.needs().stream().map(BookingSpecs::need).toList(),
        spec.shortagePrice());
  }

  private static Pod pod(ObjectMeta booking, PodTemplateSpec template) {
    return new PodBuilder()
        .withNewMetadataLike(template.getMetadata())
        .withNamespace(booking.getNamespace())
        .withName(booking.getName())
        .withUid("booking-" + booking.getUid())
        .withCreationTimestamp(booking.getCreationTimestamp())
        .endMetadata()
        .withNewSpecLike(template.getSpec())
        .withNodeName(null)
        .endSpec()
        .build();
  }

  private static Need need(BookingNeed need) {
    return new Need(need.from(), need.until(), need.replicas(), need.percent() / PERCENT);
  }
}
