package io.prescale.controller.demo;

import io.prescale.controller.simulation.cards.PausableJob;
import io.prescale.controller.web.GpuPage;
import io.prescale.controller.web.GpusView;
import io.prescale.controller.web.cards.CardFacts;
import io.prescale.controller.web.cards.CardHistory;
import io.prescale.controller.web.cards.GpuPages;
import io.prescale.placement.cluster.Gpu;
import io.prescale.placement.cluster.GpuNode;
import io.prescale.placement.cluster.GpuShare;
import io.prescale.placement.notice.Expectation;
import io.prescale.placement.notice.Notice;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Nodes and cards of a simulation as they are at one moment, for the page. */
final class DemoGpus implements CardFacts {
  /** A pod that loads its model keeps little of its card busy. */
  private static final int BUSY_WHILE_LOADING = 50;

  private static final int BUSY_TRAINING = 930;

  private final CardHistory history;
  private final SimulatedCluster cluster;
  private final Instant now;
  private final Map<String, Pod> pods = new HashMap<>();
  private final Map<Workload, Integer> busyMilli = new HashMap<>();

  DemoGpus(Simulation simulation) {
    this.history = simulation.history();
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
    int unplaced = (int) pods.values().stream().filter(it -> !it.isPlaced()).count();
    return new GpuPages(cluster.nodes(), cluster.fragmentation(), cluster.kinds(), this)
        .page(query, cluster.decisions(), unplaced)
        .with(queues(), notices(), List.of(), moves(), history.course());
  }

  /** Remembers what queues hold at this moment, for the course of a day. */
  void remember() {
    history.observe(now, queues(), notices());
  }

  private List<GpuPage.Queue> queues() {
    return cluster.ledger().queues().stream().map(it -> GpuPages.queue(it, "", "")).toList();
  }

  private List<GpuPage.Notice> notices() {
    return cluster.shared().notices().entrySet().stream()
        .map(
            it ->
                new GpuPage.Notice(
                    it.getKey(), DemoCatalog.TRAINING, it.getValue().at(), whom(it.getValue())))
        .sorted(Comparator.comparing(GpuPage.Notice::until).thenComparing(GpuPage.Notice::pod))
        .toList();
  }

  private List<GpuPage.Move> moves() {
    return cluster.moved().shown().stream()
        .map(
            it ->
                new GpuPage.Move(
                    it.pod(), it.from(), it.to(), it.reason(), it.stateInWords(), it.at()))
        .toList();
  }

  private static String whom(Notice notice) {
    return Expectation.bookingOf(notice).map("booking "::concat).orElse(notice.claim());
  }

  @Override
  public Holder holder(String request) {
    return Optional.ofNullable(pods.get(request))
        .map(pod -> new Holder(pod.name(), pod.workload().name(), pod.isReady(now)))
        .orElseGet(() -> new Holder(request, jobOf(request).name(), true));
  }

  @Override
  public OptionalInt usedMilli(GpuNode node, int card) {
    int used = 0;
    for (var placement : node.placements()) {
      for (var share : placement.shares()) {
        if (share.card() == card) {
          used += usedMilli(placement.request().name(), node.gpu(card), share);
        }
      }
    }
    return OptionalInt.of(used);
  }

  private int usedMilli(String request, Gpu gpu, GpuShare share) {
    var pod = pods.get(request);
    int busy =
        pod == null
            ? BUSY_TRAINING
            : pod.isReady(now) ? busyMilli.getOrDefault(pod.workload(), 0) : BUSY_WHILE_LOADING;
    return Math.toIntExact((long) gpu.milliOf(share) * busy / 1000);
  }

  @Override
  public List<String> problems(String node) {
    return List.of();
  }

  private PausableJob jobOf(String pod) {
    return cluster
        .shared()
        .jobOf(pod)
        .orElseThrow(
            () -> new IllegalStateException("a pod is placed that does not exist: " + pod));
  }
}
