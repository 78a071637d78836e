package io.prescale.placement.notice;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.cluster.GpuDemand;
import io.prescale.placement.cluster.RequestShape;
import io.prescale.placement.notice.ReclaimPolicy.Mode;
import io.prescale.placement.notice.ReclaimStep.Resume;
import io.prescale.placement.notice.SimulatedState.SimPod;
import io.prescale.placement.queue.Queue;
import io.prescale.placement.queue.Quota;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Workloads of several pods are taken, and go on, whole. */
class WholeWorkloadsTest {
  private static final int GRACE_SECONDS = (int) SimulatedReclaim.GRACE.toSeconds();

  private static SimulatedReclaim lent(int nodes) {
    return new SimulatedReclaim(nodes, 4)
        .queue("owner", 4, Mode.ACT, 100)
        .queue("train", 0, Mode.ACT, 100);
  }

  private static List<SimPod> notified(SimulatedReclaim cluster) {
    return cluster.all().filter(pod -> !pod.leaving && pod.notice.isPresent()).toList();
  }

  /** As one with gpu.prescale.io/reclaim: never is, too. */
  @Test
  void aWorkloadWithAPodThatIsNeverTakenIsNotTaken() {
    var cluster = lent(1).queue("exempt", 0, Mode.OFF, 100);
    var name = cluster.job("train", 3, 1);
    cluster.add("exempt", 1, Optional.of(name));
    cluster.schedule();
    cluster.pod("owner", 1);

    cluster.seconds(2 * GRACE_SECONDS);

    assertThat(cluster.log).isEmpty();
    assertThat(cluster.used("train")).isEqualTo(3);
  }

  /** Two cards of the first queue, which has a limit or a guarantee, and two of another. */
  @ParameterizedTest
  @CsvSource({"1, false", "2, true"})
  void suspendedWorkOfTwoQueuesGoesOnOnceEachMayHaveItsPart(int limit, boolean goesOn) {
    var cluster = new SimulatedReclaim(2, 4).queue("train", 0, Mode.ACT, 100);
    cluster.queues.add(Queue.leaf("driver", Quota.train(0, 1).withLimit(1000L * limit)));
    cluster.policies.put("driver", ReclaimPolicy.OFF);
    var view = cluster.view();
    var shapes = Collections.nCopies(4, RequestShape.of(1, GpuDemand.WholeGpu.ANY));
    var work = new SuspendedWork("w", Map.of("driver", 2000L, "train", 2000L), shapes, cluster.now);

    var steps = ReclaimRound.decide(with(view, work), cluster.now).steps();

    assertThat(steps).isEqualTo(goesOn ? List.of(new Resume("w")) : List.of());
  }

  /** Whatever their names and the order in which they are listed. */
  @Test
  void ofTwoThatFitOneAfterTheOtherTheLongerSuspendedGoesOnFirst() {
    var cluster = new SimulatedReclaim(1, 4).queue("train", 0, Mode.ACT, 100);
    var shapes = Collections.nCopies(4, RequestShape.of(1, GpuDemand.WholeGpu.ANY));
    var older =
        new SuspendedWork("z", Map.of("train", 4000L), shapes, cluster.now.minusSeconds(60));
    var younger = new SuspendedWork("a", Map.of("train", 4000L), shapes, cluster.now);

    var steps = ReclaimRound.decide(with(cluster.view(), younger, older), cluster.now).steps();

    assertThat(steps).containsExactly(new Resume("z"));
  }

  /** Its controller may have been down; it would end them later, without notice. */
  @Test
  void suspendedWorkWhosePodsHaveStayedGoesOnOnceNoneOfThemIsAskedToLeave() {
    var cluster = lent(2);
    IntStream.range(0, 4).forEach(_ -> cluster.job("train", 2, 1));
    cluster.schedule();
    var claim = cluster.pod("owner", 4);
    cluster.seconds(GRACE_SECONDS);
    var names = notified(cluster).stream().map(pod -> pod.job.orElseThrow()).distinct().toList();
    assertThat(names).hasSize(2);
    names.forEach(name -> cluster.jobOf(name).suspended = cluster.now);

    assertThat(ReclaimRound.decide(cluster.view(), cluster.now).steps())
        .noneMatch(Resume.class::isInstance);
    cluster.end(claim);
    cluster.round(Integer.MAX_VALUE);
    assertThat(notified(cluster)).isEmpty();

    assertThat(ReclaimRound.decide(cluster.view(), cluster.now).steps())
        .containsExactlyInAnyOrder(new Resume(names.getFirst()), new Resume(names.getLast()));
  }

  private static ReclaimView with(ReclaimView view, SuspendedWork... works) {
    return new ReclaimView(
        view.cluster(),
        view.tree(),
        view.capacity(),
        view.used(),
        view.demand(),
        view.holders(),
        view.gangMinimum(),
        view.left(),
        view.claimants(),
        view.expected(),
        view.underWay(),
        List.of(works),
        view.noticed(),
        view.refused());
  }
}
