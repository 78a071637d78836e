package io.prescale.placement.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FairSharesTest {
  private static final long GPU = 1000;

  private static Quota quota(long guaranteed, int weight) {
    return new Quota(guaranteed, 0, Quota.UNLIMITED, weight, 0);
  }

  /**
   * Koordinator: 20220722-multi-hierarchy-elastic-quota-management.md, "Calculate RuntimeQuota";
   * the values are those of {@code TestRuntimeQuotaCalculator_Iteration4AdjustQuota}.
   */
  @Test
  void dividesAsKoordinatorsExampleOfFourQuotaGroups() {
    QueueTree tree =
        QueueTree.of(
            List.of(
                Queue.leaf("A", quota(10, 40)),
                Queue.leaf("B", quota(15, 60)),
                Queue.leaf("C", quota(20, 50)),
                Queue.leaf("D", quota(15, 80))));

    FairShares shares = FairShares.of(tree, 100, Map.of("A", 5L, "B", 20L, "C", 40L, "D", 70L));

    assertThat(List.of(shares.of("A"), shares.of("B"), shares.of("C"), shares.of("D")))
        .containsExactly(5L, 20L, 35L, 40L);
  }

  /** Koordinator, "Min Guarantee and Preemption": A borrows all, then B asks and is owed half. */
  @Test
  void owesHalfToAQuotaGroupThatReturnsAsKoordinatorDoes() {
    QueueTree tree =
        QueueTree.of(List.of(Queue.leaf("A", quota(50, 1)), Queue.leaf("B", quota(50, 1))));

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
                Queue.leaf("vision", quota(2 * GPU, 2).withPriority(2)),
                Queue.leaf("llm", quota(2 * GPU, 1).withPriority(2)),
                Queue.leaf("data", quota(3 * GPU, 1).withPriority(1))));

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
                Queue.leaf("high", quota(0, 1).withPriority(2)),
                Queue.leaf("heavy", quota(0, 100).withPriority(1))));

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
            Queue.group("CS", quota(300 * GPU, 1), Queue.leaf("SA", quota(300 * GPU, 1))),
            Queue.group(
                "C1",
                quota(0, 1),
                Queue.leaf("1A", quota(0, 1)),
                Queue.leaf("1B", quota(0, 1)),
                Queue.leaf("1C", quota(0, 3))),
            Queue.group("C2", quota(0, 1), Queue.leaf("2A", quota(0, 1)))));
  }

  /** Kueue: KEP-1714, story 2: what a team leaves goes to its own department first. */
  @Test
  void lendsWithinADepartmentFirstAsKueuesStoryTwo() {
    Queue one =
        Queue.group(
            "D1",
            quota(30 * GPU, 1),
            Queue.leaf("1A", quota(10 * GPU, 1)),
            Queue.leaf("1B", quota(10 * GPU, 1)),
            Queue.leaf("1C", quota(10 * GPU, 1)));
    Queue two = Queue.group("D2", quota(10 * GPU, 1), Queue.leaf("2A", quota(10 * GPU, 1)));
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
                Queue.leaf("queue1", quota(20 * GPU, 1)),
                Queue.leaf("queue2", quota(80 * GPU, 1))));

    assertThat(FairShares.of(tree, 100 * GPU, Map.of("queue1", 100 * GPU)).of("queue1"))
        .isEqualTo(100 * GPU);
    FairShares later =
        FairShares.of(tree, 100 * GPU, Map.of("queue1", 100 * GPU, "queue2", 80 * GPU));
    assertThat(later.of("queue1")).isEqualTo(20 * GPU);
    assertThat(later.of("queue2")).isEqualTo(80 * GPU);
  }

  @Test
  void neverLendsWhatIsReserved() {
    QueueTree tree =
        QueueTree.of(
            List.of(
                Queue.leaf("own", quota(40 * GPU, 1).withReserved(30 * GPU)),
                Queue.leaf("other", quota(0, 1))));

    FairShares shares = FairShares.of(tree, 100 * GPU, Map.of("other", 100 * GPU));

    assertThat(shares.of("own")).isEqualTo(30 * GPU);
    assertThat(shares.of("other")).isEqualTo(70 * GPU);
  }

  @Test
  void aBuildQueueStaysAtItsAmountWhileATrainQueueBorrows() {
    QueueTree tree =
        QueueTree.of(
            List.of(
                Queue.leaf("build", Quota.build(20 * GPU)),
                Queue.leaf("train", Quota.train(50 * GPU, 1))));

    FairShares shares =
        FairShares.of(tree, 100 * GPU, Map.of("build", 60 * GPU, "train", 200 * GPU));

    assertThat(shares.of("build")).isEqualTo(20 * GPU);
    assertThat(shares.of("train")).isEqualTo(80 * GPU);
  }

  @Test
  void cutsTheGuaranteedInProportionWhenNodesAreLost() {
    QueueTree tree =
        QueueTree.of(
            List.of(
                Queue.leaf("a", quota(60 * GPU, 1)),
                Queue.leaf("b", quota(30 * GPU, 5)),
                Queue.leaf("idle", quota(90 * GPU, 1))));

    FairShares shares = FairShares.of(tree, 60 * GPU, Map.of("a", 99 * GPU, "b", 99 * GPU));

    assertThat(shares.of("a")).isEqualTo(40 * GPU);
    assertThat(shares.of("b")).isEqualTo(20 * GPU);
  }

  /** KAI issue 2209: 0.1 + 0.2 GPU did not fit a quota of 0.3. */
  @Test
  void tenthsAddUp() {
    QueueTree tree = QueueTree.of(List.of(Queue.leaf("a", Quota.build(300))));
    FairShares shares = FairShares.of(tree, 1000, Map.of("a", 300L));
    QueueLedger ledger = QueueLedger.of(shares, Map.of("a", 100L), Map.of());

    assertThat(ledger.check("a", 200, true)).isEqualTo(new QuotaCheck.Within());
    assertThat(ledger.check("a", 201, true))
        .isEqualTo(new QuotaCheck.Exceeded("a", QuotaCheck.Bound.LIMIT, 301, 300));
  }

  @Test
  void refusesQuotasAndDemandsThatMakeNoSense() {
    assertThatThrownBy(() -> new Quota(-1, 0, 0, 0, 0)).hasMessageContaining("-1 milli-GPU");
    assertThatThrownBy(() -> quota(10, 1).withReserved(11)).hasMessageContaining("reserve at most");
    assertThatThrownBy(() -> quota(10, 1).withLimit(9))
        .hasMessage(
            "a limit of 9 milli-GPU; give at least the guaranteed 10 and at most 1000000000");
    assertThatThrownBy(() -> quota(10, 1).withLimit(Long.MAX_VALUE))
        .hasMessageContaining("at most");
    assertThatThrownBy(() -> quota(0, 1001)).hasMessage("a weight of 1001; give 0 to 1000");
    assertThatThrownBy(() -> Queue.leaf(" ", quota(0, 1)))
        .hasMessage("a queue has no name; give one");
    assertThatThrownBy(() -> Queue.group("g", quota(1, 1), Queue.leaf("x", quota(2, 1))))
        .hasMessage(
            "queue g guarantees its children 2 milli-GPU but has only 1 guaranteed itself; raise"
                + " its own");
    Queue a = Queue.leaf("a", quota(600_000_000, 1));
    assertThatThrownBy(() -> QueueTree.of(List.of(a, a))).hasMessageContaining("in sum");
    Queue b = Queue.leaf("b", quota(0, 1));
    assertThatThrownBy(() -> QueueTree.of(List.of(b, b)))
        .hasMessage("two queues are named b; give each its own name");
    QueueTree tree =
        QueueTree.of(List.of(b, Queue.group("g", quota(0, 1), Queue.leaf("x", quota(0, 1)))));
    assertThatThrownBy(() -> FairShares.of(tree, -1, Map.of()))
        .hasMessageContaining("capacity of -1");
    assertThatThrownBy(() -> FairShares.of(tree, 1, Map.of("b", -1L)))
        .hasMessage("queue b asks for -1 milli-GPU; give 0 or more");
    assertThatThrownBy(() -> FairShares.of(tree, 1, Map.of("c", 1L)))
        .hasMessage("there is no queue c; there are [b, g, x]");
    assertThatThrownBy(() -> FairShares.of(tree, 1, Map.of("g", 1L)))
        .hasMessage("queue g has children; only queues without hold work");
  }

  @Test
  void anEmptyTreeOwesNothing() {
    assertThat(QueueTree.of(List.of()).queues()).isEmpty();
    assertThat(FairShares.of(QueueTree.of(List.of()), 1000, Map.of())).isNotNull();
  }
}
