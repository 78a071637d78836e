package io.prescale.controller.plan.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.prescale.controller.api.v1alpha1.BookingStatus;
import io.prescale.controller.api.v1alpha1.GpuBooking;
import io.prescale.controller.api.v1alpha1.GpuBookingSpec;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.api.v1alpha1.PredictiveHPAStatus;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Bookings in memory, and what was written. */
final class FakeBookings implements BookingStore {
  final Map<String, HasMetadata> targets = new HashMap<>();
  final Map<String, GpuBooking> bookings = new HashMap<>();
  final Set<String> changed = new HashSet<>();
  final Set<String> reportedOn = new HashSet<>();
  final Set<String> unreachable = new HashSet<>();
  final List<String> log = new ArrayList<>();

  @Override
  public Optional<HasMetadata> target(PredictiveHPA resource) {
    return Optional.ofNullable(targets.get(resource.getMetadata().getName()));
  }

  @Override
  public Optional<GpuBooking> find(PredictiveHPA resource) {
    if (unreachable.contains(resource.getMetadata().getName())) {
      throw new KubernetesClientException("down", 503, null);
    }
    return Optional.ofNullable(bookings.get(resource.getMetadata().getName()));
  }

  GpuBooking get(String name) {
    return Objects.requireNonNull(bookings.get(name), name);
  }

  @Override
  public void apply(PredictiveHPA resource, GpuBookingSpec spec, Optional<GpuBooking> seen) {
    var name = resource.getMetadata().getName();
    if (reportedOn.remove(name)) {
      log.add("conflict on " + name);
      throw new KubernetesClientException("changed", 409, null);
    }
    assertThat(seen)
        .as("the version that is there")
        .isEqualTo(Optional.ofNullable(bookings.get(name)));
    log.add("apply " + name + " with " + spec.needs().size() + " needs");
    put(name, resource.getMetadata().getUid(), spec);
  }

  /** A booking, as if its owner had written it. */
  void put(String name, String owner, GpuBookingSpec spec) {
    var booking = bookings.computeIfAbsent(name, _ -> new GpuBooking());
    var meta = booking.getMetadata();
    meta.setNamespace("models");
    meta.setName(name);
    meta.setUid("booking-" + name);
    meta.setGeneration(meta.getGeneration() == null ? 1 : meta.getGeneration() + 1);
    meta.setOwnerReferences(List.of(new OwnerReferenceBuilder().withUid(owner).build()));
    booking.setSpec(spec);
  }

  @Override
  public void delete(GpuBooking booking) {
    log.add("delete " + booking.getMetadata().getName());
    bookings.remove(booking.getMetadata().getName());
  }

  @Override
  public void report(PredictiveHPA resource, @Nullable BookingStatus status) {
    if (changed.contains(resource.getMetadata().getName())) {
      throw new KubernetesClientException("changed", 409, null);
    }
    var known = Optional.ofNullable(resource.getStatus());
    resource.setStatus(known.orElse(PredictiveHPAStatus.only(null)).with(status));
    log.add(
        "report %s %s"
            .formatted(
                resource.getMetadata().getName(), status == null ? "nothing" : status.reason()));
  }

  @Override
  public Optional<PredictiveHPA> present(PredictiveHPA resource) {
    log.add("read " + resource.getMetadata().getName());
    changed.remove(resource.getMetadata().getName());
    return Optional.of(resource);
  }
}
