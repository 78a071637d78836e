package io.prescale.controller.demo;

import io.prescale.controller.web.GpuPage;
import io.prescale.controller.web.GpusView;
import io.prescale.controller.web.cards.CardFacts;
import io.prescale.controller.web.cards.GpuPages;
import io.prescale.placement.cluster.GpuNode;
import io.prescale.placement.cluster.GpuShare;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/** Nodes and cards of a simulation as they are at one moment, for the page. */
final class DemoGpus implements CardFacts {
  /** A pod that loads its model keeps little of its card busy. */
  private static final int BUSY_WHILE_LOADING = 50;

  private final SimulatedCluster cluster;
  private final Instant now;
  private final Map<String, Pod> pods = new HashMap<>();
  private final Map<Workload, Integer> busyMilli = new HashMap<>();

  DemoGpus(Simulation simulation) {
    this.cluster = simulation.cluster();
    this.now = simulation.now();
    cluster.pods().forEach(pod -> pods.put(pod.name(), pod));
    simulation.services().forEach(it -> busyMilli.put(it.workload(), busyMilli(it)));
  }

  /** How busy each ready replica keeps its part of a card, in thousandths of that part. */
  private int busyMilli(SimulatedService service) {
    int ready = Math.max(1, cluster.ready(service.workload(), now));
    double load = service.demand() / (ready * service.workload().capacityPerReplica());
    return (int) Math.round(service.workload().busyMilli() * Math.min(1, load));
  }

  GpuPage page(GpusView.Query query) {
    int unplaced = (int) pods.values().stream().filter(it -> it.placement().isEmpty()).count();
    return new GpuPages(cluster.nodes(), cluster.fragmentation(), cluster.kinds(), this)
        .page(query, cluster.decisions(), unplaced);
  }

  @Override
  public Holder holder(String request) {
    var pod = pod(request);
    return new Holder(pod.name(), pod.workload().name(), pod.isReady(now));
  }

  @Override
  public OptionalInt usedMilli(GpuNode node, int card) {
    int used = 0;
    for (var placement : node.placements()) {
      for (var share : placement.shares()) {
        if (share.card() == card) {
          used += usedMilli(pod(placement.request().name()), share);
        }
      }
    }
    return OptionalInt.of(used);
  }

  private int usedMilli(Pod pod, GpuShare share) {
    int busy = pod.isReady(now) ? busyMilli.getOrDefault(pod.workload(), 0) : BUSY_WHILE_LOADING;
    return share.computeMilli() * busy / 1000;
  }

  @Override
  public List<String> problems(String node) {
    return List.of();
  }

  private Pod pod(String name) {
    var pod = pods.get(name);
    if (pod == null) {
      throw new IllegalStateException("a pod is placed that does not exist: " + name);
    }
    return pod;
  }
}
