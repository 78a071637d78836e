package io.prescale.placement.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** {@link FairShares} beside an independent computation. */
class RandomFairSharesTest {
  /** Random trees of three levels beside the definition, in floating point, by bisection. */
  @Test
  void agreesWithABisectedWaterLevelAtEveryQueue() {
    SplittableRandom random = new SplittableRandom(31);
    for (int round = 0; round < 400; round++) {
      Map<String, Long> demand = new HashMap<>();
      List<Queue> top = new ArrayList<>();
      for (int group = 0; group < 1 + random.nextInt(4); group++) {
        List<Queue> leaves = new ArrayList<>();
        for (int leaf = 0; leaf < 1 + random.nextInt(4); leaf++) {
          String name = group + "-" + leaf;
          leaves.add(Queue.leaf(name, randomQuota(random, random.nextInt(5_000))));
          demand.put(name, random.nextLong(20_000));
        }
        long promised = leaves.stream().mapToLong(leaf -> leaf.quota().guaranteed()).sum();
        top.add(
            new Queue("g" + group, randomQuota(random, promised + random.nextInt(3_000)), leaves));
      }
      long capacity = random.nextLong(60_000);

      FairShares shares = FairShares.of(QueueTree.of(top), capacity, demand);

      compare(shares, capacity, top, demand, round);
      for (Queue group : top) {
        compare(shares, shares.of(group.name()), group.children(), demand, round);
      }
    }
  }

  private static Quota randomQuota(SplittableRandom random, long guaranteed) {
    return new Quota(
        guaranteed,
        guaranteed == 0 ? 0 : random.nextLong(guaranteed),
        guaranteed + random.nextInt(15_000),
        random.nextInt(4),
        random.nextInt(2));
  }

  private static void compare(
      FairShares shares, long amount, List<Queue> queues, Map<String, Long> demand, int round) {
    double[] asked = queues.stream().mapToDouble(queue -> asked(queue, demand)).toArray();
    double[] expected = new double[asked.length];
    double rest = amount;
    double[] due = new double[asked.length];
    for (int i = 0; i < due.length; i++) {
      due[i] = Math.min((double) queues.get(i).quota().guaranteed(), asked[i]);
    }
    rest -= pour(rest, due, due, expected);
    for (int priority = 1; priority >= 0; priority--) {
      double[] weights = new double[asked.length];
      double[] missing = new double[asked.length];
      for (int i = 0; i < weights.length; i++) {
        Quota quota = queues.get(i).quota();
        weights[i] = quota.priority() == priority ? quota.weight() : 0;
        missing[i] = asked[i] - expected[i];
      }
      rest -= pour(rest, weights, missing, expected);
    }
    for (int i = 0; i < expected.length; i++) {
      assertThat((double) shares.of(queues.get(i).name()))
          .as("round %d queue %s", round, queues.get(i).name())
          .isCloseTo(expected[i], within(3.0));
    }
  }

  private static double asked(Queue queue, Map<String, Long> demand) {
    double own =
        queue.children().isEmpty()
            ? demand.getOrDefault(queue.name(), 0L)
            : queue.children().stream().mapToDouble(child -> asked(child, demand)).sum();
    Quota quota = queue.quota();
    return Math.max(Math.min(own, (double) quota.limit()), (double) quota.reserved());
  }

  private static double pour(double amount, double[] weights, double[] bounds, double[] into) {
    double low = 0;
    double high = 1e6;
    for (int step = 0; step < 100; step++) {
      double level = (low + high) / 2;
      double held = 0;
      for (int i = 0; i < weights.length; i++) {
        held += Math.min(bounds[i], level * weights[i]);
      }
      if (held < amount) {
        low = level;
      } else {
        high = level;
      }
    }
    double poured = 0;
    for (int i = 0; i < weights.length; i++) {
      double part = Math.min(bounds[i], high * weights[i]);
      into[i] += part;
      poured += part;
    }
    return poured;
  }
}
