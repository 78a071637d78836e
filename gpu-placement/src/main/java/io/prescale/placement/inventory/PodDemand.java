package io.prescale.placement.inventory;

import io.prescale.placement.cluster.CardSelector;
import io.prescale.placement.cluster.GpuDemand;
import io.prescale.placement.cluster.GpuShare;
import io.prescale.placement.cluster.RequestShape;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The devices that a pod asks for. */
public sealed interface PodDemand {

  /** No devices of a known kind. */
  record None() implements PodDemand {}

  /**
   * Devices by number: the kubelet chooses which.
   *
   * @param units by resource and in the order of these
   */
  record Counted(Map<String, Long> units) implements PodDemand {
    public Counted {
      units = Collections.unmodifiableMap(new TreeMap<>(units));
    }
  }

  /**
   * Cards or shares of cards, which Prescale chooses.
   *
   * @param shape of all containers together
   * @param perContainer how many cards each container has, init containers first
   * @param before the places of containers that run before those that follow, whose cards they
   *     have, and beside the sidecars that precede them
   * @param cores percent of compute that each card is limited to; 0 for no limit
   * @param units the demand as a number of devices, if nodes with a plain device plugin can serve
   *     it too; else empty
   */
  record Cards(
      Family family,
      RequestShape shape,
      List<Integer> perContainer,
      Set<Integer> before,
      int cores,
      Map<String, Long> units)
      implements PodDemand {
    private static final int MILLI_PER_PERCENT = 10;

    public Cards {
      perContainer = List.copyOf(perContainer);
      before = Set.copyOf(before);
      units = Map.copyOf(units);
      int cards = PodDemand.cards(perContainer, before);
      if (cards != shape.gpus()) {
        throw new IllegalArgumentException(
            "the containers have %d cards and the pod %d".formatted(cards, shape.gpus()));
      }
    }

    /** The demand without some cards. */
    public Cards without(Set<String> uuids) {
      return uuids.isEmpty() ? this : withCards(shape.cards().without(uuids));
    }

    /** The demand among some cards; the same if it accepts none of them. */
    public Cards among(Set<String> uuids) {
      var accepted = new HashSet<>(uuids);
      if (!shape.cards().uuids().isEmpty()) {
        accepted.retainAll(shape.cards().uuids());
      }
      return accepted.isEmpty() ? this : withCards(shape.cards().among(accepted));
    }

    private Cards withCards(CardSelector selector) {
      return new Cards(family, shape.withCards(selector), perContainer, before, cores, units);
    }

    /** What each container gets when the pod is given these shares. */
    public PodDevices devices(List<GpuShare> shares) {
      var containers = new ArrayList<List<DeviceUse>>();
      int next = 0;
      for (int place = 0; place < perContainer.size(); place++) {
        int count = perContainer.get(place);
        containers.add(shares.subList(next, next + count).stream().map(this::use).toList());
        next = before.contains(place) ? next : next + count;
      }
      return new PodDevices(containers);
    }

    private DeviceUse use(GpuShare share) {
      boolean asAsked =
          shape.demand() instanceof GpuDemand.WholeGpu
              && family.decided() instanceof Family.Decided.SharesAndCards;
      return new DeviceUse(
          share.uuid(),
          family.word(),
          share.memoryMib(),
          asAsked ? cores : share.computeMilli() / MILLI_PER_PERCENT,
          share.mig());
    }
  }

  /**
   * The largest number of cards that a pod has at one time: of all containers that stay, or of one
   * that ends and the sidecars that precede it (KEP-753).
   */
  static int cards(List<Integer> perContainer, Set<Integer> before) {
    int together = 0;
    int most = 0;
    for (int place = 0; place < perContainer.size(); place++) {
      if (before.contains(place)) {
        most = Math.max(most, together + perContainer.get(place));
      } else {
        together += perContainer.get(place);
      }
    }
    return Math.max(most, together);
  }

  /** A demand that no node can serve, with a sentence why. */
  record Refused(String sentence) implements PodDemand {}
}
