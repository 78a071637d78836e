package io.prescale.controller.scheduler.bookings;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.prescale.controller.api.v1alpha1.BookingNeed;
import io.prescale.controller.api.v1alpha1.GpuBooking;
import io.prescale.controller.api.v1alpha1.GpuBookingSpec;
import io.prescale.controller.api.v1alpha1.GpuBookingStatus;
import io.prescale.controller.scheduler.facts.Facts;
import io.prescale.controller.scheduler.facts.NodeRules;
import io.prescale.controller.scheduler.facts.QueueSource;
import io.prescale.controller.scheduler.warm.WarmBooking;
import io.prescale.placement.inventory.DemandReader;
import io.prescale.placement.inventory.PodDemand;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.inventory.PodSelector;
import io.prescale.placement.ledger.Booking;
import io.prescale.placement.ledger.Booking.Need;
import java.util.ArrayList;
import java.util.Collections;
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
      return Cache.metaNamespaceKeyFunc(booking);
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
                  it.size(),
                  it.needs(),
                  said));
    }
  }

  /**
   * What a booking says.
   *
   * @param replica its pods
   * @param pods what those of them look like that ask for cards, each kind once; all are let in by
   *     the same nodes
   * @param size how many those are
   */
  record Terms(
      String key,
      PodSelector selector,
      List<PodFacts> replica,
      List<Pod> pods,
      int size,
      List<Need> needs,
      double price) {
    /** On the nodes that let them in. */
    Booking among(Function<Pod, Set<String>> nodesOf) {
      return new Booking(key, selector, replica, nodesOf.apply(pods.getFirst()), needs, price);
    }

    /** What makes no sense of it; empty if all does. */
    String fault() {
      if (pods.isEmpty()) {
        return "its template asks for no cards that are known one by one; ask for some, as pods do";
      }
      return pods.stream().anyMatch(it -> !NodeRules.areAlike(it, pods.getFirst()))
          ? "its leader selects other nodes than its other pods; give them the same nodeSelector"
              + " and tolerations"
          : "";
    }
  }

  Read read(GenericKubernetesResource resource) {
    var booking = new GpuBooking();
    booking.setMetadata(resource.getMetadata());
    status(resource).ifPresent(booking::setStatus);
    try {
      var spec = json.convertValue(resource.get("spec"), GpuBookingSpec.class);
      booking.setSpec(spec);
      var terms = terms(Cache.metaNamespaceKeyFunc(resource), booking);
      var fault = terms.fault();
      return new Read(booking, fault.isEmpty() ? Optional.of(terms) : Optional.empty(), fault);
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
    var leader = pod(meta, spec.leader());
    var worker = pod(meta, spec.template());
    var ofLeader = Facts.of(leader, queues);
    var ofWorker = Facts.of(worker, queues);
    var replica = new ArrayList<>(Collections.nCopies(spec.pods(), ofWorker));
    replica.set(0, ofLeader);
    int leaders = asksForCards(ofLeader) ? 1 : 0;
    int workers = asksForCards(ofWorker) ? spec.pods() - 1 : 0;
    var pods = new ArrayList<Pod>();
    if (workers > 0) {
      pods.add(worker);
    }
    if (leaders > 0 && (workers == 0 || spec.leaderTemplate() != null)) {
      pods.add(leader);
    }
    return new Terms(
        key,
        new PodSelector(meta.getNamespace(), spec.selector()),
        replica,
        pods,
        leaders + workers,
        spec.needs().stream().map(BookingSpecs::need).toList(),
        spec.shortagePrice());
  }

  private boolean asksForCards(PodFacts facts) {
    return demands.read(facts) instanceof PodDemand.Cards;
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
