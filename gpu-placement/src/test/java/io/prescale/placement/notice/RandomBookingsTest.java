package io.prescale.placement.notice;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.notice.ReclaimPolicy.Mode;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Bookings, replicas, Jobs and nodes that come and go by chance, writes that are lost, and
 * executors that are killed. {@link SimulatedReclaim} checks every taking; here it is checked by
 * rules of its own what is kept, and that all ends once no reason is left.
 */
class RandomBookingsTest {
  private static final int NODES = 3;
  private static final int CARDS = 4;
  private static final int SECONDS = 300;

  private final SimulatedReclaim cluster =
      new SimulatedReclaim(NODES, CARDS)
          .queue("owner", 6, Mode.ACT, 10_000)
          .queue("train", 2, Mode.ACT, 10_000);

  @ParameterizedTest
  @ValueSource(ints = {0, 40, 400})
  void nothingIsKeptTwiceOrWithoutAReasonOrPausedForEver(int first) {
    for (int seed = first; seed < first + 10; seed++) {
      new RandomBookingsTest().run(seed);
    }
  }

  private void run(int seed) {
    var random = new SplittableRandom(seed);
    for (int second = 0; second < SECONDS; second++) {
      happen(random);
      cluster.expected.removeIf(it -> !it.until().isAfter(cluster.now));
      boolean isKilled = random.nextInt(8) == 0;
      cluster.second(isKilled ? random.nextInt(3) : Integer.MAX_VALUE);
      if (!isKilled) {
        verify("seed %d in second %d".formatted(seed, second));
      }
    }
    allReasonsEnd();
    cluster.seconds(120);

    assertThat(cluster.suspendedJobs()).as("paused after seed %d", seed).isEmpty();
    assertThat(cluster.kept).as("kept after seed %d", seed).isEmpty();
    assertThat(cluster.all()).as("seed %d", seed).noneMatch(pod -> pod.notice.isPresent());
  }

  private void happen(SplittableRandom random) {
    switch (random.nextInt(60)) {
      case 0, 1, 2 -> job(random);
      case 3 -> anyOf(cluster.jobNames(), random).forEach(cluster::endJob);
      case 4, 5 -> {
        cluster.expected.clear();
        var from = cluster.now.plusSeconds(random.nextInt(120));
        var until = from.plusSeconds(60L + random.nextInt(600));
        double probability = 0.3 + 0.7 * random.nextDouble();
        cluster.expect("owner", 1 + random.nextInt(5), from, until, probability);
      }
      case 6 -> cluster.expected.clear();
      case 7, 8 -> cluster.pod("owner", 1 + random.nextInt(2));
      case 9, 10 -> anyOf(uidsOf("owner"), random).forEach(cluster::end);
      case 11 -> {
        if (cluster.dead.isEmpty()) {
          cluster.die("n" + random.nextInt(NODES));
        }
      }
      case 12 -> cluster.dead.clear();
      case 13 -> anyOf(uidsOf("train"), random).forEach(cluster.stays::add);
      case 14 -> anyOf(uidsOf("train"), random).forEach(cluster.protectedByBudget::add);
      case 15 -> {
        cluster.stays.clear();
        cluster.protectedByBudget.clear();
      }
      case 16, 17, 18 -> {
        var end = cluster.now.plusSeconds(random.nextInt(100)); // many outlive it
        anyOf(uidsOf("train"), random).forEach(uid -> cluster.get(uid).end = Optional.of(end));
      }
      default -> {
        // Mostly nothing happens.
      }
    }
  }

  /** Never more than there is room for, so that all can go on in the end. */
  private void job(SplittableRandom random) {
    int pods = 1 + random.nextInt(3);
    int all = cluster.jobs.values().stream().mapToInt(it -> it.pods * it.size).sum();
    if (all + pods > NODES * CARDS) {
      return;
    }
    if (random.nextBoolean()) {
      cluster.job("train", pods, 1);
    } else {
      cluster.elastic("train", pods, random.nextInt(pods + 1));
    }
  }

  private List<String> uidsOf(String queue) {
    return cluster.all().filter(it -> it.queue.equals(queue)).map(it -> it.uid).toList();
  }

  private static List<String> anyOf(Collection<String> all, SplittableRandom random) {
    return all.stream().sorted().skip(random.nextInt(all.size() + 1)).limit(1).toList();
  }

  private void verify(String when) {
    assertThat(cluster.kept.values().stream().flatMap(Set::stream))
        .as("kept cards, %s", when)
        .doesNotHaveDuplicates();
    cluster.kept.forEach(
        (claim, cards) -> {
          assertThat(isAsked(claim)).as("%s for which is kept, %s", claim, when).isTrue();
          assertThat(cards.size()).as("for %s, %s", claim, when).isLessThanOrEqualTo(size(claim));
        });
    cluster.verifyNotices();
  }

  private boolean isAsked(String claim) {
    return isExpected(claim) || (cluster.has(claim) && !cluster.get(claim).holds());
  }

  private boolean isExpected(String claim) {
    return cluster.expected.stream().anyMatch(it -> it.claim().key().equals(claim));
  }

  private int size(String claim) {
    return isExpected(claim) ? 1 : cluster.get(claim).size;
  }

  private void allReasonsEnd() {
    cluster.expected.clear();
    cluster.dead.clear();
    cluster.stays.clear();
    cluster.protectedByBudget.clear();
    uidsOf("owner").forEach(cluster::end);
  }
}
