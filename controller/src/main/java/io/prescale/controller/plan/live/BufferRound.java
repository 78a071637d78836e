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
 * Has an autoscaler add nodes where bookings lack cards: writes CapacityBuffers, and removes them
 * once the replicas have their pods or are not expected any more. What was asked for is read from
 * the API server, so that it does not matter which leader asked.
 */
final class BufferRound {
  private final BufferStore store;
  private final BufferSettings settings;
  private final BooleanSupplier leads;

  BufferRound(BufferStore store, BufferSettings settings, BooleanSupplier leads) {
    this.store = store;
    this.settings = settings;
    this.leads = leads;
  }

  /** A booking, the buffer of its name, and what is known of how long nodes take. */
  private record Case(
      BookingLook look, Optional<Buffer> found, Optional<List<RoomAhead>> room, NodeLeads leads) {
    Buffer buffer() {
      return found.orElse(Buffer.NONE);
    }

    boolean isMissing() {
      return room.stream().flatMap(List::stream).anyMatch(it -> it.missing() > 0);
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
    try {
      if (!store.isServed()) {
        booked.forEach(it -> asked.put(it.name(), unserved(it, now)));
        return asked;
      }
    } catch (KubernetesClientException e) {
      booked.forEach(it -> asked.put(it.name(), failed(it, e)));
      return asked;
    }
    var cases = new ArrayList<Case>();
    boolean allRead = mayGrow;
    for (var look : booked) {
      try {
        var one = read(look, now);
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

  private Case read(BookingLook look, Instant now) {
    var found = store.find(look.booking().orElseThrow());
    var room = look.room(now);
    return new Case(look, found, room, learned(new Case(look, found, room, leads(look)), now));
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
    if (since.isEmpty() || !isOver || !store.hasNodeSince(since.get(), resources(one.look()))) {
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
        look.template().filter(_ -> one.isWanted()).map(store::cards).orElse(1.0),
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
    return store.find(booking).filter(Buffer::isOwn).map(it -> isEnded(booking, it)).orElse(true);
  }

  private boolean isEnded(GpuBooking booking, Buffer buffer) {
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
      var _ = one.found().map(it -> isEnded(booking, it));
      return;
    }
    var since =
        replicas > before.replicas()
            ? before.askedSince().or(() -> Optional.of(now))
            : before.askedSince().filter(_ -> one.isMissing() || one.room().isEmpty());
    var held = new Held(replicas, answer.upTo(), one.held(now).unknownSince());
    var after = new Buffer(true, template.get().digest(), held, since);
    if (!after.equals(before)) {
      store.apply(booking, template.get(), after);
    }
  }

  private String sentence(Case one, BuffersAhead.Answer answer) {
    var parts = new ArrayList<String>();
    if (answer.replicas() > 0) {
      parts.add(
          "A CapacityBuffer asks for nodes for %s.".formatted(Wanted.replicas(answer.replicas())));
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
        new Case(look, Optional.empty(), look.room(now), leads(look)).isMissing()
            ? "Cards are missing, and the API server has no CapacityBuffers by which an autoscaler"
                + " could be asked for nodes."
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
    return new AskedNodes(0, "No CapacityBuffer: " + ApiFailure.text(e), leads(look));
  }
}
