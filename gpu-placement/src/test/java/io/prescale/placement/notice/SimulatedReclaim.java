package io.prescale.placement.notice;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.cluster.GpuDemand;
import io.prescale.placement.cluster.RequestShape;
import io.prescale.placement.notice.ReclaimPolicy.Mode;
import io.prescale.placement.queue.Queue;
import io.prescale.placement.queue.QueueTree;
import io.prescale.placement.queue.Quota;
import io.prescale.placement.vacancy.TestCluster;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
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
import org.jspecify.annotations.Nullable;

/**
 * A small cluster with a scheduler, a Job controller and an API server that keeps what is written.
 * It checks every taking by rules of its own.
 */
final class SimulatedReclaim {
  static final Duration GRACE = Duration.ofSeconds(30);

  private final int nodes;
  private final int cardsOfNode;
  private final List<Queue> queues = new ArrayList<>();
  private final Map<String, ReclaimPolicy> policies = new HashMap<>();
  private final Map<String, SimPod> pods = new TreeMap<>();
  private final Map<String, SimJob> jobs = new TreeMap<>();
  private final Map<String, Set<String>> kept = new HashMap<>();
  private final List<Instant> takings = new ArrayList<>();
  final Set<String> protectedByBudget = new HashSet<>();
  final Set<String> unknownNodes = new HashSet<>();
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

  static final class SimJob {
    final String queue;
    final int pods;
    final int size;
    @Nullable Instant suspended;

    SimJob(String queue, int pods, int size) {
      this.queue = queue;
      this.pods = pods;
      this.size = size;
    }
  }

  SimulatedReclaim(int nodes, int cardsOfNode) {
    this.nodes = nodes;
    this.cardsOfNode = cardsOfNode;
  }

  SimulatedReclaim queue(String name, int guarantee, Mode mode, int maxPerHour) {
    queues.add(Queue.leaf(name, Quota.train(1000L * guarantee, 1)));
    policies.put(name, new ReclaimPolicy(mode, GRACE, maxPerHour));
    return this;
  }

  void policy(String queue, ReclaimPolicy policy) {
    policies.put(queue, policy);
  }

  /** A pod of its own; returns its UID. */
  String pod(String queue, int size) {
    return add(queue, size, Optional.empty()).uid;
  }

  private SimPod add(String queue, int size, Optional<String> job) {
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

  SimPod get(String uid) {
    return Objects.requireNonNull(pods.get(uid), uid);
  }

  private SimJob jobOf(String name) {
    return Objects.requireNonNull(jobs.get(name), name);
  }

  private ReclaimPolicy policyOf(String queue) {
    return Objects.requireNonNull(policies.get(queue), queue);
  }

  boolean has(String uid) {
    return pods.containsKey(uid);
  }

  Stream<SimPod> all() {
    return pods.values().stream();
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

  // The view

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
    var left = new HashMap<String, Integer>();
    policies.forEach((queue, policy) -> left.put(queue, policy.maxPerHour() - takings.size()));
    return new ReclaimView(
        cluster.snapshot(),
        QueueTree.of(queues),
        1000L * nodes * cardsOfNode,
        used,
        demand,
        holders,
        Map.of(),
        left,
        claimants,
        kept.keySet(),
        suspended());
  }

  private CardHolder holder(SimPod pod) {
    return new CardHolder(
        pod.uid,
        pod.queue,
        policyOf(pod.queue).mode(),
        pod.leaving,
        GRACE,
        pod.notice,
        pod.job,
        pod.job);
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
            var shapes = IntStream.range(0, job.pods).mapToObj(_ -> whole(job.size)).toList();
            all.add(
                new SuspendedWork(
                    name, job.queue, shapes, 1000L * job.pods * job.size, job.suspended));
          }
        });
    return all;
  }

  // What happens

  /** Decides, carries out the first steps, and "is killed" if that were not all. */
  int round(int most) {
    var result = ReclaimRound.decide(view(), now);
    int done = 0;
    for (var step : result.steps()) {
      if (done == most) {
        // The next one knows only what is written, and decides before it answers the scheduler.
        kept.clear();
        kept.putAll(ReclaimRound.decide(view(), now).kept());
        return done;
      }
      carryOut(step);
      done++;
    }
    kept.clear();
    kept.putAll(result.kept());
    return done;
  }

  void second(int most) {
    controllers();
    schedule();
    round(most);
    now = now.plusSeconds(1);
  }

  void seconds(int number) {
    IntStream.range(0, number).forEach(_ -> second(Integer.MAX_VALUE));
  }

  private void carryOut(ReclaimStep step) {
    log.add(step.toString());
    switch (step) {
      case ReclaimStep.Notify(var uid, var notice) -> {
        assertThat(get(notice.claim()).holds()).isFalse();
        get(uid).notice = Optional.of(notice);
        get(uid).notified = now;
      }
      case ReclaimStep.Withdraw(var uid) -> get(uid).notice = Optional.empty();
      case ReclaimStep.Evict(var uid, var claim) -> {
        if (!protectedByBudget.contains(uid)) {
          take(get(uid), claim);
        }
      }
      case ReclaimStep.Suspend(var workload, var uids, var claim) -> {
        var job = jobOf(workload);
        assertThat(job.suspended).isNull();
        var holding = all().filter(pod -> pod.job.filter(workload::equals).isPresent());
        assertThat(holding.filter(SimPod::holds).filter(pod -> !pod.leaving))
            .extracting(pod -> pod.uid)
            .hasSameElementsAs(uids);
        job.suspended = now;
        uids.forEach(uid -> take(get(uid), claim));
      }
      case ReclaimStep.Resume(var workload) -> {
        assertThat(jobOf(workload).suspended).isNotNull();
        jobOf(workload).suspended = null;
      }
      case ReclaimStep.Ask(var claim) -> unknownNodes.remove(claim);
      case ReclaimStep.Advise _ -> {}
    }
  }

  /** What must be true of every pod that is taken. */
  private void take(SimPod pod, String claim) {
    var claimant = get(claim);
    assertThat(claimant.holds()).isFalse();
    assertThat(policyOf(pod.queue).mode()).isEqualTo(Mode.ACT);
    assertThat(pod.notice.map(Notice::claim)).contains(claim);
    assertThat(Duration.between(pod.notified, now)).isGreaterThanOrEqualTo(GRACE);
    assertThat(pod.leaving).as("taken twice").isFalse();
    pod.leaving = true;
    assertThat(used(pod.queue))
        .as("what %s keeps", pod.queue)
        .isGreaterThanOrEqualTo(Math.min(guarantee(pod.queue), used(pod.queue) + pod.size));
    takings.add(now);
    assertThat(takings.size()).isLessThanOrEqualTo(policyOf(pod.queue).maxPerHour());
  }

  int guarantee(String queue) {
    return queues.stream()
        .filter(each -> each.name().equals(queue))
        .mapToInt(each -> (int) (each.quota().guaranteed() / 1000))
        .findFirst()
        .orElseThrow();
  }

  private void controllers() {
    for (var pod : List.copyOf(pods.values())) {
      if (pod.leaving) {
        pods.remove(pod.uid);
        if (pod.job.isEmpty()) {
          add(pod.queue, pod.size, Optional.empty());
        }
      }
    }
    for (var job : jobs.entrySet()) {
      var own = all().filter(pod -> pod.job.filter(job.getKey()::equals).isPresent()).toList();
      if (job.getValue().suspended != null) {
        own.stream().filter(pod -> !pod.leaving).forEach(pod -> pods.remove(pod.uid));
      } else if (own.isEmpty()) {
        IntStream.range(0, job.getValue().pods)
            .forEach(
                _ -> add(job.getValue().queue, job.getValue().size, Optional.of(job.getKey())));
      }
    }
  }

  /** First fit; those within their guarantee first, and nothing on cards kept for another. */
  void schedule() {
    var order =
        Comparator.comparing((SimPod pod) -> used(pod.queue) + pod.size > guarantee(pod.queue))
            .thenComparing(pod -> pod.uid);
    for (var pod : all().filter(each -> !each.holds()).sorted(order).toList()) {
      for (int node = 0; node < nodes && !pod.holds(); node++) {
        var free = free(node, pod.uid);
        if (free.size() >= pod.size) {
          pod.node = node;
          pod.cards = new HashSet<>(free.subList(0, pod.size));
        }
      }
    }
  }

  private List<Integer> free(int node, String uid) {
    return IntStream.range(0, cardsOfNode)
        .filter(card -> all().noneMatch(pod -> pod.node == node && pod.cards.contains(card)))
        .filter(
            card ->
                kept.entrySet().stream()
                    .filter(entry -> !entry.getKey().equals(uid))
                    .noneMatch(entry -> entry.getValue().contains("GPU-" + node + "-" + card)))
        .boxed()
        .toList();
  }

  /** No notice outlives its claim. */
  void verifyNotices() {
    all()
        .filter(pod -> !pod.leaving && pod.notice.isPresent())
        .forEach(
            pod -> {
              var claim = get(pod.notice.orElseThrow().claim());
              assertThat(claim.holds())
                  .as("the claim for which %s has a notice", pod.uid)
                  .isFalse();
            });
  }
}
