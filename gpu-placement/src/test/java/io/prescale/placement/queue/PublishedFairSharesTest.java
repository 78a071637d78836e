package io.prescale.placement.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What other systems document of their fair shares. */
class PublishedFairSharesTest {
  private static final long GPU = 1000;

  /**
   * Koordinator: 20220722-multi-hierarchy-elastic-quota-management.md, "Calculate RuntimeQuota";
   * the values are those of {@code TestRuntimeQuotaCalculator_Iteration4AdjustQuota}.
   */
  @Test
  void dividesAsKoordinatorsExampleOfFourQuotaGroups() {
    QueueTree tree =
        QueueTree.of(
            List.of(
                Queue.leaf("A", Quota.train(10, 40)),
                Queue.leaf("B", Quota.train(15, 60)),
                Queue.leaf("C", Quota.train(20, 50)),
                Queue.leaf("D", Quota.train(15, 80))));

    FairShares shares = FairShares.of(tree, 100, Map.of("A", 5L, "B", 20L, "C", 40L, "D", 70L));

    assertThat(List.of(shares.of("A"), shares.of("B"), shares.of("C"), shares.of("D")))
        .containsExactly(5L, 20L, 35L, 40L);
  }

  /** Koordinator, "Min Guarantee and Preemption": A borrows all, then B asks and is owed half. */
  @Test
  void owesHalfToAQuotaGroupThatReturnsAsKoordinatorDoes() {
    QueueTree tree =
        QueueTree.of(
            List.of(Queue.leaf("A", Quota.train(50, 1)), Queue.leaf("B", Quota.train(50, 1))));

    assertThat(FairShares.of(tree, 100, Map.of("A", 100L)).of("A")).isEqualTo(100);
    FairShares later = FairShares.of(tree, 100, Map.of("A", 100L, "B", 100L));
    assertThat(later.of("A")).isEqualTo(50);
    assertThat(later.of("B")).isEqualTo(50);
  }

  /** KAI-Scheduler: docs/scheduling-deep-dive, figure "Queue Priority: Resource Distribution". */
  @Test
  void givesSurplusByPriorityThenWeightAsKaisFigure() {
    QueueTree tree =
        QueueTree.of(
            List.of(
                Queue.leaf("vision", Quota.train(2 * GPU, 2).withPriority(2)),
                Queue.leaf("llm", Quota.train(2 * GPU, 1).withPriority(2)),
                Queue.leaf("data", Quota.train(3 * GPU, 1).withPriority(1))));

    FairShares shares =
        FairShares.of(
            tree, 10 * GPU, Map.of("vision", 10 * GPU, "llm", 10 * GPU, "data", 10 * GPU));

    assertThat(shares.of("vision")).isEqualTo(4 * GPU);
    assertThat(shares.of("llm")).isEqualTo(3 * GPU);
    assertThat(shares.of("data")).isEqualTo(3 * GPU);
  }

  /**
   * KAI: "A queue with priority=2, weight=1 gets surplus before one with priority=1, weight=100".
   */
  @Test
  void aHigherPriorityTakesTheSurplusWhateverTheWeights() {
    QueueTree tree =
        QueueTree.of(
            List.of(
                Queue.leaf("high", Quota.train(0, 1).withPriority(2)),
                Queue.leaf("heavy", Quota.train(0, 100).withPriority(1))));

    FairShares shares = FairShares.of(tree, 9 * GPU, Map.of("high", 8 * GPU, "heavy", 8 * GPU));

    assertThat(shares.of("high")).isEqualTo(8 * GPU);
    assertThat(shares.of("heavy")).isEqualTo(GPU);
  }

  /** Kueue: KEP-1714, story 3: 300 GPUs of an idle cohort. */
  @Test
  void dividesAnIdleCohortsQuotaAsKueuesStoryThree() {
    FairShares shares =
        FairShares.of(
            storyThree(),
            300 * GPU,
            Map.of("1A", 500 * GPU, "1B", 500 * GPU, "1C", 500 * GPU, "2A", 500 * GPU));

    assertThat(shares.of("C1")).isEqualTo(150 * GPU);
    assertThat(shares.of("1A")).isEqualTo(30 * GPU);
    assertThat(shares.of("1B")).isEqualTo(30 * GPU);
    assertThat(shares.of("1C")).isEqualTo(90 * GPU);
    assertThat(shares.of("2A")).isEqualTo(150 * GPU);
  }

  private static QueueTree storyThree() {
    return QueueTree.of(
        List.of(
            Queue.group(
                "CS", Quota.train(300 * GPU, 1), Queue.leaf("SA", Quota.train(300 * GPU, 1))),
            Queue.group(
                "C1",
                Quota.train(0, 1),
                Queue.leaf("1A", Quota.train(0, 1)),
                Queue.leaf("1B", Quota.train(0, 1)),
                Queue.leaf("1C", Quota.train(0, 3))),
            Queue.group("C2", Quota.train(0, 1), Queue.leaf("2A", Quota.train(0, 1)))));
  }

  /** Kueue: KEP-1714, story 2: what a team leaves goes to its own department first. */
  @Test
  void lendsWithinADepartmentFirstAsKueuesStoryTwo() {
    Queue one =
        Queue.group(
            "D1",
            Quota.train(30 * GPU, 1),
            Queue.leaf("1A", Quota.train(10 * GPU, 1)),
            Queue.leaf("1B", Quota.train(10 * GPU, 1)),
            Queue.leaf("1C", Quota.train(10 * GPU, 1)));
    Queue two =
        Queue.group("D2", Quota.train(10 * GPU, 1), Queue.leaf("2A", Quota.train(10 * GPU, 1)));
    QueueTree tree = QueueTree.of(List.of(one, two));

    FairShares busy =
        FairShares.of(tree, 40 * GPU, Map.of("1B", 20 * GPU, "1C", 20 * GPU, "2A", 40 * GPU));
    FairShares idle =
        FairShares.of(tree, 40 * GPU, Map.of("1B", 10 * GPU, "1C", 10 * GPU, "2A", 40 * GPU));

    assertThat(busy.of("1B")).isEqualTo(15 * GPU);
    assertThat(busy.of("1C")).isEqualTo(15 * GPU);
    assertThat(busy.of("2A")).isEqualTo(10 * GPU);
    assertThat(idle.of("2A")).isEqualTo(20 * GPU);
  }

  /** Volcano: docs/design/capacity-scheduling.md, story 3, in A100: deserved 20 and 80. */
  @Test
  void lendsAllOfAnIdleQueueAndOwesItBackAsVolcanosStoryThree() {
    QueueTree tree =
        QueueTree.of(
            List.of(
                Queue.leaf("queue1", Quota.train(20 * GPU, 1)),
                Queue.leaf("queue2", Quota.train(80 * GPU, 1))));

    assertThat(FairShares.of(tree, 100 * GPU, Map.of("queue1", 100 * GPU)).of("queue1"))
        .isEqualTo(100 * GPU);
    FairShares later =
        FairShares.of(tree, 100 * GPU, Map.of("queue1", 100 * GPU, "queue2", 80 * GPU));
    assertThat(later.of("queue1")).isEqualTo(20 * GPU);
    assertThat(later.of("queue2")).isEqualTo(80 * GPU);
  }
}
