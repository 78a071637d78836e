package io.prescale.controller.plan.live;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.prescale.controller.api.v1alpha1.BookingStatus;
import io.prescale.controller.api.v1alpha1.GpuBooking;
import io.prescale.controller.api.v1alpha1.GpuBookingSpec;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.api.v1alpha1.PredictiveHPAStatus;
import io.prescale.controller.cluster.ApiFailure;
import io.prescale.controller.plan.cluster.PlannedCluster;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Bookings in the API server. */
final class LiveBookings implements BookingStore {
  /** The field manager of bookings, and of the part of the status that is about them. */
  static final String MANAGER = "prescale-bookings";

  private static final PatchContext APPLY =
      new PatchContext.Builder()
          .withPatchType(PatchType.SERVER_SIDE_APPLY)
          .withFieldManager(MANAGER)
          .withForce(true)
          .build();

  private static final String OWNER = "PredictiveHPA";

  private final KubernetesClient client;

  LiveBookings(KubernetesClient client) {
    this.client = client;
  }

  /** A kind that is not served, or may not be read, is not booked for; that harms no other. */
  @Override
  public Optional<HasMetadata> target(PredictiveHPA resource) {
    try {
      return PlannedCluster.target(client, PlanRound.described(resource));
    } catch (KubernetesClientException e) {
      boolean isOfNoKnownKind = ApiFailure.isUnanswered(e) && e.getCause() == null;
      if (!ApiFailure.isLasting(e) && !isOfNoKnownKind) {
        throw e;
      }
      return Optional.empty();
    }
  }

  /** One by one: a GpuBooking that cannot be read harms only the PredictiveHPA of its name. */
  @Override
  public Optional<GpuBooking> find(PredictiveHPA resource) {
    var meta = resource.getMetadata();
    return Optional.ofNullable(
        client
            .resources(GpuBooking.class)
            .inNamespace(meta.getNamespace())
            .withName(meta.getName())
            .get());
  }

  @Override
  public void apply(PredictiveHPA resource, GpuBookingSpec spec, Optional<GpuBooking> seen) {
    var meta = resource.getMetadata();
    var booking = new GpuBooking();
    seen.ifPresent(
        it -> booking.getMetadata().setResourceVersion(it.getMetadata().getResourceVersion()));
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

  @Override
  public void delete(GpuBooking booking) {
    client
        .resource(booking)
        .lockResourceVersion(booking.getMetadata().getResourceVersion())
        .delete();
  }

  /** Of an object that is still the same. */
  @Override
  public void report(PredictiveHPA resource, @Nullable BookingStatus status) {
    var patch = new PredictiveHPA();
    patch.getMetadata().setNamespace(resource.getMetadata().getNamespace());
    patch.getMetadata().setName(resource.getMetadata().getName());
    patch.getMetadata().setUid(resource.getMetadata().getUid());
    patch.getMetadata().setResourceVersion(resource.getMetadata().getResourceVersion());
    patch.setSpec(null);
    patch.setStatus(PredictiveHPAStatus.only(status));
    client.resource(patch).subresource("status").patch(APPLY, patch);
  }

  @Override
  public Optional<PredictiveHPA> present(PredictiveHPA resource) {
    var uid = Objects.requireNonNull(resource.getMetadata().getUid());
    return Optional.ofNullable(client.resource(resource).get())
        .filter(it -> uid.equals(it.getMetadata().getUid()));
  }
}
