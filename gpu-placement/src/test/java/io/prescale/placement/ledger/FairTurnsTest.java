package io.prescale.placement.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.prescale.placement.inventory.Nodes;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.inventory.Pods;
import io.prescale.placement.queue.QueueEntry;
import io.prescale.placement.queue.Quota;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An hour of pods that arrive faster than 64 cards can serve them. What each queue has is counted
 * and compared second by second by means of this class alone.
 */
class FairTurnsTest {
  private static final Instant START = Instant.parse("2026-11-21T12:00:00Z");
  private static final int SECONDS = 3_600;
  private static final int WARM_UP = 300;
  private static final int CARDS = 64;
  private static final List<String> NODES = List.of("n0", "n1", "n2", "n3");
  private static final String RECORD = "hami.io/vgpu-devices-allocated";

  /** Weight, guarantee and limit in cards, and arrivals a second. */
  private record Rights(String name, int weight, int guaranteed, int limit, double arrivals) {}

  private static final List<Rights> QUEUES =
      List.of(
          new Rights("a", 1, 0, CARDS, 2),
          new Rights("b", 3, 0, CARDS, 2),
          new Rights("c", 1, 16, CARDS, 2),
          new Rights("d", 4, 0, 8, 2),
          new Rights("e", 1, 8, CARDS, 0.05));

  private final Ledger ledger = new Ledger(10);
  private final Map<String, Double> used = new HashMap<>();
  private final Map<String, Double> waits = new HashMap<>();
  private final PriorityQueue<End> ends =
      new PriorityQueue<>((x, y) -> Integer.compare(x.second(), y.second()));

  private record End(int second, String uid, String queue, double cards) {}

  @ParameterizedTest
  @ValueSource(longs = 19)
  void everyQueueHasWhatItIsOwedWithinFivePercentOverAnHour(long seed) {
    var random = new SplittableRandom(seed);
    NODES.forEach(node -> ledger.seen(Nodes.a100(node, CARDS / NODES.size())));
    ledger.queues(QUEUES.stream().map(FairTurnsTest::entry).toList());
    var sumUsed = new HashMap<String, Double>();
    var sumOwed = new HashMap<String, Double>();
    double busy = 0;

    for (int second = 0; second < SECONDS; second++) {
      var now = START.plusSeconds(second);
      end(second);
      arrive(second, now, random);
      for (var pod : ledger.awaken(80, now)) {
        ask(pod, second, now, random);
      }
      QUEUES.forEach(
          rights ->
              assertThat(used.getOrDefault(rights.name(), 0.0))
                  .as("seed %d, limit of %s", seed, rights.name())
                  .isLessThanOrEqualTo(rights.limit()));
      var owed = owed();
      for (var state : ledger.queues()) {
        var name = state.name();
        assertThat(state.usedMilli() / 1000.0)
            .as("seed %d, second %d, used by %s", seed, second, name)
            .isEqualTo(used.getOrDefault(name, 0.0));
        assertThat(state.owedMilli() / 1000.0)
            .as("seed %d, second %d, owed to %s", seed, second, name)
            .isCloseTo(owed.getOrDefault(name, 0.0), within(0.005));
      }
      if (second >= WARM_UP) {
        used.forEach((name, cards) -> sumUsed.merge(name, cards, Double::sum));
        owed.forEach((name, cards) -> sumOwed.merge(name, cards, Double::sum));
        busy += used.values().stream().mapToDouble(it -> it).sum();
      }
    }

    assertThat(busy / (SECONDS - WARM_UP)).as("cards in use").isGreaterThan(CARDS * 0.97);
    for (var rights : QUEUES) {
      var name = rights.name();
      assertThat(sumUsed.getOrDefault(name, 0.0) / sumOwed.getOrDefault(name, 0.0))
          .as("seed %d, queue %s", seed, name)
          .isBetween(0.95, 1.05);
    }
  }

  private static QueueEntry entry(Rights rights) {
    return new QueueEntry(
        rights.name(),
        Optional.empty(),
        Quota.train(rights.guaranteed() * 1000L, rights.weight())
            .withLimit(rights.limit() * 1000L));
  }

  private void end(int second) {
    while (!ends.isEmpty() && ends.element().second() <= second) {
      var end = ends.remove();
      used.merge(end.queue(), -end.cards(), Double::sum);
      ledger.podGone(end.uid());
    }
  }

  private void arrive(int second, Instant now, SplittableRandom random) {
    for (var rights : QUEUES) {
      var name = rights.name();
      double arrivals = rights.arrivals();
      int number = (int) arrivals + (random.nextDouble() < arrivals % 1 ? 1 : 0);
      for (int i = 0; i < number && waits.getOrDefault(name, 0.0) < 2 * CARDS; i++) {
        long mib = random.nextBoolean() ? 81_920 : 40_960;
        var asking =
            Pods.asking(
                name + second + "-" + i, Map.of("nvidia.com/gpu", 1L, "nvidia.com/gpumem", mib));
        var pod = Pods.inQueue(asking, name, now);
        waits.merge(name, cards(pod), Double::sum);
        ledger.seen(pod);
        ask(pod, second, now, random);
      }
    }
  }

  private static double cards(PodFacts pod) {
    return pod.containers().getFirst().asked().getOrDefault("nvidia.com/gpumem", 0L) / 81_920.0;
  }

  private void ask(PodFacts pod, int second, Instant now, SplittableRandom random) {
    if (!(ledger.candidates(pod, NODES, true, now, _ -> 0) instanceof Candidates.Nodes nodes)) {
      return;
    }
    var node = nodes.best().getFirst();
    var decision = ledger.decide(pod.uid(), node, now);
    assertThat(decision).isInstanceOf(Decision.Bind.class);
    var device =
        ((Decision.Bind) decision)
            .cards()
            .orElseThrow()
            .devices()
            .containers()
            .getFirst()
            .getFirst();
    var record = "%s,NVIDIA,%d,0:;".formatted(device.uuid(), device.memoryMib());
    var queue = pod.queue().orElseThrow();
    ledger.seen(Pods.inQueue(Pods.bound(pod, node, Map.of(RECORD, record)), queue, pod.created()));
    waits.merge(queue, -cards(pod), Double::sum);
    used.merge(queue, cards(pod), Double::sum);
    int lifetime = 10 + random.nextInt(50);
    ends.add(new End(second + lifetime, pod.uid(), queue, cards(pod)));
  }

  /** Fair shares by bisecting the level to which weights fill, after the guarantees. */
  private Map<String, Double> owed() {
    double low = 0;
    double high = CARDS;
    for (int step = 0; step < 60; step++) {
      double level = (low + high) / 2;
      double sum = QUEUES.stream().mapToDouble(rights -> at(level, rights)).sum();
      if (sum > CARDS) {
        high = level;
      } else {
        low = level;
      }
    }
    var owed = new HashMap<String, Double>();
    for (var rights : QUEUES) {
      owed.put(rights.name(), at(low, rights));
    }
    return owed;
  }

  private double at(double level, Rights rights) {
    var name = rights.name();
    double asked =
        Math.min(used.getOrDefault(name, 0.0) + waits.getOrDefault(name, 0.0), rights.limit());
    return Math.min(asked, Math.min(asked, rights.guaranteed()) + level * rights.weight());
  }
}
