package io.prescale.placement.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.prescale.placement.cluster.ClusterSnapshot;
import io.prescale.placement.cluster.Clusters;
import io.prescale.placement.cluster.GpuDemand;
import io.prescale.placement.cluster.GpuRequest;
import io.prescale.placement.cluster.HostDemand;
import io.prescale.placement.cluster.RequestShape;
import io.prescale.placement.decision.Placer;
import io.prescale.placement.experiment.Churn.Job;
import io.prescale.placement.experiment.Churn.Visit;
import io.prescale.placement.filter.LinkedCards;
import io.prescale.placement.fragmentation.Fragmentation;
import io.prescale.placement.fragmentation.TargetWorkload;
import io.prescale.placement.preference.Policy;
import java.util.List;
import java.util.Random;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class ArrivalsTest {
  private static final GpuRequest HALF = Clusters.fraction("half", 500);
  private static final GpuRequest PAIR = Clusters.wholeGpus("pair", 2);
  private static final GpuRequest NO_GPU =
      new GpuRequest(
          "cpu", RequestShape.of(0, new GpuDemand.NoGpu()).withHost(new HostDemand(1, 1, "")));
  private static final Fragmentation FRAGMENTATION =
      new Fragmentation(
          TargetWorkload.mostFrequent(
              List.of(RequestShape.of(1, GpuDemand.WholeGpu.ANY)).stream()));

  private static Placer placer() {
    return new Placer(Policy.fgd(FRAGMENTATION), new LinkedCards());
  }

  private static ClusterSnapshot cards(int count) {
    return ClusterSnapshot.of(List.of(Clusters.shared("a", count)));
  }

  @Test
  void repeatsRequestsUntilTheDemandIsReached() {
    var arrivals = Arrivals.inflated(List.of(HALF, NO_GPU), 10_000, 130, new Random(1));

    assertThat(arrivals.stream().mapToLong(Arrivals::milliOf).sum()).isEqualTo(13_000);
    assertThat(arrivals.stream().map(GpuRequest::name)).doesNotHaveDuplicates();
    assertThat(arrivals).contains(HALF, NO_GPU);
    assertThat(Arrivals.inflated(List.of(HALF, NO_GPU), 10_000, 130, new Random(1)))
        .isEqualTo(arrivals);
  }

  @Test
  void countsOneCardOfARepeatedRequest() {
    var arrivals = Arrivals.inflated(List.of(PAIR), 10_000, 50, new Random(1));

    // The first counts 2, each of the three others 1.
    assertThat(arrivals).hasSize(4);
  }

  @Test
  void refusesWhatCannotReachADemand() {
    assertThatThrownBy(() -> Arrivals.inflated(List.of(NO_GPU), 10, 130, new Random(1)))
        .hasMessage("no request demands compute of a GPU, so the load cannot be raised");
    var memoryOnly = new GpuRequest("s", RequestShape.of(1, new GpuDemand.Share(0, 1)));
    assertThatThrownBy(() -> Arrivals.inflated(List.of(memoryOnly), 10, 130, new Random(1)))
        .hasMessageStartingWith("no request demands compute");
    assertThatThrownBy(() -> Churn.visits(List.of(new Job(NO_GPU, 1)), 10, 90, 1, new Random(1)))
        .hasMessage("no job demands compute of a GPU, so the load cannot be set");
    assertThatThrownBy(() -> new Job(HALF, 0)).hasMessage("half stays 0 seconds; give at least 1");
    var mig = new GpuRequest("m", RequestShape.of(1, new GpuDemand.MigInstance("1g.10gb")));
    assertThatThrownBy(() -> Arrivals.milliOf(mig))
        .hasMessage("m demands a MIG instance, whose share differs between cards");
  }

  @Test
  void dropsWhatDoesNotFitAndSamplesEveryTenth() {
    var arrivals = List.of(HALF, Clusters.wholeGpus("whole", 1), Clusters.wholeGpus("late", 1));

    var outcome = ArrivalExperiment.run(cards(2), arrivals, placer(), FRAGMENTATION);

    assertThat(outcome.placed()).isEqualTo(2);
    assertThat(outcome.refused()).isEqualTo(1);
    assertThat(outcome.unallocatedPercent()).isEqualTo(25);
    assertThat(outcome.samples())
        .containsExactly(
            new ArrivalExperiment.Sample(25, 75, 25),
            new ArrivalExperiment.Sample(75, 25, 25),
            new ArrivalExperiment.Sample(125, 25, 25));
    assertThatThrownBy(
            () ->
                ArrivalExperiment.run(
                    ClusterSnapshot.of(List.of()), arrivals, placer(), FRAGMENTATION))
        .hasMessage("the cluster has no GPU");
  }

  @Test
  void weighsChurnByTime() {
    var visits =
        List.of(
            new Visit(Clusters.wholeGpus("a", 1), 0, 10),
            new Visit(Clusters.wholeGpus("b", 1), 0, 40),
            new Visit(Clusters.wholeGpus("c", 1), 5, 50),
            new Visit(HALF, 20, 30));

    var outcome = ChurnExperiment.run(cards(2), visits, placer(), FRAGMENTATION);

    // Full for 10 of 20 seconds, then half full; c was dropped.
    assertThat(outcome).isEqualTo(new ChurnExperiment.Outcome(3, 1, 25, 0, outcome.samples()));
    assertThat(outcome.samples())
        .hasSize(ChurnExperiment.SAMPLES)
        .startsWith(new ChurnExperiment.Sample(1, 0, 0))
        .contains(new ChurnExperiment.Sample(10, 0, 0), new ChurnExperiment.Sample(11, 50, 0))
        .endsWith(new ChurnExperiment.Sample(20, 50, 0));
    assertThatThrownBy(
            () -> ChurnExperiment.run(cards(2), visits.subList(0, 2), placer(), FRAGMENTATION))
        .hasMessage("all visits begin in one second: no time to measure");
    assertThatThrownBy(
            () -> ChurnExperiment.run(cards(2), visits.reversed(), placer(), FRAGMENTATION))
        .hasMessage("c begins before the one before");
  }

  @Test
  void visitsReachTheWantedLoadFromTheFirstSecondOn() {
    var jobs = List.of(new Job(HALF, 10), new Job(PAIR, 1_000), new Job(NO_GPU, 500));

    var visits = Churn.visits(jobs, 1_000_000, 80, 5_000, new Random(3));

    for (long second : new long[] {0, 200, 400}) {
      long asked =
          visits.stream()
              .filter(visit -> visit.fromSecond() <= second && visit.toSecond() > second)
              .mapToLong(visit -> Arrivals.milliOf(visit.request()))
              .sum();
      assertThat(asked).isCloseTo(800_000, Percentage.withPercentage(10));
    }
    assertThat(visits.getLast().fromSecond()).isGreaterThan(400);
  }
}
