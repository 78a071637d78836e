package io.prescale.placement.notice;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.notice.ReclaimPolicy.Mode;
import io.prescale.placement.notice.SimulatedState.SimPod;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Claims, notices and takings in a cluster that checks each of them. */
class ReclaimRoundTest {
  private static final int GRACE_SECONDS = (int) SimulatedReclaim.GRACE.toSeconds();

  private static SimulatedReclaim lent(int nodes, Mode mode, int maxPerHour) {
    return new SimulatedReclaim(nodes, 4)
        .queue("owner", 4, mode, maxPerHour)
        .queue("train", 0, mode, maxPerHour);
  }

  /** Eight cards that four Jobs of two single cards have borrowed. */
  private static SimulatedReclaim fullOfJobs(Mode mode, int maxPerHour) {
    var cluster = lent(2, mode, maxPerHour);
    IntStream.range(0, 4).forEach(_ -> cluster.job("train", 2, 1));
    cluster.schedule();
    assertThat(cluster.used("train")).isEqualTo(8);
    return cluster;
  }

  private static long notices(SimulatedReclaim cluster) {
    return cluster.all().filter(pod -> !pod.leaving && pod.notice.isPresent()).count();
  }

  @Test
  void jobsGetTheirNoticeAreSuspendedAndGoOnWhenTheClaimHasEnded() {
    var cluster = fullOfJobs(Mode.ACT, 100);
    var claim = cluster.pod("owner", 4);

    cluster.second(Integer.MAX_VALUE);

    assertThat(notices(cluster)).isEqualTo(4);
    cluster.seconds(GRACE_SECONDS - 1);
    assertThat(cluster.suspendedJobs()).isEmpty();
    assertThat(cluster.used("train")).isEqualTo(8);

    cluster.seconds(3);

    assertThat(cluster.get(claim).holds()).isTrue();
    assertThat(cluster.suspendedJobs()).hasSize(2);
    assertThat(cluster.used("train")).isEqualTo(4);
    assertThat(notices(cluster)).isZero();

    cluster.seconds(100);
    assertThat(cluster.suspendedJobs()).hasSize(2);

    cluster.end(claim);
    cluster.seconds(10);

    assertThat(cluster.suspendedJobs()).isEmpty();
    assertThat(cluster.used("train")).isEqualTo(8);
  }

  @Test
  void aClaimThatIsWithdrawnCostsNothing() {
    var cluster = fullOfJobs(Mode.ACT, 100);
    var claim = cluster.pod("owner", 4);
    cluster.seconds(GRACE_SECONDS / 2);
    assertThat(notices(cluster)).isEqualTo(4);

    cluster.end(claim);
    cluster.second(Integer.MAX_VALUE);

    assertThat(notices(cluster)).isZero();
    cluster.seconds(2 * GRACE_SECONDS);
    assertThat(cluster.used("train")).isEqualTo(8);
    assertThat(cluster.suspendedJobs()).isEmpty();
  }

  @Test
  void aClaimThatFindsItsPlaceElsewhereWithdrawsTheNotices() {
    var cluster = fullOfJobs(Mode.ACT, 100);
    var claim = cluster.pod("owner", 1);
    cluster.seconds(5);
    assertThat(notices(cluster)).isEqualTo(2);
    var other =
        cluster.all().filter(pod -> pod.holds() && pod.notice.isEmpty()).findFirst().orElseThrow();

    cluster.endJob(other.job.orElseThrow());
    cluster.seconds(2);

    assertThat(cluster.get(claim).holds()).isTrue();
    assertThat(notices(cluster)).isZero();
  }

  @Test
  void noticesThatAreNoLongerNeededAreWithdrawnAndTheOthersStay() {
    var cluster = lent(1, Mode.ACT, 100);
    var pods = IntStream.range(0, 4).mapToObj(_ -> cluster.pod("train", 1)).toList();
    cluster.schedule();
    cluster.pod("owner", 3);
    cluster.seconds(10);
    assertThat(notices(cluster)).isEqualTo(3);

    cluster.end(
        pods.stream().filter(uid -> cluster.get(uid).notice.isEmpty()).findFirst().orElseThrow());
    cluster.second(Integer.MAX_VALUE);

    assertThat(notices(cluster)).isEqualTo(2);
    assertThat(cluster.all().filter(pod -> pod.notice.isPresent()))
        .allSatisfy(pod -> assertThat(pod.notified).isBefore(cluster.now.minusSeconds(9)));
  }

  @Test
  void offDoesNothingAndAdviseOnlySaysIt() {
    var off = fullOfJobs(Mode.OFF, 100);
    off.pod("owner", 4);
    off.seconds(100);
    assertThat(off.log).isEmpty();

    var advise = fullOfJobs(Mode.ADVISE, 100);
    advise.pod("owner", 4);
    advise.seconds(100);
    assertThat(advise.log).hasSize(100).allMatch(step -> step.startsWith("Advise[claim=owner-"));
    assertThat(advise.used("train")).isEqualTo(8);
  }

  @Test
  void aQueueWhoseModeIsTurnedOffKeepsWhatItHas() {
    var cluster = fullOfJobs(Mode.ACT, 100);
    cluster.pod("owner", 4);
    cluster.seconds(10);
    assertThat(notices(cluster)).isEqualTo(4);

    cluster.policy("train", ReclaimPolicy.OFF);
    cluster.seconds(GRACE_SECONDS);

    assertThat(notices(cluster)).isZero();
    assertThat(cluster.used("train")).isEqualTo(8);
  }

  @Test
  void noMoreIsTakenInAnHourThanTheQueueAllows() {
    var cluster = fullOfJobs(Mode.ACT, 3);
    cluster.pod("owner", 4);
    cluster.seconds(100);
    assertThat(cluster.log).isEmpty();

    var enough = fullOfJobs(Mode.ACT, 4);
    enough.pod("owner", 4);
    enough.seconds(100);
    assertThat(enough.used("owner")).isEqualTo(4);
  }

  @Test
  void beyondWhatItIsOwedNothingIsTakenForAQueue() {
    var cluster = fullOfJobs(Mode.ACT, 100);
    IntStream.range(0, 3).forEach(_ -> cluster.pod("owner", 4));

    cluster.seconds(200);

    assertThat(cluster.used("owner")).isEqualTo(4);
    assertThat(cluster.used("train")).isEqualTo(4);
  }

  /** The claim needs both pods, so the Job is not suspended in vain while one may not leave. */
  @Test
  void whileAnEvictionIsRefusedNothingElseIsTakenForTheClaim() {
    var cluster = lent(1, Mode.ACT, 100);
    cluster.job("train", 2, 1);
    var guarded = IntStream.range(0, 2).mapToObj(_ -> cluster.pod("train", 1)).toList();
    cluster.schedule();
    cluster.protectedByBudget.add(guarded.getFirst());
    var claim = cluster.pod("owner", 4);

    cluster.seconds(200);

    assertThat(cluster.suspendedJobs()).isEmpty();
    assertThat(cluster.has(guarded.getLast())).isFalse();
    assertThat(cluster.get(guarded.getFirst()).holds()).isTrue();

    cluster.protectedByBudget.clear();
    cluster.seconds(5);

    assertThat(cluster.get(claim).holds()).isTrue();
    assertThat(cluster.suspendedJobs()).hasSize(1);
  }

  /** After a restart it is not known where a claim may go until the scheduler asks again. */
  @Test
  void noticesStayWhileItIsUnknownWhereTheirClaimMayGo() {
    var cluster = fullOfJobs(Mode.ACT, 100);
    var claim = cluster.pod("owner", 4);
    cluster.seconds(5);
    cluster.unknownNodes.add(claim);

    var steps = ReclaimRound.decide(cluster.view(), cluster.now).steps();

    assertThat(steps).containsExactly(new ReclaimStep.Ask(claim));
    cluster.seconds(GRACE_SECONDS);
    assertThat(cluster.get(claim).holds()).isTrue();
  }

  /** Each time it is killed after so many writes, and another one goes on. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5})
  void anExecutorThatIsKilledAfterAnyWriteComesToTheSameEnd(int writes) {
    var cluster = lent(2, Mode.ACT, 100);
    cluster.job("train", 3, 1);
    IntStream.range(0, 5).forEach(_ -> cluster.pod("train", 1));
    cluster.schedule();
    cluster.pod("owner", 4);

    for (int second = 0; second < 3 * GRACE_SECONDS; second++) {
      cluster.second(writes);
    }

    assertThat(cluster.used("owner")).isEqualTo(4);
    assertThat(cluster.used("train")).isEqualTo(4);
    cluster.verifyNotices();
    cluster.all().filter(pod -> pod.queue.equals("owner")).toList().stream()
        .map(pod -> pod.uid)
        .forEach(cluster::end);
    for (int second = 0; second < 20; second++) {
      cluster.second(writes);
    }
    assertThat(cluster.suspendedJobs()).isEmpty();
    assertThat(cluster.used("train")).isEqualTo(8);
  }

  /** Arrivals, ends, killed executors and refused evictions; every taking is verified. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
  void randomRunsKeepEveryPromise(long seed) {
    var random = new SplittableRandom(seed);
    var cluster =
        new SimulatedReclaim(1 + random.nextInt(4), 4)
            .queue("owner", 4, Mode.ACT, 1000)
            .queue("second", 2 * random.nextInt(3), Mode.ACT, 1000)
            .queue("train", 0, Mode.ACT, 1000);
    for (int second = 0; second < 400; second++) {
      if (random.nextInt(10) == 0) {
        disturb(cluster, random);
      }
      cluster.second(random.nextInt(5) == 0 ? random.nextInt(4) : Integer.MAX_VALUE);
    }
    cluster.protectedByBudget.clear();
    cluster
        .all()
        .filter(pod -> pod.job.isEmpty())
        .map(pod -> pod.uid)
        .toList()
        .forEach(cluster::end);
    cluster.jobNames().stream()
        .filter(job -> !cluster.suspendedJobs().contains(job))
        .forEach(cluster::endJob);
    cluster.seconds(1);
    cluster.verifyNotices();
    cluster.seconds(60);
    for (var job : cluster.suspendedJobs()) {
      assertThat(cluster.all().filter(SimPod::holds)).as("%s is suspended", job).isNotEmpty();
    }
    for (int left = 0; left < 20; left++) {
      cluster.jobNames().stream()
          .filter(job -> !cluster.suspendedJobs().contains(job))
          .forEach(cluster::endJob);
      cluster.seconds(5);
    }
    assertThat(cluster.suspendedJobs()).isEmpty();
  }

  private static void disturb(SimulatedReclaim cluster, SplittableRandom random) {
    var queues = new String[] {"owner", "second", "train", "train"};
    var queue = queues[random.nextInt(queues.length)];
    switch (random.nextInt(6)) {
      case 0, 1 -> cluster.job(queue, 1 + random.nextInt(3), 1 + random.nextInt(2));
      case 2 -> cluster.pod(queue, 1 + random.nextInt(4));
      case 3 -> cluster.jobNames().stream().sorted().findFirst().ifPresent(cluster::endJob);
      case 4 ->
          cluster
              .all()
              .filter(pod -> pod.job.isEmpty())
              .map(pod -> pod.uid)
              .findFirst()
              .ifPresent(cluster::end);
      default ->
          cluster
              .all()
              .map(pod -> pod.uid)
              .skip(random.nextInt(3))
              .findFirst()
              .ifPresent(cluster.protectedByBudget::add);
    }
  }
}
