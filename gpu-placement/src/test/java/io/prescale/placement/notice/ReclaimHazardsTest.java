package io.prescale.placement.notice;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.notice.ReclaimPolicy.Mode;
import io.prescale.placement.notice.ReclaimStep.Notify;
import io.prescale.placement.notice.ReclaimStep.Resume;
import io.prescale.placement.notice.ReclaimStep.Withdraw;
import io.prescale.placement.notice.SimulatedState.SimPod;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What others do, write or leave undone does not stop taking back, nor misuse it. */
class ReclaimHazardsTest {
  private static final int GRACE_SECONDS = (int) SimulatedReclaim.GRACE.toSeconds();

  private static SimulatedReclaim lent(int nodes, int guarantee) {
    return new SimulatedReclaim(nodes, 4)
        .queue("owner", guarantee, Mode.ACT, 100)
        .queue("train", 0, Mode.ACT, 100);
  }

  /** Four pods that differ in nothing else. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  void thePodWhosePauseCostsLeastIsTaken(int cheap) {
    var cluster = lent(1, 4);
    var pods = IntStream.range(0, 4).mapToObj(_ -> cluster.pod("train", 1)).toList();
    cluster.schedule();
    cluster.get(pods.get(cheap)).pauseCost = Duration.ofMinutes(1);

    cluster.pod("owner", 1);
    cluster.seconds(2);

    assertThat(pods)
        .filteredOn(uid -> cluster.get(uid).notice.isPresent())
        .containsExactly(pods.get(cheap));
  }

  /** Cards that single pods have borrowed, all of them. */
  private static SimulatedReclaim fullOfPods(int nodes, int guarantee) {
    var cluster = lent(nodes, guarantee);
    IntStream.range(0, 4 * nodes).forEach(_ -> cluster.pod("train", 1));
    cluster.schedule();
    assertThat(cluster.used("train")).isEqualTo(4 * nodes);
    return cluster;
  }

  private static SimulatedReclaim fullOfJobs() {
    var cluster = lent(2, 4);
    IntStream.range(0, 4).forEach(_ -> cluster.job("train", 2, 1));
    cluster.schedule();
    assertThat(cluster.used("train")).isEqualTo(8);
    return cluster;
  }

  private static List<SimPod> notified(SimulatedReclaim cluster) {
    return cluster.all().filter(pod -> !pod.leaving && pod.notice.isPresent()).toList();
  }

  private static List<String> notifiedIn(List<ReclaimStep> steps) {
    return steps.stream()
        .filter(Notify.class::isInstance)
        .map(step -> ((Notify) step).uid())
        .toList();
  }

  @ParameterizedTest
  @ValueSource(ints = {9, 10, 20, 40})
  void olderBorrowersThatWaitDoNotStopTheTakingBack(int borrowers) {
    var cluster = fullOfPods(2, 4);
    IntStream.range(0, borrowers).forEach(_ -> cluster.pod("train", 1));
    cluster.seconds(1);
    cluster.pod("owner", 4);

    cluster.seconds(GRACE_SECONDS + 4);

    assertThat(cluster.used("owner")).isEqualTo(4);
    assertThat(cluster.used("train")).isEqualTo(4);
  }

  /** More than are searched for in a second; no node has the cards that they ask for. */
  @Test
  void claimsThatFitNowhereLeaveOthersTheirTurn() {
    var cluster = fullOfPods(5, 20);
    IntStream.rangeClosed(5, 16).forEach(size -> cluster.pod("owner", size));
    cluster.seconds(1);
    cluster.pod("owner", 4);

    cluster.seconds(3);

    assertThat(notified(cluster)).hasSize(4);
  }

  @Test
  void suspendedWorkWhoseQueueIsGoneGoesOnAndStopsNothingElse() {
    var cluster = fullOfPods(2, 4);
    var job = new SimJob("gone", 2, 1);
    job.suspended = cluster.now;
    cluster.jobs.put("homeless", job);
    cluster.pod("owner", 1);

    var steps = ReclaimRound.decide(cluster.view(), cluster.now).steps();

    assertThat(steps).contains(new Resume("homeless"));
    assertThat(notifiedIn(steps)).hasSize(1);
  }

  /** Else the borrowers, whose pods wait, would take each card that becomes free. */
  @Test
  void suspendedWorkThatIsOwedItsCardsGoesOnWithoutRoomAndLaysClaimToThem() {
    var cluster =
        new SimulatedReclaim(2, 4)
            .queue("owner", 4, Mode.ACT, 100)
            .queue("train", 4, Mode.ACT, 100);
    IntStream.range(0, 8).forEach(_ -> cluster.pod("owner", 1));
    cluster.schedule();
    assertThat(cluster.used("owner")).isEqualTo(8);
    var job = new SimJob("train", 2, 1);
    job.suspended = cluster.now;
    cluster.jobs.put("owed", job);

    cluster.second(Integer.MAX_VALUE);
    assertThat(cluster.suspendedJobs()).isEmpty();
    cluster.seconds(GRACE_SECONDS + 5);

    assertThat(cluster.used("train")).isEqualTo(2);
    assertThat(cluster.used("owner")).isEqualTo(6);
  }

  /** On a node whose cards are only counted, it would end without notice. */
  @Test
  void noJobIsSuspendedThatHasAPodOnCardsThatAreNotKnown() {
    var cluster = fullOfJobs();
    var first = cluster.get("train-001");
    assertThat(first.node).isZero();
    cluster.pod("owner", 4);
    var view = cluster.view();

    assertThat(notifiedIn(ReclaimRound.decide(view, cluster.now).steps()))
        .allMatch(uid -> cluster.get(uid).node == 0);

    var elsewhere =
        new CardHolder(
            "elsewhere",
            "train",
            1000,
            Mode.OFF,
            false,
            SimulatedReclaim.GRACE,
            CardHolder.USUAL_PAUSE_COST,
            Optional.empty(),
            first.job,
            first.job,
            false);
    assertThat(notifiedIn(ReclaimRound.decide(with(view, elsewhere), cluster.now).steps()))
        .hasSize(4)
        .allMatch(uid -> cluster.get(uid).node == 1);
  }

  private static ReclaimView with(ReclaimView view, CardHolder more) {
    var holders = new HashMap<>(view.holders());
    holders.put(more.uid(), more);
    return new ReclaimView(
        view.cluster(),
        view.tree(),
        view.capacity(),
        view.used(),
        view.demand(),
        holders,
        view.gangMinimum(),
        view.left(),
        view.claimants(),
        view.expected(),
        view.underWay(),
        view.suspended(),
        view.noticed(),
        view.refused());
  }

  @Test
  void aNoticeThatItsOwnerPutsOffIsNotWaitedFor() {
    var cluster = fullOfPods(2, 4);
    var claim = cluster.pod("owner", 1);
    cluster.seconds(2);
    var victim = notified(cluster).getFirst();
    victim.notice = Optional.of(new Notice(claim, Instant.parse("9999-01-01T00:00:00Z")));

    cluster.seconds(GRACE_SECONDS + 5);

    assertThat(cluster.get(claim).holds()).isTrue();
    assertThat(cluster.get(victim.uid).holds()).isTrue();
    assertThat(notified(cluster)).isEmpty();
  }

  @Test
  void aPodWhoseEvictionIsRefusedForTooLongIsPassedOver() {
    var cluster = fullOfPods(2, 4);
    var claim = cluster.pod("owner", 1);
    cluster.seconds(2);
    var victim = notified(cluster).getFirst();
    cluster.protectedByBudget.add(victim.uid);
    cluster.seconds(2 * GRACE_SECONDS);
    assertThat(cluster.get(claim).holds()).isFalse();

    cluster.refused.add(victim.uid);
    cluster.seconds(GRACE_SECONDS + 5);

    assertThat(cluster.get(claim).holds()).isTrue();
    assertThat(cluster.get(victim.uid).holds()).isTrue();
  }

  @Test
  void cardsAreKeptOnlyOnceANoticeIsWritten() {
    var cluster = fullOfJobs();
    var claim = cluster.pod("owner", 4);

    assertThat(ReclaimRound.decide(cluster.view(), cluster.now).kept()).isEmpty();
    cluster.second(Integer.MAX_VALUE);
    assertThat(ReclaimRound.decide(cluster.view(), cluster.now).kept())
        .containsOnlyKeys(claim)
        .allSatisfy((_, cards) -> assertThat(cards).hasSize(4));
  }

  @Test
  void afterARestartTheCardsOfPodsThatAreLeavingAreKeptForTheirClaim() {
    var cluster = fullOfPods(1, 4);
    var claim = cluster.pod("owner", 4);
    cluster
        .all()
        .filter(SimPod::holds)
        .forEach(
            pod -> {
              pod.notice = Optional.of(new Notice(claim, cluster.now));
              pod.leaving = true;
            });

    var kept = ReclaimRound.decide(cluster.view(), cluster.now).kept();

    assertThat(kept).containsOnlyKeys(claim);
    assertThat(kept.get(claim)).isEqualTo(Set.of("GPU-0-0", "GPU-0-1", "GPU-0-2", "GPU-0-3"));
  }

  @Test
  void aNoticeThatMakesNoSenseIsRemoved() {
    var cluster = fullOfPods(1, 4);
    var pod = cluster.all().findFirst().orElseThrow();
    cluster.noticed.add(pod.uid);

    assertThat(ReclaimRound.decide(cluster.view(), cluster.now).steps())
        .containsExactly(new Withdraw(pod.uid));
  }

  @Test
  void theNoticeOfAPodThatHasNoCardsAnyMoreIsWithdrawn() {
    var cluster = fullOfPods(1, 4);
    cluster.noticed.add("without-cards");

    assertThat(ReclaimRound.decide(cluster.view(), cluster.now).steps())
        .containsExactly(new Withdraw("without-cards"));
  }
}
