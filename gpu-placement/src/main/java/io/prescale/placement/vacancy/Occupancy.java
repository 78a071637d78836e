package io.prescale.placement.vacancy;

import io.prescale.placement.cluster.Gpu;
import io.prescale.placement.cluster.GpuDemand;
import io.prescale.placement.cluster.GpuNode;
import io.prescale.placement.cluster.GpuShare;
import io.prescale.placement.cluster.Placement;
import io.prescale.placement.cluster.RequestShape;
import io.prescale.placement.overcommit.MemoryStacking;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntPredicate;

/** The free capacity of the nodes without the leaving pods and with the requests placed so far. */
final class Occupancy {
  private final RunningPods pods;
  private final Departures departures;
  private final Optional<MemoryStacking> stacking;
  private final Map<Integer, List<Placement>> arrivals = new HashMap<>();

  Occupancy(RunningPods pods, Departures departures, Optional<MemoryStacking> stacking) {
    this.pods = pods;
    this.departures = departures;
    this.stacking = stacking;
  }

  void arrive(int node, Placement placement) {
    arrivals.computeIfAbsent(node, _ -> new ArrayList<>()).add(placement);
  }

  void takeBack(int node) {
    arrivals(node).removeLast();
  }

  /**
   * The node without the pods for which {@code leaves} is true, and with the requests placed so
   * far.
   */
  GpuNode node(int index, IntPredicate leaves) {
    GpuNode node = pods.cluster().node(index);
    for (int pod : pods.onNode(index)) {
      if (leaves.test(pod)) {
        node = node.without(pods.placement(pod).request().name());
      }
    }
    GpuNode now = withArrivals(node, index);
    return stacking.map(it -> it.applyTo(now)).orElse(now);
  }

  private GpuNode withArrivals(GpuNode before, int index) {
    GpuNode node = before;
    for (Placement arrival : arrivals(index)) {
      node = node.with(arrival);
    }
    return node;
  }

  private List<Placement> arrivals(int node) {
    return arrivals.getOrDefault(node, List.of());
  }

  /** Whether the card can serve a demand now; so many times, if it is in MIG mode. */
  boolean fits(int node, int card, GpuDemand demand, int times) {
    if (demand instanceof GpuDemand.WholeGpu) {
      return isIdle(node, card);
    }
    List<GpuShare> shares = sharesOn(node, card);
    Gpu gpu = pods.cluster().node(node).gpu(card);
    return switch (demand) {
      case GpuDemand.NoGpu _, GpuDemand.WholeGpu _ -> false;
      case GpuDemand.MigInstance _ -> hasInstances(node, card, demand, times);
      case GpuDemand.Fraction _, GpuDemand.Share _ ->
          shares.size() + times <= gpu.slots()
              && (gpu.partitioning().isMig()
                  ? hasInstances(node, card, demand, times)
                  : freeCompute(gpu, shares) >= Math.max(1, gpu.computeMilliFor(demand))
                      && hasMemory(node, card, gpu.memoryMibFor(demand), shares));
    };
  }

  private boolean isIdle(int node, int card) {
    for (int pod : pods.onCard(node, card)) {
      if (!departures.isGone(pod)) {
        return false;
      }
    }
    for (Placement arrival : arrivals(node)) {
      for (GpuShare share : arrival.shares()) {
        if (share.card() == card) {
          return false;
        }
      }
    }
    return true;
  }

  private boolean hasInstances(int node, int card, GpuDemand demand, int count) {
    return withOnly(node, card).shares(card, demand, count).size() == count;
  }

  private static long freeCompute(Gpu gpu, List<GpuShare> shares) {
    return gpu.computeMilli() - shares.stream().mapToLong(GpuShare::computeMilli).sum();
  }

  /** By what the card has; only if that does not suffice, by what it promises then. */
  private boolean hasMemory(int node, int card, int wantedMib, List<GpuShare> shares) {
    long free =
        pods.cluster().node(node).gpu(card).memoryMib()
            - shares.stream().mapToLong(GpuShare::memoryMib).sum();
    return free >= wantedMib
        || stacking.filter(it -> it.admits(withOnly(node, card), card, wantedMib)).isPresent();
  }

  /** The node with what is on one card now. */
  private GpuNode withOnly(int index, int card) {
    GpuNode node = GpuNode.of(pods.cluster().node(index).spec());
    for (int pod : pods.onCard(index, card)) {
      if (!departures.isGone(pod)) {
        node = node.with(pods.placement(pod));
      }
    }
    return withArrivals(node, index);
  }

  private List<GpuShare> sharesOn(int node, int card) {
    List<GpuShare> shares = new ArrayList<>();
    for (int pod : pods.onCard(node, card)) {
      if (!departures.isGone(pod)) {
        addShares(pods.placement(pod), card, shares);
      }
    }
    for (Placement arrival : arrivals(node)) {
      addShares(arrival, card, shares);
    }
    return shares;
  }

  private static void addShares(Placement placement, int card, List<GpuShare> shares) {
    for (GpuShare share : placement.shares()) {
      if (share.card() == card) {
        shares.add(share);
      }
    }
  }

  /** The CPU and memory that a node lacks for a request. */
  record HostLack(long cpuMilli, long memoryMib) {
    boolean isNone() {
      return cpuMilli <= 0 && memoryMib <= 0;
    }
  }

  HostLack hostLack(int index, RequestShape shape) {
    GpuNode node = pods.cluster().node(index);
    long cpu = shape.host().cpuMilli() - node.freeCpuMilli();
    long memory = shape.host().memoryMib() - node.freeMemoryMib();
    for (int pod : pods.onNode(index)) {
      if (departures.isGone(pod)) {
        cpu -= pods.placement(pod).request().shape().host().cpuMilli();
        memory -= pods.placement(pod).request().shape().host().memoryMib();
      }
    }
    for (Placement arrival : arrivals(index)) {
      cpu += arrival.request().shape().host().cpuMilli();
      memory += arrival.request().shape().host().memoryMib();
    }
    return new HostLack(cpu, memory);
  }
}
