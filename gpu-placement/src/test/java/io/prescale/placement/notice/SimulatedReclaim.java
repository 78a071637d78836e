package io.prescale.placement.notice;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.notice.ReclaimPolicy.Mode;
import io.prescale.placement.queue.Queue;
import io.prescale.placement.queue.Quota;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * A small cluster with a scheduler, a Job controller and an API server that keeps what is written.
 * It checks every taking by rules of its own.
 */
final class SimulatedReclaim extends SimulatedState {
  /** Pods that do not end though they have to. */
  final Set<String> stays = new HashSet<>();

  SimulatedReclaim(int nodes, int cardsOfNode) {
    super(nodes, cardsOfNode);
  }

  SimulatedReclaim queue(String name, int guarantee, Mode mode, int maxPerHour) {
    queues.add(Queue.leaf(name, Quota.train(1000L * guarantee, 1)));
    policies.put(name, new ReclaimPolicy(mode, GRACE, maxPerHour));
    return this;
  }

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
        assertThat(waits(notice.claim())).isTrue();
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
      case ReclaimStep.Shrink(var workload, var uids, var claim) -> {
        var job = jobOf(workload);
        job.replicas -= uids.size();
        assertThat(job.replicas).isGreaterThanOrEqualTo(job.minimum);
        job.suspended = job.suspended == null ? now : job.suspended;
        uids.forEach(uid -> take(get(uid), claim));
      }
      case ReclaimStep.Resume(var workload) -> {
        assertThat(jobOf(workload).suspended).isNotNull();
        jobOf(workload).suspended = null;
        jobOf(workload).replicas = jobOf(workload).pods;
      }
      case ReclaimStep.Ask(var claim) -> unknownNodes.remove(claim);
      case ReclaimStep.Advise _ -> {}
    }
  }

  private boolean waits(String claim) {
    return isExpected(claim) || !get(claim).holds();
  }

  /** What must be true of every pod that is taken. */
  private void take(SimPod pod, String claim) {
    assertThat(waits(claim)).isTrue();
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
      if (pod.leaving && !stays.contains(pod.uid)) {
        pods.remove(pod.uid);
        if (pod.job.isEmpty()) {
          add(pod.queue, pod.size, Optional.empty());
        }
      }
    }
    for (var job : jobs.entrySet()) {
      var own = all().filter(pod -> pod.job.filter(job.getKey()::equals).isPresent()).toList();
      if (job.getValue().isElastic()) {
        IntStream.range(own.size(), job.getValue().replicas)
            .forEach(_ -> add(job.getValue().queue, 1, Optional.of(job.getKey())));
      } else if (job.getValue().suspended != null) {
        own.stream().filter(pod -> !pod.leaving).forEach(pod -> pods.remove(pod.uid));
      } else if (own.isEmpty()) {
        IntStream.range(0, job.getValue().pods)
            .forEach(
                _ -> add(job.getValue().queue, job.getValue().size, Optional.of(job.getKey())));
      }
    }
  }

  /** A node is gone with its pods. */
  void die(String node) {
    dead.add(node);
    pods.values().removeIf(pod -> node.equals("n" + pod.node));
  }

  /** First fit; those within their guarantee first, and nothing on cards kept for another. */
  void schedule() {
    var order =
        Comparator.comparing((SimPod pod) -> used(pod.queue) + pod.size > guarantee(pod.queue))
            .thenComparing(pod -> pod.uid);
    for (var pod : all().filter(each -> !each.holds()).sorted(order).toList()) {
      for (int node = 0; node < nodes && !pod.holds(); node++) {
        var free = dead.contains("n" + node) ? List.<Integer>of() : free(node, pod.uid);
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
              assertThat(waits(pod.notice.orElseThrow().claim()))
                  .as("the claim for which %s has a notice", pod.uid)
                  .isTrue();
            });
  }
}
