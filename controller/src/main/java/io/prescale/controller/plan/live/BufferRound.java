package io.prescale.controller.plan.live;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.prescale.controller.api.v1alpha1.BookingStatus;
import io.prescale.controller.api.v1alpha1.GpuBooking;
import io.prescale.controller.api.v1alpha1.PredictiveHPAStatus;
import io.prescale.controller.cluster.ApiFailure;
import io.prescale.controller.plan.BufferWish;
import io.prescale.controller.plan.BufferWish.Held;
import io.prescale.controller.plan.BuffersAhead;
import io.prescale.controller.plan.NodeLeads;
import io.prescale.controller.plan.RoomAhead;
import io.prescale.controller.plan.live.BufferStore.Buffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * Has an autoscaler add nodes where bookings lack cards: writes CapacityBuffers, or what the
 * autoscaler has instead, and removes them once the replicas have their pods or are not expected
 * any more. What was asked for is read from the API server, so that it does not matter which leader
 * asked.
 */
final class BufferRound {
  private final List<BufferStore> stores;
  private final NodeStore nodes;
  private final BufferSettings settings;
  private final BooleanSupplier leads;

  /**
   * A round.
   *
   * @param stores the one that is better where both can ask comes first
   */
  BufferRound(
      List<BufferStore> stores, NodeStore nodes, BufferSettings settings, BooleanSupplier leads) {
    this.stores = List.copyOf(stores);
    this.nodes = nodes;
    this.settings = settings;
    this.leads = leads;
  }

  /** A booking, where it asks, its buffer, and what is known of how long nodes take. */
  private record Case(
      BookingLook look,
      BufferStore store,
      Optional<Buffer> found,
      Optional<List<RoomAhead>> room,
      NodeLeads leads) {
    Buffer buffer() {
      return found.orElse(Buffer.NONE);
    }

    boolean isMissing() {
      return BufferRound.isMissing(room);
    }

    boolean isWanted() {
      return isMissing() || buffer().replicas() > 0;
    }

    /** What is held, and since when it is not known what it is held for. */
    Held held(Instant now) {
      var held = buffer().held();
      return new Held(
          held.replicas(),
          held.upTo(),
          room.isPresent() ? Optional.empty() : held.unknownSince().or(() -> Optional.of(now)));
    }
  }

  private static boolean isMissing(Optional<List<RoomAhead>> room) {
    return room.stream().flatMap(List::stream).anyMatch(it -> it.missing() > 0);
  }

  /**
   * Writes what has changed, and says of each workload what was asked for. Unless all that is held
   * was read, nothing more is asked for: it might be more than the limit allows.
   *
   * @param mayGrow whether all bookings are known
   */
  Map<String, AskedNodes> write(List<BookingLook> looks, boolean mayGrow, Instant now) {
    var asked = new HashMap<String, AskedNodes>();
    looks.forEach(it -> asked.put(it.name(), new AskedNodes(0, "", leads(it))));
    var booked = looks.stream().filter(it -> it.booking().isPresent()).toList();
    if (booked.isEmpty()) {
      return asked;
    }
    List<BufferStore> served;
    try {
      served = stores.stream().filter(BufferStore::isServed).toList();
    } catch (KubernetesClientException e) {
      booked.forEach(it -> asked.put(it.name(), failed(it, e)));
      return asked;
    }
    if (served.isEmpty()) {
      booked.forEach(it -> asked.put(it.name(), unserved(it, now)));
      return asked;
    }
    var cases = new ArrayList<Case>();
    boolean allRead = mayGrow;
    for (var look : booked) {
      try {
        var one = read(look, served, now);
        if (one.buffer().isOwn()) {
          cases.add(one);
        } else {
          asked.put(look.name(), anothers(one));
        }
      } catch (KubernetesClientException e) {
        asked.put(look.name(), failed(look, e));
        allRead = false;
      }
    }
    boolean isAllRead = allRead;
    var wishes = cases.stream().map(it -> wish(it, isAllRead, now)).toList();
    var answers = BuffersAhead.of(wishes, settings.cards(), now);
    for (var one : cases) {
      if (!leads.getAsBoolean()) {
        break;
      }
      var answer = Objects.requireNonNull(answers.get(one.look().name()));
      asked.put(one.look().name(), carriedOut(one, answer, now));
    }
    return asked;
  }

  /** What another kind of object asks for as well, since that one was served before, ends. */
  private Case read(BookingLook look, List<BufferStore> served, Instant now) {
    var booking = look.booking().orElseThrow();
    var store =
        served.stream()
            .filter(it -> look.template().map(it::suits).orElse(true))
            .findFirst()
            .orElse(served.getLast());
    served.stream().filter(it -> !it.equals(store)).forEach(it -> end(it, booking));
    var found = store.find(booking);
    var room = look.room(now);
    var one = new Case(look, store, found, room, leads(look));
    return new Case(look, store, found, room, learned(one, now));
  }

  private static NodeLeads leads(BookingLook look) {
    var seconds =
        Optional.ofNullable(look.resource().getStatus())
            .map(PredictiveHPAStatus::booking)
            .map(BookingStatus::nodeLeadSeconds)
            .orElse(List.of());
    return new NodeLeads(seconds.stream().map(Duration::ofSeconds).toList());
  }

  /** Once nothing is missing any more, and because a node has come. */
  private NodeLeads learned(Case one, Instant now) {
    var since = one.buffer().askedSince();
    boolean isOver = one.buffer().isOwn() && one.room().isPresent() && !one.isMissing();
    if (since.isEmpty() || !isOver || !nodes.hasNodeSince(since.get(), resources(one.look()))) {
      return one.leads();
    }
    return one.leads().with(Duration.between(since.get(), now));
  }

  private static Set<String> resources(BookingLook look) {
    return look.template().map(BookedTemplate::resources).orElse(Set.of());
  }

  private BufferWish wish(Case one, boolean mayGrow, Instant now) {
    var look = one.look();
    return new BufferWish(
        look.name(),
        look.template().filter(_ -> one.isWanted()).map(nodes::cards).orElse(1.0),
        one.room(),
        look.missingSince(),
        one.held(now),
        mayGrow && !look.goesOn(),
        lead(one));
  }

  private Duration lead(Case one) {
    return one.leads().expected(settings.nodeLead());
  }

  private AskedNodes carriedOut(Case one, BuffersAhead.Answer answer, Instant now) {
    try {
      write(one, answer, now);
    } catch (KubernetesClientException e) {
      return failed(one.look(), e);
    }
    return new AskedNodes(answer.replicas(), sentence(one, answer), one.leads());
  }

  /**
   * Ends the buffer of a booking: has it hold nothing, and deletes it in the next look, since
   * Karpenter holds the nodes of one that is deleted until it looks for nodes again, and a change
   * of a buffer makes it do so.
   *
   * @return whether the booking has none any more
   */
  boolean end(GpuBooking booking) {
    boolean isOver = true;
    for (var store : stores) {
      isOver &= end(store, booking);
    }
    return isOver;
  }

  private static boolean end(BufferStore store, GpuBooking booking) {
    return store
        .find(booking)
        .filter(Buffer::isOwn)
        .map(it -> isEnded(store, booking, it))
        .orElse(true);
  }

  private static boolean isEnded(BufferStore store, GpuBooking booking, Buffer buffer) {
    if (buffer.replicas() > 0) {
      store.release(booking);
      return false;
    }
    store.delete(booking);
    return true;
  }

  private void write(Case one, BuffersAhead.Answer answer, Instant now) {
    int replicas = answer.replicas();
    var booking = one.look().booking().orElseThrow();
    var before = one.buffer();
    var template = one.look().template();
    if (template.isEmpty() || replicas == 0) {
      var _ = one.found().map(it -> isEnded(one.store(), booking, it));
      return;
    }
    var since =
        replicas > before.replicas()
            ? before.askedSince().or(() -> Optional.of(now))
            : before.askedSince().filter(_ -> one.isMissing() || one.room().isEmpty());
    var held = new Held(replicas, answer.upTo(), one.held(now).unknownSince());
    var after = new Buffer(true, template.get().digest(), held, since);
    if (!after.equals(before)) {
      one.store().apply(booking, template.get(), after);
    }
    one.store().tend(booking);
  }

  private String sentence(Case one, BuffersAhead.Answer answer) {
    var parts = new ArrayList<String>();
    if (answer.replicas() > 0) {
      parts.add(
          "%s for nodes for %s.".formatted(one.store().asks(), Wanted.replicas(answer.replicas())));
    }
    if (answer.beyond() > 0) {
      parts.add(
          "For %s no nodes are asked for: %s does not suffice."
              .formatted(Wanted.replicas(answer.beyond()), settings.limit()));
    }
    answer
        .next()
        .ifPresent(
            it ->
                parts.add(
                    "For those whose cards are missing, nodes are asked for at %s UTC; one takes %d min."
                        .formatted(
                            Wanted.TIME.format(it), Math.ceilDiv(lead(one).toSeconds(), 60))));
    return String.join(" ", parts);
  }

  private static AskedNodes unserved(BookingLook look, Instant now) {
    return new AskedNodes(
        0,
        isMissing(look.room(now))
            ? "Cards are missing, and the API server has no CapacityBuffers by which an autoscaler"
                + " could be asked for nodes; bookings.buffers.balloons of the chart has pods ask."
            : "",
        leads(look));
  }

  private static AskedNodes anothers(Case one) {
    return new AskedNodes(
        0,
        one.isMissing()
            ? "A CapacityBuffer of this name exists and is not of this booking; rename or delete"
                + " it."
            : "",
        one.leads());
  }

  private static AskedNodes failed(BookingLook look, KubernetesClientException e) {
    return new AskedNodes(0, "No nodes could be asked for: " + ApiFailure.text(e), leads(look));
  }
}
