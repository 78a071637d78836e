package io.prescale.placement.moves;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Clusters in which pods come, go and get sick cards by chance; the simulation checks each step.
 */
class RandomMovesTest {
  private static final int CARDS = 4;
  private static final int SECONDS = 600;

  private static SimulatedMoves cluster(SplittableRandom random) {
    int nodes = 2 + random.nextInt(3);
    var cluster = new SimulatedMoves(nodes, CARDS);
    for (int node = 0; node < nodes; node++) {
      for (int card = 0; card < CARDS; card++) {
        if (random.nextInt(3) == 0) {
          cluster.put(random.nextInt(4) > 0, node, card);
        }
      }
    }
    return cluster;
  }

  private static void happen(SimulatedMoves cluster, SplittableRandom random) {
    switch (random.nextInt(60)) {
      case 0, 1 -> cluster.waiting(1 + random.nextInt(CARDS));
      case 2 ->
          cluster.pods.values().stream()
              .filter(pod -> !pod.isLeaving)
              .skip(random.nextInt(cluster.pods.size() + 1))
              .findFirst()
              .ifPresent(pod -> cluster.pods.remove(pod.uid));
      case 3 -> cluster.sick.add(SimulatedCards.uuid(random.nextInt(2), random.nextInt(CARDS)));
      case 4 -> cluster.sick.clear();
      case 5 -> cluster.isOpen = !cluster.isOpen;
      default -> {
        // Mostly nothing happens.
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  void everyPodThatWasEvictedIsReplacedWhereItWasBooked(long seed) {
    var random = new SplittableRandom(seed);
    var cluster = cluster(random);

    for (int second = 0; second < SECONDS; second++) {
      cluster.second(Integer.MAX_VALUE);
      happen(cluster, random);
    }
    cluster.isOpen = false;
    cluster.sick.clear();
    cluster.seconds((int) MoveRound.UNTIL_BOUND.toSeconds() + 60);

    var arrived =
        cluster.log.stream()
            .filter(MoveStep.Arrive.class::isInstance)
            .map(MoveStep.Arrive.class::cast)
            .toList();
    assertThat(arrived).as("seed %d", seed).allMatch(MoveStep.Arrive::isAsBooked);
    assertThat(cluster.pods.values()).noneMatch(pod -> pod.notice.isPresent());
    assertThat(cluster.kept).isEmpty();
  }

  /** What the killed one has kept is given out for a second, so that others may be there first. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  void anExecutorThatIsKilledAgainAndAgainEvictsNothingTwiceAndLeavesNoNotice(long seed) {
    var random = new SplittableRandom(seed);
    var cluster = cluster(random);

    for (int second = 0; second < SECONDS; second++) {
      cluster.second(random.nextInt(20) == 0 ? 0 : Integer.MAX_VALUE);
      happen(cluster, random);
    }
    cluster.isOpen = false;
    cluster.sick.clear();
    cluster.seconds((int) MoveRound.UNTIL_BOUND.toSeconds() + 60);

    assertThat(cluster.evicted).as("seed %d", seed).doesNotHaveDuplicates();
    assertThat(cluster.pods.values()).noneMatch(pod -> pod.notice.isPresent());
    assertThat(cluster.kept).isEmpty();
  }
}
