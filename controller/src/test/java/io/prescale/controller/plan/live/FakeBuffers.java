package io.prescale.controller.plan.live;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.prescale.controller.api.v1alpha1.GpuBooking;
import io.prescale.controller.plan.BufferWish.Held;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** CapacityBuffers in memory, what was written, and the nodes that came. */
final class FakeBuffers implements BufferStore, NodeStore {
  private final String asks;
  private final Predicate<BookedTemplate> suits;

  final Map<String, Buffer> buffers = new HashMap<>();
  final Map<Instant, String> nodes = new HashMap<>();
  final Set<String> unreachable = new HashSet<>();
  final List<String> log = new ArrayList<>();
  final Set<String> retained = new HashSet<>();
  boolean isServed = true;
  double cardsOfReplica = 1;

  FakeBuffers() {
    this("A CapacityBuffer asks", _ -> true);
  }

  FakeBuffers(String asks, Predicate<BookedTemplate> suits) {
    this.asks = asks;
    this.suits = suits;
  }

  @Override
  public String asks() {
    return asks;
  }

  @Override
  public boolean suits(BookedTemplate template) {
    return suits.test(template);
  }

  @Override
  public boolean isServed() {
    if (unreachable.contains("discovery")) {
      throw new KubernetesClientException("forbidden", 403, null);
    }
    return isServed;
  }

  private String reached(GpuBooking booking) {
    var name = booking.getMetadata().getName();
    if (unreachable.contains(name)) {
      throw new KubernetesClientException("down", 503, null);
    }
    return name;
  }

  @Override
  public Optional<Buffer> find(GpuBooking booking) {
    return Optional.ofNullable(buffers.get(reached(booking)));
  }

  @Override
  public void apply(GpuBooking booking, BookedTemplate template, Buffer buffer) {
    buffers.put(reached(booking), buffer);
    log.add("apply %s %d".formatted(booking.getMetadata().getName(), buffer.replicas()));
  }

  @Override
  public void release(GpuBooking booking) {
    buffers.computeIfPresent(
        reached(booking),
        (_, it) -> new Buffer(it.isOwn(), it.shape(), Held.NONE, Optional.empty()));
    log.add("release " + booking.getMetadata().getName());
  }

  @Override
  public void delete(GpuBooking booking) {
    buffers.remove(reached(booking));
    log.add("delete " + booking.getMetadata().getName());
  }

  @Override
  public void retain(Set<String> bookings) {
    retained.addAll(bookings);
  }

  @Override
  public double cards(BookedTemplate template) {
    return cardsOfReplica;
  }

  @Override
  public boolean hasNodeSince(Instant time, Set<String> resources) {
    return nodes.entrySet().stream()
        .anyMatch(it -> !it.getKey().isBefore(time) && resources.contains(it.getValue()));
  }
}
