package io.prescale.placement.notice;

import io.prescale.placement.cluster.ClusterSnapshot;
import io.prescale.placement.cluster.GpuDemand;
import io.prescale.placement.cluster.RequestShape;
import io.prescale.placement.queue.Queue;
import io.prescale.placement.queue.QueueTree;
import io.prescale.placement.vacancy.TestCluster;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** What there is in a simulated cluster, and how taking back sees it. */
class SimulatedState {
  static final Duration GRACE = Duration.ofSeconds(30);

  /** Of an hour in which an expected pod is missing, in hours of its cards. */
  static final double PRICE = 20;

  final int nodes;
  final int cardsOfNode;
  final List<Queue> queues = new ArrayList<>();
  final Map<String, ReclaimPolicy> policies = new HashMap<>();
  final Map<String, SimPod> pods = new TreeMap<>();
  final Map<String, SimJob> jobs = new TreeMap<>();
  final Map<String, Set<String>> kept = new HashMap<>();
  final List<Instant> takings = new ArrayList<>();
  final List<Expectation> expected = new ArrayList<>();
  final Set<String> protectedByBudget = new HashSet<>();
  final Set<String> unknownNodes = new HashSet<>();
  final Set<String> noticed = new HashSet<>();
  final Set<String> refused = new HashSet<>();
  final Set<String> dead = new HashSet<>();
  final List<String> log = new ArrayList<>();
  Instant now = Instant.parse("2026-11-23T12:00:00Z");
  private int made;

  static final class SimPod {
    final String uid;
    final String queue;
    final int size;
    final Optional<String> job;
    final Instant since;
    int node = -1;
    Set<Integer> cards = Set.of();
    Optional<Notice> notice = Optional.empty();
    Instant notified = Instant.MAX;
    boolean leaving;
    Duration pauseCost = CardHolder.USUAL_PAUSE_COST;
    Optional<Instant> end = Optional.empty();

    SimPod(String uid, String queue, int size, Optional<String> job, Instant since) {
      this.uid = uid;
      this.queue = queue;
      this.size = size;
      this.job = job;
      this.since = since;
    }

    boolean holds() {
      return node >= 0;
    }
  }

  SimulatedState(int nodes, int cardsOfNode) {
    this.nodes = nodes;
    this.cardsOfNode = cardsOfNode;
  }

  void policy(String queue, ReclaimPolicy policy) {
    policies.put(queue, policy);
  }

  /** A pod of its own; returns its UID. */
  String pod(String queue, int size) {
    return add(queue, size, Optional.empty()).uid;
  }

  SimPod add(String queue, int size, Optional<String> job) {
    var pod = new SimPod("%s-%03d".formatted(queue, made++), queue, size, job, now);
    pods.put(pod.uid, pod);
    return pod;
  }

  String job(String queue, int number, int size) {
    var name = "job-%03d".formatted(made++);
    jobs.put(name, new SimJob(queue, number, size));
    IntStream.range(0, number).forEach(_ -> add(queue, size, Optional.of(name)));
    return name;
  }

  /** Pods of a card each that may be taken one by one, down to a minimum. */
  String elastic(String queue, int number, int minimum) {
    var name = job(queue, number, 1);
    jobOf(name).minimum = minimum;
    return name;
  }

  SimPod get(String uid) {
    return Objects.requireNonNull(pods.get(uid), uid);
  }

  SimJob jobOf(String name) {
    return Objects.requireNonNull(jobs.get(name), name);
  }

  ReclaimPolicy policyOf(String queue) {
    return Objects.requireNonNull(policies.get(queue), queue);
  }

  boolean has(String uid) {
    return pods.containsKey(uid);
  }

  Stream<SimPod> all() {
    return pods.values().stream();
  }

  /** Pods of a card each that are expected, as by one booking. */
  void expect(String queue, int number, Instant from, Instant until, double probability) {
    var all = new HashSet<String>();
    IntStream.range(0, nodes).forEach(node -> all.add("n" + node));
    for (int i = 0; i < number; i++) {
      var claim =
          new Claimant(
              "team/booking/" + i,
              queue,
              Set.of(),
              List.of(whole(1)),
              1000,
              Optional.of(all),
              0,
              from);
      expected.add(new Expectation("team/booking", claim, from, until, probability, PRICE));
    }
  }

  /** A pod of so many cards that is expected now, the only one of its booking and of its kind. */
  void expectAlone(String queue, String booking, int cards, Instant until) {
    var claim =
        new Claimant(
            booking + "/1",
            queue,
            Set.of(),
            List.of(whole(cards)),
            1000L * cards,
            Optional.of(Set.of("n0", "only-" + booking)),
            0,
            now);
    expected.add(new Expectation(booking, claim, now, until, 0.9, PRICE));
  }

  boolean isExpected(String claim) {
    return expected.stream().anyMatch(each -> each.notices().equals(claim));
  }

  void end(String uid) {
    pods.remove(uid);
  }

  /** Ends the pods and, so that they are not made again, the job. */
  void endJob(String name) {
    jobs.remove(name);
    pods.values().removeIf(pod -> pod.job.filter(name::equals).isPresent());
  }

  Set<String> jobNames() {
    return new HashSet<>(jobs.keySet());
  }

  Set<String> suspendedJobs() {
    var names = new HashSet<String>();
    jobs.forEach(
        (name, job) -> {
          if (job.suspended != null) {
            names.add(name);
          }
        });
    return names;
  }

  long holding(String queue) {
    return all().filter(pod -> pod.queue.equals(queue) && pod.holds()).count();
  }

  int used(String queue) {
    return all()
        .filter(pod -> pod.queue.equals(queue) && pod.holds() && !pod.leaving)
        .mapToInt(pod -> pod.size)
        .sum();
  }

  ReclaimView view() {
    var cluster = TestCluster.of(nodes, cardsOfNode);
    var holders = new HashMap<String, CardHolder>();
    var used = new HashMap<String, Long>();
    var demand = new HashMap<String, Long>();
    var claimants = new ArrayList<Claimant>();
    for (var pod : pods.values()) {
      demand.merge(pod.queue, 1000L * pod.size, Long::sum);
      if (pod.holds()) {
        var cards = pod.cards.stream().mapToInt(Integer::intValue).sorted().toArray();
        cluster.pod(pod.uid, TestCluster.over(pod.queue), pod.node, cards);
        used.merge(pod.queue, 1000L * pod.size, Long::sum);
        holders.put(pod.uid, holder(pod));
      } else {
        claimants.add(claimant(pod));
      }
    }
    expected.forEach(each -> demand.merge(each.claim().queue(), each.claim().milli(), Long::sum));
    var left = new HashMap<String, Integer>();
    policies.forEach((queue, policy) -> left.put(queue, policy.maxPerHour() - takings.size()));
    return new ReclaimView(
        ClusterSnapshot.ofNodes(
            cluster.snapshot().nodes().filter(node -> !dead.contains(node.name())).toList()),
        QueueTree.of(queues),
        QueueTree.of(queues).capacity(Map.of("", 1000L * (nodes - dead.size()) * cardsOfNode)),
        used,
        demand,
        holders,
        minima(),
        left,
        claimants,
        expected,
        kept.keySet(),
        suspended(),
        noticed,
        refused);
  }

  private Map<String, Integer> minima() {
    var minima = new HashMap<String, Integer>();
    jobs.forEach(
        (name, job) -> {
          if (job.isElastic()) {
            minima.put(name, job.minimum);
          }
        });
    return minima;
  }

  private CardHolder holder(SimPod pod) {
    return new CardHolder(
        pod.uid,
        pod.queue,
        1000L * pod.size,
        policyOf(pod.queue).mode(),
        pod.leaving,
        GRACE,
        pod.pauseCost,
        pod.notice,
        pod.job,
        pod.job,
        pod.job.filter(jobs::containsKey).filter(name -> jobOf(name).isElastic()).isPresent(),
        pod.end.filter(now::isBefore));
  }

  private Claimant claimant(SimPod pod) {
    var all = new HashSet<String>();
    IntStream.range(0, nodes).forEach(node -> all.add("n" + node));
    return new Claimant(
        pod.uid,
        pod.queue,
        Set.of(pod.uid),
        List.of(whole(pod.size)),
        1000L * pod.size,
        unknownNodes.contains(pod.uid) ? Optional.empty() : Optional.of(all),
        0,
        pod.since);
  }

  private static RequestShape whole(int size) {
    return RequestShape.of(size, GpuDemand.WholeGpu.ANY);
  }

  private List<SuspendedWork> suspended() {
    var all = new ArrayList<SuspendedWork>();
    jobs.forEach(
        (name, job) -> {
          if (job.suspended != null) {
            int lost = job.isElastic() ? job.pods - job.replicas : job.pods;
            var shapes = Collections.nCopies(lost, whole(job.size));
            var milli = Map.of(job.queue, 1000L * lost * job.size);
            all.add(new SuspendedWork(name, milli, shapes, job.suspended));
          }
        });
    return all;
  }
}
