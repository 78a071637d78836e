package io.prescale.controller.plan.live;

import io.prescale.controller.api.v1alpha1.GpuBooking;
import io.prescale.controller.plan.live.BufferStore.Buffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;

/**
 * The objects by which an autoscaler can be asked for nodes; of those that suit, and whose name is
 * not taken by another owner, the first asks.
 */
final class WaysToAsk {
  private final List<BufferStore> stores;

  WaysToAsk(List<BufferStore> stores) {
    this.stores = List.copyOf(stores);
  }

  /**
   * How a booking asks.
   *
   * @param found what it asks for already, perhaps by another way: then it has yet to be written
   * @param own what it asks for by each way; by several where some were the only ones then
   */
  record Way(BufferStore store, Optional<Buffer> found, Map<BufferStore, Buffer> own) {
    Way {
      own = Map.copyOf(own);
    }

    Buffer buffer() {
      return found.orElse(Buffer.NONE);
    }

    /** Ends all that it asks for. */
    void end(GpuBooking booking) {
      own.forEach((each, buffer) -> WaysToAsk.end(each, booking, buffer));
    }

    /** Ends what it asks for by other ways. */
    void endOthers(GpuBooking booking) {
      own.forEach(
          (other, buffer) -> {
            if (!other.equals(store)) {
              WaysToAsk.end(other, booking, buffer);
            }
          });
    }
  }

  /** Those that the API server has; sends a request for each. */
  WaysToAsk served() {
    return new WaysToAsk(stores.stream().filter(BufferStore::isServed).toList());
  }

  /** How a booking asks; empty if it does not, and none of them suits. */
  Optional<Way> of(BookingLook look) {
    var booking = look.booking().orElseThrow();
    var holding = new LinkedHashMap<BufferStore, Buffer>();
    for (var store : stores) {
      if (store.mayHold(booking)) {
        store.find(booking).ifPresent(it -> holding.put(store, it));
      }
    }
    var suited =
        stores.stream().filter(it -> look.template().filter(it::suits).isPresent()).toList();
    return suited.stream()
        .filter(it -> holding.getOrDefault(it, Buffer.NONE).isOwn())
        .findFirst()
        .or(() -> suited.stream().findFirst())
        .or(() -> holding.keySet().stream().findFirst())
        .map(store -> way(store, holding));
  }

  private static Way way(BufferStore store, SequencedMap<BufferStore, Buffer> holding) {
    var own = new LinkedHashMap<>(holding);
    own.values().removeIf(it -> !it.isOwn());
    var found =
        Optional.ofNullable(holding.get(store))
            .or(() -> own.values().stream().findFirst().map(Buffer::unwritten));
    return new Way(store, found, own);
  }

  /**
   * Ends what a booking asks for: has it hold nothing, and deletes it in the next look, since
   * Karpenter holds the nodes of a buffer that is deleted until it looks for nodes again, and a
   * change of a buffer makes it do so.
   *
   * @return whether nothing is left
   */
  boolean end(GpuBooking booking) {
    boolean isOver = true;
    for (var store : stores) {
      var own =
          store.mayHold(booking)
              ? store.find(booking).filter(Buffer::isOwn)
              : Optional.<Buffer>empty();
      isOver &= own.map(it -> end(store, booking, it)).orElse(true);
    }
    return isOver;
  }

  private static boolean end(BufferStore store, GpuBooking booking, Buffer buffer) {
    if (buffer.replicas() > 0) {
      store.release(booking);
      return false;
    }
    store.delete(booking);
    return true;
  }

  /** Ends what bookings ask for that are gone; these are all that there are. */
  void retain(Set<String> bookings) {
    stores.forEach(it -> it.retain(bookings));
  }
}
