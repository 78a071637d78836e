package io.prescale.placement.claims;

import io.prescale.placement.claims.Device.Address;
import io.prescale.placement.cluster.GpuShare;
import io.prescale.placement.cluster.Placement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/** The cards that claims can have, by address and by node. Not thread-safe. */
final class Seats {
  private final Map<Address, Seat> byAddress = new HashMap<>();
  private final Map<String, List<Seat>> byNode = new HashMap<>();

  /**
   * One card.
   *
   * @param index its place among the cards of its node
   */
  record Seat(String node, int index, Card card) {}

  /** Replaces the cards of a node, in this order. */
  void replace(String node, List<Card> cards) {
    on(node).forEach(seat -> byAddress.remove(seat.card().address(), seat));
    var seats = new ArrayList<Seat>();
    for (int index = 0; index < cards.size(); index++) {
      var seat = new Seat(node, index, cards.get(index));
      seats.add(seat);
      byAddress.put(seat.card().address(), seat);
    }
    if (seats.isEmpty()) {
      byNode.remove(node);
    } else {
      byNode.put(node, seats);
    }
  }

  /** Every card, in no order. */
  Collection<Seat> all() {
    return byAddress.values();
  }

  private List<Seat> on(String node) {
    return byNode.getOrDefault(node, List.of());
  }

  /** What a claim holds of known cards, or is pinned to. */
  Optional<Placement> placement(Claim claim) {
    if (claim.isAllocated()) {
      return held(claim);
    }
    return claim.pin().flatMap(pin -> pinned(claim, pin));
  }

  private Optional<Placement> held(Claim claim) {
    var parts = new TreeMap<Integer, Card.Part>();
    var nodes = new TreeSet<String>();
    for (var held : claim.held()) {
      var seat = byAddress.get(held.device());
      if (seat != null) {
        nodes.add(seat.node());
        parts.merge(seat.index(), seat.card().taken(held.consumed()), Card.Part::plus);
      }
    }
    // Devices of one claim can be reached from one node; a claim that says otherwise is no claim.
    return nodes.size() == 1
        ? Optional.of(placement(claim, nodes.first(), parts))
        : Optional.empty();
  }

  private Optional<Placement> pinned(Claim claim, Claim.Pin pin) {
    var parts = new TreeMap<Integer, Card.Part>();
    for (var seat : on(pin.node())) {
      if (pin.uuids().contains(seat.card().gpu().uuid())) {
        claim
            .request()
            .flatMap(request -> seat.card().part(request.capacity()))
            .ifPresent(part -> parts.put(seat.index(), part));
      }
    }
    return parts.isEmpty() ? Optional.empty() : Optional.of(placement(claim, pin.node(), parts));
  }

  /** The same shares of the same cards, wherever they are now; empty if one is gone. */
  Optional<Placement> again(Placement before) {
    var shares = new ArrayList<GpuShare>();
    for (var share : before.shares()) {
      on(before.node()).stream()
          .filter(seat -> seat.card().gpu().uuid().equals(share.uuid()))
          .forEach(seat -> shares.add(share.onCard(seat.index())));
    }
    return shares.size() == before.shares().size()
        ? Optional.of(new Placement(before.request(), before.node(), shares))
        : Optional.empty();
  }

  private Placement placement(Claim claim, String node, Map<Integer, Card.Part> parts) {
    var seats = on(node);
    var shares = new ArrayList<GpuShare>();
    parts.forEach(
        (index, part) ->
            shares.add(
                new GpuShare(
                    index,
                    seats.get(index).card().gpu().uuid(),
                    part.milli(),
                    part.memoryMib(),
                    Optional.empty())));
    return Placement.observed(claim.key().toString(), 0, node, shares);
  }
}
