package io.prescale.placement.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.cluster.CardSelector;
import io.prescale.placement.cluster.GpuDemand;
import io.prescale.placement.fragmentation.Fragmentation;
import io.prescale.placement.fragmentation.TargetWorkload;
import io.prescale.placement.fragmentation.TargetWorkload.TaskClass;
import io.prescale.placement.inventory.Nodes;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.inventory.Pods;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Fragmentation in a cluster all of whose pods ask for two cards: a single idle one is lost. */
class OwnRequestsTest {
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
  private static final TargetWorkload PAIRS =
      new TargetWorkload(
          List.of(new TaskClass(0, 2, GpuDemand.WholeGpu.ANY, CardSelector.ANY, 1000)));

  private final Ledger ledger = new Ledger(10);

  private static PodFacts pair(String name) {
    return Pods.asking(name, Map.of("nvidia.com/gpu", 2L));
  }

  /** Twelve nodes with three cards each, two of which have a pod. */
  private void fill() {
    for (int i = 0; i < 12; i++) {
      var node = "n" + i;
      ledger.seen(Nodes.a100(node, 3));
      var record = "GPU-%1$s-0,NVIDIA,81920,100:GPU-%1$s-1,NVIDIA,81920,100:;".formatted(node);
      ledger.seen(
          Pods.bound(pair("runs-" + i), node, Map.of("hami.io/vgpu-devices-allocated", record)));
    }
  }

  private void await(int pods) {
    for (int i = 0; i < pods; i++) {
      ledger.seen(pair("waits-" + i));
    }
  }

  private long fragmentedMilli() {
    return Math.round(new Fragmentation(ledger.workload()).milliOf(ledger.cluster()));
  }

  @Test
  void isMeasuredByThePodsThatRunAndThoseThatWait() {
    fill();
    await(18);
    assertThat(fragmentedMilli())
        .as("by the usual requests, two of eleven of which want four or eight cards")
        .isEqualTo(2182); // 12_000 * 2 / 11

    ledger.observeRequests(NOW);

    assertThat(ledger.workload()).isEqualTo(PAIRS);
    assertThat(ledger.moveFacts().workload()).isEqualTo(PAIRS);
    assertThat(fragmentedMilli()).as("no card is of use to a pair").isEqualTo(12_000);
  }

  @Test
  void ofFewerThanThirtyPodsTheUsualRequestsCount() {
    fill();
    await(17);

    ledger.observeRequests(NOW);

    assertThat(ledger.workload()).isEqualTo(UsualWorkload.shares());
  }

  @Test
  void podsAreCountedOnceAMinuteAndThoseThatAreGoneFadeOnly() {
    fill();
    await(28);
    ledger.observeRequests(NOW);
    for (int i = 0; i < 28; i++) {
      ledger.podGone(pair("waits-" + i).uid());
    }

    ledger.observeRequests(NOW.plusSeconds(59));
    assertThat(ledger.workload()).isEqualTo(PAIRS);
    ledger.observeRequests(NOW.plus(Duration.ofHours(1)));
    assertThat(ledger.workload()).as("40 for an hour").isEqualTo(PAIRS);
    ledger.observeRequests(NOW.plus(Duration.ofDays(7)));
    assertThat(ledger.workload()).as("12 for a week").isEqualTo(UsualWorkload.shares());
  }
}
