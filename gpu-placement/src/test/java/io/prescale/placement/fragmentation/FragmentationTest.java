package io.prescale.placement.fragmentation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.prescale.placement.cluster.CardSelector;
import io.prescale.placement.cluster.ClusterSnapshot;
import io.prescale.placement.cluster.Clusters;
import io.prescale.placement.cluster.GpuDemand;
import io.prescale.placement.cluster.GpuHealth;
import io.prescale.placement.cluster.GpuNode;
import io.prescale.placement.cluster.GpuRequest;
import io.prescale.placement.cluster.HostDemand;
import io.prescale.placement.cluster.RequestShape;
import io.prescale.placement.fragmentation.TargetWorkload.TaskClass;
import io.prescale.placement.topology.CardSet;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FragmentationTest {
  private static TaskClass task(long cpu, int gpus, GpuDemand demand, int weight) {
    return new TaskClass(cpu, gpus, demand, CardSelector.ANY, weight);
  }

  private static long milli(GpuNode node, TaskClass task) {
    return new Fragmentation(new TargetWorkload(List.of(task))).profile(node).now();
  }

  /** Two cards with 600 and 1000 thousandths left, 10 cores. */
  private static GpuNode node() {
    var spec = Clusters.shared("a", 2);
    var cluster = ClusterSnapshot.of(List.of(spec));
    return Clusters.put(cluster, Clusters.fraction("p", 400), "a", 0).node(0);
  }

  @Test
  void losesWhatIsTooSmallOrEverythingWhenTheTaskCannotRun() {
    assertThat(milli(node(), task(0, 1, new GpuDemand.Fraction(600), 1))).isZero();
    assertThat(milli(node(), task(0, 1, new GpuDemand.Fraction(601), 1))).isEqualTo(600);
    assertThat(milli(node(), task(0, 1, GpuDemand.WholeGpu.ANY, 1))).isEqualTo(600);
    assertThat(milli(node(), task(0, 2, GpuDemand.WholeGpu.ANY, 1))).isEqualTo(1600);
    assertThat(milli(node(), task(64_001, 1, GpuDemand.WholeGpu.ANY, 1))).isEqualTo(1600);
    assertThat(milli(node(), task(100, 0, new GpuDemand.NoGpu(), 1))).isEqualTo(1600);
  }

  private static int room(GpuNode node, TaskClass task) {
    return new Fragmentation(new TargetWorkload(List.of(task))).profile(node).room()[0];
  }

  @Test
  void countsWhatWouldStillFitOfEachClassAlone() {
    assertThat(room(node(), task(0, 1, new GpuDemand.Fraction(200), 1))).isEqualTo(3 + 5);
    assertThat(room(node(), task(0, 1, new GpuDemand.Fraction(601), 1))).isEqualTo(1);
    assertThat(room(node(), task(0, 1, GpuDemand.WholeGpu.ANY, 1))).isEqualTo(1);
    assertThat(room(node(), task(0, 2, GpuDemand.WholeGpu.ANY, 1))).isZero();
    assertThat(room(node(), task(0, 2, new GpuDemand.Fraction(200), 1)))
        .as("each takes parts of two cards")
        .isEqualTo(3);
    assertThat(room(node(), task(0, 3, new GpuDemand.Fraction(1), 1))).isZero();
    assertThat(room(node(), task(30_000, 1, new GpuDemand.Fraction(1), 1)))
        .as("64 cores")
        .isLessThanOrEqualTo(2);
    assertThat(room(node(), task(0, 0, new GpuDemand.NoGpu(), 1))).isZero();
    var other = new TaskClass(0, 1, GpuDemand.WholeGpu.ANY, Clusters.models("T4"), 1);
    assertThat(room(node(), other)).isZero();
  }

  @Test
  void losesEverythingToATaskOfAnotherModel() {
    var other = new TaskClass(0, 1, GpuDemand.WholeGpu.ANY, Clusters.models("T4"), 1);

    assertThat(milli(node(), other)).isEqualTo(1600);
  }

  @Test
  void losesEverythingToATaskThatTheCardsCannotServe() {
    var whole = Clusters.whole("a", 2);
    int tooMuch = whole.gpus().getFirst().memoryMib() + 1;

    assertThat(milli(GpuNode.of(whole), task(0, 1, new GpuDemand.Fraction(500), 1)))
        .isEqualTo(2000);
    assertThat(milli(GpuNode.of(whole), task(0, 1, GpuDemand.WholeGpu.ANY, 1))).isZero();
    assertThat(milli(GpuNode.of(whole), task(0, 1, new GpuDemand.WholeGpu(tooMuch), 1)))
        .isEqualTo(2000);
  }

  @Test
  void doesNotCountSickCards() {
    var spec = Clusters.shared("a", 2);
    var sick = GpuHealth.UNKNOWN.withState(GpuHealth.State.UNHEALTHY);
    var node =
        GpuNode.of(spec.withGpus(List.of(spec.gpus().get(0).withHealth(sick), spec.gpus().get(1))));

    assertThat(milli(node, task(0, 2, GpuDemand.WholeGpu.ANY, 1))).isEqualTo(1000);
  }

  @Test
  void weighsClassesByTheirFrequency() {
    var fragmentation =
        new Fragmentation(
            new TargetWorkload(
                List.of(
                    task(0, 2, GpuDemand.WholeGpu.ANY, 1),
                    task(0, 1, new GpuDemand.Fraction(601), 3))));

    assertThat(fragmentation.profile(node()).now()).isEqualTo(1600 + 3 * 600);
    assertThat(fragmentation.totalWeight()).isEqualTo(4);
  }

  @Test
  void predictsWhatAPlacementChanges() {
    var fragmentation =
        new Fragmentation(
            new TargetWorkload(
                List.of(
                    task(1000, 2, GpuDemand.WholeGpu.ANY, 1),
                    task(60_000, 1, new GpuDemand.Fraction(601), 3),
                    task(0, 1, new GpuDemand.Share(100, 30 * Clusters.GIB), 2))));
    var cluster = ClusterSnapshot.of(List.of(Clusters.shared("a", 4)));
    for (int card = 0; card < 4; card++) {
      cluster = Clusters.put(cluster, Clusters.fraction("p" + card, 100 + 200 * card), "a", card);
      for (int next = 0; next < 4; next++) {
        var shape =
            RequestShape.of(1, new GpuDemand.Fraction(250)).withHost(new HostDemand(5000, 0, ""));
        var request = new GpuRequest("next", shape);
        var after = Clusters.put(cluster, request, "a", next);
        assertThat(fragmentation.profile(cluster.node(0)).after(shape, CardSet.of(next)))
            .isEqualTo(fragmentation.profile(after.node(0)).now());
      }
    }
  }

  @Test
  void takesTheMostFrequentClassesThatCoverNinetyFivePercent() {
    var shapes =
        IntStream.range(0, 100)
            .mapToObj(
                i -> RequestShape.of(1, new GpuDemand.Fraction(i < 60 ? 500 : i < 94 ? 300 : i)));

    var classes = TargetWorkload.mostFrequent(shapes).classes();

    assertThat(classes).extracting(TaskClass::weight).containsExactly(60, 34, 1);
  }

  @Test
  void refusesAnEmptyWorkload() {
    assertThatThrownBy(() -> TargetWorkload.mostFrequent(Stream.of()))
        .hasMessage("a target workload has at least one class");
    assertThatThrownBy(() -> task(0, 1, GpuDemand.WholeGpu.ANY, 0))
        .hasMessage("a task class of 0 milli CPU, 1 GPUs and weight 0; give at least 0, 0 and 1");
  }
}
