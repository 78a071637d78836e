package io.prescale.placement.moves;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.notice.ReclaimPolicy.Mode;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Nodes of equal cards with a scheduler, a controller that makes evicted pods again, and an API
 * server that keeps what is written. It checks every eviction by rules of its own.
 */
final class SimulatedMoves extends SimulatedCards {
  SimulatedMoves(int nodes, int cards) {
    super(nodes, cards);
  }

  /** Rounds of a second, each with all its steps carried out. */
  void seconds(int number) {
    for (int second = 0; second < number; second++) {
      second(Integer.MAX_VALUE);
    }
  }

  /** A second in which the executor is killed after some steps, and has forgotten all. */
  void second(int most) {
    controllers();
    schedule();
    var result = MoveRound.decide(view(), now);
    course = result.course();
    int done = 0;
    for (var step : result.steps()) {
      if (done++ == most) {
        course = Course.NONE.withNextLook(course.nextLook());
        kept = List.of();
        now = now.plusSeconds(1);
        return;
      }
      carryOut(step);
    }
    kept = most < result.steps().size() ? List.of() : result.kept();
    now = now.plusSeconds(1);
    verify();
  }

  private void carryOut(MoveStep step) {
    log.add(step);
    switch (step) {
      case MoveStep.Notify(var uid, var notice) -> {
        assertThat(get(uid).mayMove).as("%s may move", uid).isTrue();
        get(uid).notice = Optional.of(notice);
      }
      case MoveStep.Withdraw(var uid, _) -> {
        get(uid).notice = Optional.empty();
        strays.remove(uid);
      }
      case MoveStep.Evict(var uid, var notice) -> evict(get(uid), notice);
      case MoveStep.Arrive _, MoveStep.GiveUp _, MoveStep.Advise _ -> {}
    }
  }

  private void evict(SimPod pod, MoveNotice notice) {
    if (guarded.contains(pod.uid)) {
      return;
    }
    assertThat(mode).isEqualTo(Mode.ACT);
    assertThat(pod.mayMove).isTrue();
    assertThat(pod.notice).contains(notice);
    assertThat(notice.at()).isBeforeOrEqualTo(now);
    assertThat(pod.isLeaving).as("evicted twice").isFalse();
    assertThat(free(notice)).as("the place of %s", pod.uid).isTrue();
    evicted.add(pod.uid);
    assertThat(evicted.size()).isLessThanOrEqualTo(budget);
    pod.isLeaving = true;
  }

  private boolean free(MoveNotice notice) {
    return notice.uuids().stream()
        .noneMatch(
            uuid ->
                pods.values().stream()
                    .anyMatch(
                        pod -> pod.cards.stream().anyMatch(c -> uuid(pod.node, c).equals(uuid))));
  }

  /** A pod that was evicted is gone a second later, and its controller has made another one. */
  private void controllers() {
    for (var pod : List.copyOf(pods.values())) {
      if (pod.isLeaving && !stuck.contains(pod.uid)) {
        pods.remove(pod.uid);
        if (comesBack) {
          waiting(pod.size, pod.kin, pod.mayMove);
        }
      }
    }
  }

  /** First fit, replacements where they are booked, and nothing on cards that are kept. */
  private void schedule() {
    for (var pod : List.copyOf(pods.values())) {
      var booked = kept.stream().filter(it -> it.kin().equals(Optional.of(pod.kin))).findFirst();
      for (int node = 0; node < nodes && !pod.holds(); node++) {
        var free = free(node, pod, booked.map(KeptPlace::uuids));
        if (free.size() >= pod.size) {
          pod.node = node;
          pod.cards = new HashSet<>(free.subList(0, pod.size));
        }
      }
    }
  }

  private List<Integer> free(int node, SimPod pod, Optional<Set<String>> booked) {
    return IntStream.range(0, dead.contains(node) ? 0 : cards)
        .filter(card -> !sick.contains(uuid(node, card)))
        .filter(card -> booked.map(it -> it.contains(uuid(node, card))).orElse(true))
        .filter(
            card ->
                pods.values().stream()
                    .noneMatch(other -> other.node == node && other.cards.contains(card)))
        .filter(card -> kept.stream().noneMatch(it -> isKeptFrom(it, pod, uuid(node, card))))
        .boxed()
        .toList();
  }

  private static boolean isKeptFrom(KeptPlace place, SimPod pod, String uuid) {
    return place.uuids().contains(uuid)
        && !place.kin().equals(Optional.of(pod.kin))
        && !place.wanted().equals(Optional.of(pod.uid));
  }

  /** One pod at a time is under way, and no card has two pods. */
  private void verify() {
    assertThat(pods.values().stream().filter(pod -> pod.isLeaving)).hasSizeLessThanOrEqualTo(1);
    assertThat(pods.values().stream().filter(pod -> pod.notice.isPresent() && !pod.isLeaving))
        .hasSizeLessThanOrEqualTo(1);
    var taken = new HashSet<String>();
    pods.values()
        .forEach(
            pod ->
                pod.cards.forEach(
                    card -> assertThat(taken.add(uuid(pod.node, card))).as("free").isTrue()));
  }
}
