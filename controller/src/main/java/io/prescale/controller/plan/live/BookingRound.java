package io.prescale.controller.plan.live;

import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.prescale.controller.api.v1alpha1.BookingNeed;
import io.prescale.controller.api.v1alpha1.BookingReason;
import io.prescale.controller.api.v1alpha1.BookingStatus;
import io.prescale.controller.api.v1alpha1.GpuBooking;
import io.prescale.controller.api.v1alpha1.GpuBookingSpec;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.api.v1alpha1.PredictiveHPAStatus;
import io.prescale.controller.cluster.ApiFailure;
import io.prescale.controller.plan.ReplicaNeed;
import io.prescale.controller.plan.cluster.PlannedCluster;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One look at what is to be booked: writes the GpuBookings that differ from what their
 * PredictiveHPAs are to have, and deletes those that are asked for no more. A booking has the name
 * of its PredictiveHPA and is deleted with it. What was written before is read from the API server,
 * so that it does not matter which leader wrote it.
 */
final class BookingRound {
  private static final Logger LOG = LoggerFactory.getLogger(BookingRound.class);

  /** The field manager of bookings, and of the part of the status that is about them. */
  private static final String MANAGER = "prescale-bookings";

  private static final PatchContext APPLY =
      new PatchContext.Builder()
          .withPatchType(PatchType.SERVER_SIDE_APPLY)
          .withFieldManager(MANAGER)
          .withForce(true)
          .build();

  /** Beyond these, the API server takes no booking. */
  private static final int MOST_REPLICAS = 10_000;

  private static final double HIGHEST_PRICE = 1000;

  private static final String OWNER = "PredictiveHPA";

  private final KubernetesClient client;
  private final List<PredictiveHPA> resources;

  /**
   * A look at what is wanted.
   *
   * @param resources all PredictiveHPAs that count
   */
  BookingRound(KubernetesClient client, List<PredictiveHPA> resources) {
    this.client = client;
    this.resources = List.copyOf(resources);
  }

  /** The PredictiveHPAs that ask for bookings and may get some, which need forecasts. */
  List<PredictiveHPA> asking() {
    return resources.stream().filter(BookingRound::books).filter(Wanted::mayBook).toList();
  }

  private static boolean books(PredictiveHPA resource) {
    return resource.unreadable().isEmpty() && resource.getSpec().books();
  }

  /** Writes what has changed; what the server refuses of one stops no other. */
  List<Booked> write(Function<PredictiveHPA, ServiceForecasts.Known> forecasts, Instant now) {
    var booked = new ArrayList<Booked>();
    for (var resource : resources) {
      try {
        var status = books(resource) ? book(resource, forecasts.apply(resource), now) : null;
        if (status == null) {
          deleteOwn(resource);
        } else {
          var meta = resource.getMetadata();
          booked.add(new Booked(meta.getNamespace(), meta.getName(), status));
        }
        report(resource, status);
      } catch (KubernetesClientException e) {
        LOG.warn(
            "The booking of {} could not be reported: {}",
            resource.qualifiedName(),
            ApiFailure.text(e));
      } catch (RuntimeException e) {
        LOG.error("The booking of {} could not be made.", resource.qualifiedName(), e);
      }
    }
    return booked;
  }

  /** Only where there may be one, so that PredictiveHPAs without bookings cost no request. */
  private void deleteOwn(PredictiveHPA resource) {
    boolean mayBe =
        written(resource).isPresent()
            || (resource.unreadable().isEmpty() && resource.getSpec().booking() != null);
    if (mayBe) {
      existing(resource)
          .filter(it -> isOf(resource, it))
          .ifPresent(it -> client.resource(it).delete());
    }
  }

  private static Optional<BookingStatus> written(PredictiveHPA resource) {
    return Optional.ofNullable(resource.getStatus()).map(PredictiveHPAStatus::booking);
  }

  /** One by one: a GpuBooking that cannot be read harms only the PredictiveHPA of its name. */
  private Optional<GpuBooking> existing(PredictiveHPA resource) {
    var meta = resource.getMetadata();
    return Optional.ofNullable(
        client
            .resources(GpuBooking.class)
            .inNamespace(meta.getNamespace())
            .withName(meta.getName())
            .get());
  }

  private static boolean isOf(PredictiveHPA resource, GpuBooking booking) {
    return booking.getMetadata().getOwnerReferences().stream()
        .map(OwnerReference::getUid)
        .anyMatch(Objects.requireNonNull(resource.getMetadata().getUid())::equals);
  }

  private BookingStatus book(PredictiveHPA resource, ServiceForecasts.Known known, Instant now) {
    try {
      var present = existing(resource);
      if (present.filter(it -> !isOf(resource, it)).isPresent()) {
        return Wanted.refused(
                "A GpuBooking of this name exists and is not of this PredictiveHPA; rename or"
                    + " delete it.")
            .status();
      }
      var template = template(resource);
      var wanted = Wanted.of(resource, template.isPresent(), known, said(present), now);
      // What was said stands until its times have passed: a new leader has no forecast at first.
      if (wanted.status().reason() != BookingReason.NoForecast) {
        write(resource, wanted, template, present, known);
      }
      return wanted.status();
    } catch (KubernetesClientException e) {
      return Wanted.refused("The API server: " + ApiFailure.text(e)).status();
    }
  }

  private Optional<BookedTemplate> template(PredictiveHPA resource) {
    return PlannedCluster.target(client, PlanRound.described(resource)).flatMap(BookedTemplate::of);
  }

  private static List<ReplicaNeed> said(Optional<GpuBooking> booking) {
    return booking.map(GpuBooking::getSpec).map(GpuBookingSpec::needs).orElse(List.of()).stream()
        .map(it -> new ReplicaNeed(it.from(), it.until(), it.replicas(), it.percent()))
        .toList();
  }

  /** Without needs, only a booking that has some is written. */
  private void write(
      PredictiveHPA resource,
      Wanted wanted,
      Optional<BookedTemplate> template,
      Optional<GpuBooking> present,
      ServiceForecasts.Known known) {
    var before = present.map(GpuBooking::getSpec);
    if (wanted.needs().isEmpty()) {
      before
          .filter(it -> !it.needs().isEmpty())
          .map(
              it -> new GpuBookingSpec(it.selector(), it.template(), List.of(), it.shortagePrice()))
          .ifPresent(it -> apply(resource, it));
      return;
    }
    var of = template.orElseThrow();
    var needs = wanted.needs().stream().map(BookingRound::need).toList();
    double price = Math.min(HIGHEST_PRICE, known.forecast().orElseThrow().price());
    var spec = new GpuBookingSpec(of.selector(), of.template(), needs, price);
    if (!before.equals(Optional.of(spec))) {
      apply(resource, spec);
    }
  }

  private static BookingNeed need(ReplicaNeed it) {
    int replicas = Math.min(MOST_REPLICAS, it.replicas());
    return new BookingNeed(it.from(), it.until(), replicas, it.percent());
  }

  private void apply(PredictiveHPA resource, GpuBookingSpec spec) {
    var meta = resource.getMetadata();
    var booking = new GpuBooking();
    booking.getMetadata().setNamespace(meta.getNamespace());
    booking.getMetadata().setName(meta.getName());
    booking
        .getMetadata()
        .setOwnerReferences(
            List.of(
                new OwnerReferenceBuilder()
                    .withApiVersion(resource.getApiVersion())
                    .withKind(OWNER)
                    .withName(meta.getName())
                    .withUid(meta.getUid())
                    .withController(true)
                    .build()));
    booking.setSpec(spec);
    client.resource(booking).fieldManager(MANAGER).forceConflicts().serverSideApply();
  }

  /** On news only, and of an object that is still the same. */
  private void report(PredictiveHPA resource, @Nullable BookingStatus status) {
    if (written(resource).equals(Optional.ofNullable(status))) {
      return;
    }
    var patch = new PredictiveHPA();
    patch.getMetadata().setNamespace(resource.getMetadata().getNamespace());
    patch.getMetadata().setName(resource.getMetadata().getName());
    patch.getMetadata().setUid(resource.getMetadata().getUid());
    patch.setSpec(null);
    patch.setStatus(PredictiveHPAStatus.only(status));
    client.resource(patch).subresource("status").patch(APPLY, patch);
  }
}
