package io.prescale.controller.inventory;

import io.prescale.placement.cluster.GpuDemand;
import io.prescale.placement.cluster.GpuShare;
import io.prescale.placement.cluster.RequestShape;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What a pod asks of devices. */
public sealed interface PodDemand {

  /** No devices that we know. */
  record None() implements PodDemand {}

  /**
   * Devices by number: the kubelet chooses which.
   *
   * @param units by resource
   */
  record Counted(Map<String, Long> units) implements PodDemand {
    public Counted {
      units = Map.copyOf(units);
    }
  }

  /**
   * Cards or shares of cards, which we choose.
   *
   * @param shape of all containers together
   * @param perContainer how many cards each container has, init containers first
   * @param cores percent of compute that each card is limited to; 0 for no limit
   * @param units the same by number when nodes with a plain device plugin can serve it too; empty
   *     when they cannot
   */
  record Cards(
      Family family,
      RequestShape shape,
      List<Integer> perContainer,
      int cores,
      Map<String, Long> units)
      implements PodDemand {
    private static final int MILLI_PER_PERCENT = 10;

    public Cards {
      perContainer = List.copyOf(perContainer);
      units = Map.copyOf(units);
      int cards = perContainer.stream().mapToInt(Integer::intValue).sum();
      if (cards != shape.gpus()) {
        throw new IllegalArgumentException(
            "the containers have %d cards and the pod %d".formatted(cards, shape.gpus()));
      }
    }

    /** What each container gets when the pod is given these shares. */
    public PodDevices devices(List<GpuShare> shares) {
      var containers = new ArrayList<List<DeviceUse>>();
      int next = 0;
      for (int count : perContainer) {
        containers.add(shares.subList(next, next + count).stream().map(this::use).toList());
        next += count;
      }
      return new PodDevices(containers);
    }

    private DeviceUse use(GpuShare share) {
      boolean asAsked =
          shape.demand() instanceof GpuDemand.WholeGpu
              && family.decided() == Family.Decided.SHARES_AND_CARDS;
      return new DeviceUse(
          share.uuid(),
          family.word(),
          share.memoryMib(),
          asAsked ? cores : share.computeMilli() / MILLI_PER_PERCENT);
    }
  }

  /** Something that cannot be served anywhere, with a sentence why. */
  record Refused(String sentence) implements PodDemand {}
}
