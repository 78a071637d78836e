package io.prescale.placement.fragmentation;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.cluster.CardSelector;
import io.prescale.placement.cluster.Clusters;
import io.prescale.placement.cluster.GpuDemand;
import io.prescale.placement.cluster.RequestShape;
import io.prescale.placement.fragmentation.TargetWorkload.TaskClass;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RecentRequestsTest {
  private static final Instant START = Instant.parse("2026-11-02T00:00:00Z");
  private static final RequestShape ONE = RequestShape.of(1, GpuDemand.WholeGpu.ANY);
  private static final RequestShape TWO = RequestShape.of(2, GpuDemand.WholeGpu.ANY);

  private final RecentRequests recent = new RecentRequests();

  private static Stream<RequestShape> pods(int ones, int twos) {
    return Stream.concat(
        Collections.nCopies(ones, ONE).stream(), Collections.nCopies(twos, TWO).stream());
  }

  private static TaskClass cards(int gpus, int weight) {
    return new TaskClass(0, gpus, GpuDemand.WholeGpu.ANY, CardSelector.ANY, weight);
  }

  private List<TaskClass> classes() {
    return recent.workload().orElseThrow().classes();
  }

  @Test
  void ofFewerThanThirtyPodsNothingIsSaid() {
    assertThat(recent.workload()).isEmpty();

    recent.observe(pods(9, 20), START);
    assertThat(recent.workload()).isEmpty();

    var more = new RecentRequests();
    more.observe(pods(10, 20), START);
    assertThat(more.workload()).isPresent();
  }

  @Test
  void atFirstWhatIsThereCounts() {
    recent.observe(pods(10, 30), START);

    assertThat(classes()).containsExactly(cards(2, 750), cards(1, 250));
  }

  /** Forty pods of two cards for a week, then forty of one: 1 to e, however often it is seen. */
  @Test
  void whatWasAWeekAgoCountsLess() {
    for (int hour = 0; hour <= 14 * 24; hour++) {
      boolean isFirstWeek = hour < 7 * 24;
      recent.observe(
          pods(isFirstWeek ? 0 : 40, isFirstWeek ? 40 : 0), START.plus(Duration.ofHours(hour)));
    }
    assertThat(classes()).containsExactly(cards(1, 731), cards(2, 269));

    var seldom = new RecentRequests();
    IntStream.of(0, 7, 14)
        .forEach(
            day ->
                seldom.observe(
                    pods(day < 7 ? 0 : 40, day < 7 ? 40 : 0), START.plus(Duration.ofDays(day))));
    assertThat(seldom.workload()).isEqualTo(recent.workload());
  }

  /** While everything is read that there is, only a part of it is seen. */
  @Test
  void whatWasSeenForAMomentCountsForAMoment() {
    recent.observe(pods(30, 0), START);
    recent.observe(pods(30, 30), START.plusSeconds(2));

    recent.observe(pods(30, 30), START.plus(Duration.ofHours(1)));

    assertThat(classes()).containsExactly(cards(1, 500), cards(2, 500));
  }

  @Test
  void fewPodsOfNowAreBesideTheManyOfTheWeek() {
    recent.observe(pods(0, 400), START);
    recent.observe(pods(0, 4), START.plus(Duration.ofDays(7)));

    recent.observe(pods(0, 4), START.plus(Duration.ofDays(14)));

    assertThat(classes()).as("110 on average").containsExactly(cards(2, 1000));
  }

  @Test
  void onlyModelsTellCardsApart() {
    var named = ONE.withCards(CardSelector.ANY.among(Set.of("GPU-1")));
    var t4 = ONE.withCards(Clusters.models("T4"));
    recent.observe(
        Stream.of(pods(20, 0), Stream.of(named), Collections.nCopies(9, t4).stream())
            .flatMap(it -> it),
        START);

    assertThat(classes())
        .containsExactly(
            cards(1, 700), new TaskClass(0, 1, GpuDemand.WholeGpu.ANY, Clusters.models("T4"), 300));
  }

  @Test
  void ofManyKindsTheMostFrequentCount() {
    recent.observe(
        Stream.concat(
            pods(50, 0),
            IntStream.range(1, 51)
                .mapToObj(gib -> RequestShape.of(1, new GpuDemand.Share(0, gib * 1024)))),
        START);

    assertThat(classes()).hasSizeLessThanOrEqualTo(16).startsWith(cards(1, 500));
  }

  @Test
  void nextObservationIsDueAfterAMinute() {
    assertThat(recent.isDue(START)).isTrue();
    recent.observe(pods(1, 0), START);
    assertThat(recent.isDue(START.plusSeconds(59))).isFalse();
    assertThat(recent.isDue(START.plusSeconds(60))).isTrue();
  }

  @Test
  void classesHaveWords() {
    assertThat(
            Stream.of(
                    new TaskClass(0, 1, new GpuDemand.Fraction(250), CardSelector.ANY, 1),
                    new TaskClass(0, 1, new GpuDemand.Fraction(300), CardSelector.ANY, 1),
                    new TaskClass(0, 2, new GpuDemand.WholeGpu(40_960), CardSelector.ANY, 1),
                    new TaskClass(0, 1, new GpuDemand.Share(0, 10_240), CardSelector.ANY, 1),
                    new TaskClass(0, 2, new GpuDemand.Share(300, 1000), CardSelector.ANY, 1),
                    new TaskClass(0, 2, new GpuDemand.MigInstance("1g.10gb"), CardSelector.ANY, 1),
                    new TaskClass(0, 1, GpuDemand.WholeGpu.ANY, Clusters.models("T4"), 1))
                .map(TaskClass::words))
        .containsExactly(
            "a quarter of a card",
            "300/1000 of a card",
            "2 cards with 40 GiB",
            "10 GiB of a card",
            "1000 MiB and 300/1000 of the compute of 2 cards",
            "2 × MIG 1g.10gb",
            "1 card (T4)");
  }
}
