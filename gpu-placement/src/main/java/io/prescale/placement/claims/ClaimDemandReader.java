package io.prescale.placement.claims;

import io.prescale.placement.claims.Claim.Request;
import io.prescale.placement.cluster.CardSelector;
import io.prescale.placement.cluster.GpuDemand;
import io.prescale.placement.cluster.LinkRequirement;
import io.prescale.placement.cluster.NodeSpec;
import io.prescale.placement.cluster.RequestShape;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Reads what a claim asks for, among the device classes and cards that there are. Where portions
 * differ between cards, a share is as large as the largest of them, so nothing is promised twice.
 * Not thread-safe.
 */
final class ClaimDemandReader {
  /** Claims may be written for no other purpose than to differ. */
  private static final int MOST_KNOWN = 1_000;

  private final CardStock stock;
  private final Map<String, List<String>> classes = new HashMap<>();
  private final Map<Request, ClaimDemand> known = new HashMap<>();

  ClaimDemandReader(CardStock stock) {
    this.stock = stock;
  }

  /** A device class has these selectors. */
  void put(String deviceClass, List<String> selectors) {
    classes.put(deviceClass, List.copyOf(selectors));
    known.clear();
  }

  /** Removes a device class that is gone. */
  void remove(String deviceClass) {
    classes.remove(deviceClass);
    known.clear();
  }

  /** Cards are read anew when next asked about. */
  void cardsChanged() {
    known.clear();
  }

  /** What a claim's only request asks for; empty when it is not understood. */
  ClaimDemand read(Optional<Request> only) {
    if (known.size() >= MOST_KNOWN) {
      known.clear();
    }
    return only.map(request -> known.computeIfAbsent(request, this::read))
        .orElse(
            new ClaimDemand.Refused(
                "its claim is not a single request of ExactCount without admin access and without"
                    + " constraints other than matchAttribute of resource.kubernetes.io/pcieRoot"));
  }

  private ClaimDemand read(Request request) {
    if (request.count() < 1 || request.count() > NodeSpec.MAX_GPUS) {
      return new ClaimDemand.Refused(
          "its claim asks for %d devices; a node has at most %d"
              .formatted(request.count(), NodeSpec.MAX_GPUS));
    }
    var ofClass = classes.get(request.deviceClass());
    if (ofClass == null) {
      return new ClaimDemand.Refused("there is no DeviceClass %s".formatted(request.deviceClass()));
    }
    var selectors = new ArrayList<Selector>();
    for (var expression : concat(ofClass, request.selectors())) {
      var selector = Selector.parse(expression);
      if (selector.isEmpty()) {
        return new ClaimDemand.Refused(
            "the selector %s is not understood; compare driver and attributes with =="
                .formatted(expression));
      }
      selectors.add(selector.get());
    }
    return demand(request, stock.cards(), selectors);
  }

  private static List<String> concat(List<String> some, List<String> more) {
    var all = new ArrayList<>(some);
    all.addAll(more);
    return all;
  }

  private static ClaimDemand demand(
      Request request, Collection<Card> cards, List<Selector> selectors) {
    var matching = matching(request, cards, selectors);
    if (matching.isEmpty()) {
      return new ClaimDemand.Refused(
          "no card is of DeviceClass %s and has what the claim asks"
              .formatted(request.deviceClass()));
    }
    // kube-scheduler wants the attribute of a single device, too.
    boolean isOfRoot = request.links().strength() == LinkRequirement.Strength.REQUIRED;
    var near = matching.stream().filter(it -> !isOfRoot || it.pcieRoot().isPresent()).toList();
    if (near.isEmpty()) {
      return new ClaimDemand.Refused(
          "no card of DeviceClass %s says on which PCIe root it is"
              .formatted(request.deviceClass()));
    }
    if (near.stream().map(card -> card.gpu().vendor()).distinct().count() > 1) {
      return new ClaimDemand.Refused(
          "DeviceClass %s has cards of several drivers; name one with device.driver"
              .formatted(request.deviceClass()));
    }
    var shared = near.stream().filter(card -> card.device().shared()).toList();
    var usable = shared.isEmpty() ? near : shared;
    return new ClaimDemand.Cards(
        RequestShape.of(request.count(), demand(request, usable))
            .withCards(selector(cards, usable))
            .withLinks(request.links()));
  }

  private static List<Card> matching(
      Request request, Collection<Card> cards, List<Selector> selectors) {
    return cards.stream()
        .filter(
            card ->
                selectors.stream().allMatch(s -> s.accepts(card.address().driver(), card.device())))
        .filter(card -> card.part(request.capacity()).isPresent())
        .toList();
  }

  private static GpuDemand demand(Request request, List<Card> cards) {
    if (!cards.getFirst().device().shared()) {
      return GpuDemand.WholeGpu.ANY;
    }
    int milli = 0;
    int memoryMib = 1;
    for (var card : cards) {
      var part = card.part(request.capacity()).orElseThrow();
      milli = Math.max(milli, part.milli());
      memoryMib = Math.max(memoryMib, part.memoryMib());
    }
    return new GpuDemand.Share(Math.min(milli, 1000), memoryMib);
  }

  /** By the driver when it is all of its cards, because a short selector is quickly compared. */
  private static CardSelector selector(Collection<Card> all, List<Card> matching) {
    var driver = matching.getFirst().gpu().vendor();
    long ofDriver = all.stream().filter(card -> card.gpu().vendor().equals(driver)).count();
    Set<String> uuids =
        ofDriver == matching.size()
            ? Set.of()
            : matching.stream().map(card -> card.gpu().uuid()).collect(Collectors.toSet());
    return new CardSelector(Set.of(driver), Set.of(), Set.of(), uuids, Set.of(), Set.of());
  }
}
