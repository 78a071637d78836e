package io.prescale.controller.plan.live;

import static java.util.stream.Collectors.toSet;

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
import java.net.HttpURLConnection;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has an autoscaler add nodes where bookings lack cards: writes CapacityBuffers, or what the
 * autoscaler has instead, and removes them once the replicas have their pods or are not expected
 * any more. What was asked for is read from the API server, so that it does not matter which leader
 * asked.
 */
final class BufferRound {
  private static final Logger LOG = LoggerFactory.getLogger(BufferRound.class);

  private final WaysToAsk ways;
  private final NodeStore nodes;
  private final BufferSettings settings;
  private final BooleanSupplier leads;

  /**
   * A round.
   *
   * @param stores the better ones first
   */
  BufferRound(
      List<BufferStore> stores, NodeStore nodes, BufferSettings settings, BooleanSupplier leads) {
    ways = new WaysToAsk(stores);
    this.nodes = nodes;
    this.settings = settings;
    this.leads = leads;
  }

  /** A booking, how it asks, what is needed, and what is known of how long nodes take. */
  private record Request(
      BookingLook look, WaysToAsk.Way way, Optional<List<RoomAhead>> room, NodeLeads leads) {
    Buffer buffer() {
      return way.buffer();
    }

    GpuBooking booking() {
      return look.booking().orElseThrow();
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

  /** What is asked for, why the others ask for nothing, and whether all that is held was read. */
  private record Read(
      List<Request> requests, Map<String, AskedNodes> refused, boolean isComplete) {}

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
    WaysToAsk served;
    try {
      served = ways.served();
    } catch (KubernetesClientException e) {
      booked.forEach(it -> asked.put(it.name(), failed(it, e)));
      return asked;
    }
    var read = read(served, booked, now);
    asked.putAll(read.refused());
    boolean isAllKnown = mayGrow && read.isComplete();
    var wishes = read.requests().stream().map(it -> wish(it, isAllKnown, now)).toList();
    var answers = BuffersAhead.of(wishes, settings.cards(), now);
    for (var request : read.requests()) {
      if (!leads.getAsBoolean()) {
        break;
      }
      var answer = Objects.requireNonNull(answers.get(request.look().name()));
      asked.put(request.look().name(), carriedOut(request, answer, now));
    }
    if (mayGrow && leads.getAsBoolean()) {
      retain(served, booked);
    }
    return asked;
  }

  private Read read(WaysToAsk served, List<BookingLook> booked, Instant now) {
    var requests = new ArrayList<Request>();
    var refused = new HashMap<String, AskedNodes>();
    boolean isComplete = true;
    for (var look : booked) {
      try {
        var way = served.of(look);
        if (way.isEmpty()) {
          refused.put(look.name(), unserved(look, now));
        } else if (way.get().found().filter(it -> !it.isOwn()).isPresent()) {
          refused.put(look.name(), anothers(look, now));
        } else {
          var room = look.room(now);
          var known = learned(look, way.get().buffer(), room, now);
          requests.add(new Request(look, way.get(), room, known));
        }
      } catch (KubernetesClientException e) {
        refused.put(look.name(), failed(look, e));
        isComplete &= e.getCode() == HttpURLConnection.HTTP_FORBIDDEN; // then nothing was written
      }
    }
    return new Read(requests, refused, isComplete);
  }

  private static void retain(WaysToAsk served, List<BookingLook> booked) {
    try {
      served.retain(
          booked.stream()
              .flatMap(it -> it.booking().stream())
              .map(it -> Objects.requireNonNull(it.getMetadata().getUid()))
              .collect(toSet()));
    } catch (KubernetesClientException e) {
      LOG.warn("Balloon pods may be left: {}", ApiFailure.text(e));
    }
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
  private NodeLeads learned(
      BookingLook look, Buffer buffer, Optional<List<RoomAhead>> room, Instant now) {
    var since = buffer.askedSince();
    boolean isOver = buffer.isOwn() && room.isPresent() && !isMissing(room);
    return since.isPresent() && isOver && nodes.hasNodeSince(since.get(), resources(look))
        ? leads(look).with(Duration.between(since.get(), now))
        : leads(look);
  }

  private static Set<String> resources(BookingLook look) {
    return look.template().map(BookedTemplate::resources).orElse(Set.of());
  }

  private BufferWish wish(Request request, boolean mayGrow, Instant now) {
    var look = request.look();
    return new BufferWish(
        look.name(),
        look.template().filter(_ -> request.isWanted()).map(nodes::cards).orElse(1.0),
        request.room(),
        look.missingSince(),
        request.held(now),
        mayGrow && !look.goesOn(),
        lead(request));
  }

  private Duration lead(Request request) {
    return request.leads().expected(settings.nodeLead());
  }

  private AskedNodes carriedOut(Request request, BuffersAhead.Answer answer, Instant now) {
    try {
      write(request, answer, now);
    } catch (KubernetesClientException e) {
      return failed(request.look(), e);
    }
    return new AskedNodes(answer.replicas(), sentence(request, answer), request.leads());
  }

  /**
   * Ends what a booking asks for.
   *
   * @return whether nothing is left
   */
  boolean end(GpuBooking booking) {
    return ways.end(booking);
  }

  private void write(Request request, BuffersAhead.Answer answer, Instant now) {
    int replicas = answer.replicas();
    var template = request.look().template();
    if (template.isEmpty() || replicas == 0) {
      request.way().end(request.booking());
      return;
    }
    var before = request.buffer();
    var since =
        replicas > before.replicas()
            ? before.askedSince().or(() -> Optional.of(now))
            : before.askedSince().filter(_ -> request.isMissing() || request.room().isEmpty());
    var held = new Held(replicas, answer.upTo(), request.held(now).unknownSince());
    var after = new Buffer(true, template.get().digest(), held, since);
    if (!after.equals(before)) {
      request.way().store().apply(request.booking(), template.get(), after);
    }
    request.way().endOthers(request.booking());
    request.way().store().tend(request.booking());
  }

  private String sentence(Request request, BuffersAhead.Answer answer) {
    var parts = new ArrayList<String>();
    if (answer.replicas() > 0) {
      parts.add(
          "%s for nodes for %s."
              .formatted(request.way().store().asks(), Wanted.replicas(answer.replicas())));
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
                            Wanted.TIME.format(it), Math.ceilDiv(lead(request).toSeconds(), 60))));
    return String.join(" ", parts);
  }

  private static AskedNodes unserved(BookingLook look, Instant now) {
    return notAsked(
        look,
        now,
        "Cards are missing, and the API server has nothing by which an autoscaler could be asked"
            + " for nodes; bookings.buffers of the chart says what there is.");
  }

  private static AskedNodes anothers(BookingLook look, Instant now) {
    return notAsked(
        look,
        now,
        "A CapacityBuffer of this name exists and is not of this booking; rename or delete it.");
  }

  private static AskedNodes notAsked(BookingLook look, Instant now, String why) {
    return new AskedNodes(0, isMissing(look.room(now)) ? why : "", leads(look));
  }

  private static AskedNodes failed(BookingLook look, KubernetesClientException e) {
    return new AskedNodes(0, "No nodes could be asked for: " + ApiFailure.text(e), leads(look));
  }
}
