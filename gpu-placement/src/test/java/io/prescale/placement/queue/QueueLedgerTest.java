package io.prescale.placement.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class QueueLedgerTest {
  private static final long GPU = 1000;

  private static QueueLedger ledger(
      QueueTree tree, long capacity, Map<String, Long> demand, Map<String, Long> used) {
    return QueueLedger.of(FairShares.of(tree, capacity, demand), used, Map.of());
  }

  /** Volcano: docs/design/capacity-scheduling.md, story 4: 60 in use, 20 kept, 40 taken back. */
  @Test
  void takesBackAllButTheGuaranteedAsVolcanosStoryFour() {
    QueueTree tree =
        QueueTree.of(
            List.of(
                Queue.leaf("queue1", Quota.train(20 * GPU, 1).withLimit(60 * GPU)),
                Queue.leaf("queue2", Quota.train(80 * GPU, 1))));
    QueueLedger ledger =
        ledger(
            tree,
            100 * GPU,
            Map.of("queue1", 60 * GPU, "queue2", 80 * GPU),
            Map.of("queue1", 60 * GPU));

    ReclaimBudget budget = ledger.reclaimFor("queue2", 80 * GPU);

    assertThat(budget.roomOf("queue1")).isEqualTo(40 * GPU);
    assertThat(ledger.check("queue1", 1, true))
        .isEqualTo(
            new QuotaCheck.Exceeded("queue1", QuotaCheck.Bound.LIMIT, 60 * GPU + 1, 60 * GPU));
  }

  /** KAI: docs/scheduling-deep-dive, "The Quota Protection Guarantee". */
  @Test
  void takesNothingFromAQueueWithinItsGuaranteed() {
    QueueTree tree =
        QueueTree.of(
            List.of(
                Queue.leaf("inference", Quota.train(4 * GPU, 1)),
                Queue.leaf("training", Quota.train(6 * GPU, 1))));
    Map<String, Long> demand = Map.of("inference", 9 * GPU, "training", 6 * GPU);
    QueueLedger ledger =
        ledger(tree, 10 * GPU, demand, Map.of("inference", 2 * GPU, "training", 6 * GPU));

    assertThat(ledger.reclaimFor("inference", GPU).roomOf("training")).isZero();
  }

  @Test
  void takesOnlyWhatIsBeyondTheFairShareForAClaimBeyondTheGuaranteed() {
    QueueTree tree =
        QueueTree.of(
            List.of(Queue.leaf("a", Quota.train(0, 1)), Queue.leaf("b", Quota.train(2 * GPU, 1))));
    Map<String, Long> demand = Map.of("a", 20 * GPU, "b", 20 * GPU);
    QueueLedger ledger = ledger(tree, 10 * GPU, demand, Map.of("b", 10 * GPU));

    assertThat(ledger.reclaimFor("a", 4 * GPU).roomOf("b")).isEqualTo(4 * GPU);
    assertThat(ledger.reclaimFor("a", 4 * GPU + 1).roomOf("b")).isZero();
  }

  @Test
  void whatIsOnlyOfferedToAQueueIsNothingThatItCouldGive() {
    QueueTree tree =
        QueueTree.of(
            List.of(
                Queue.leaf("a", Quota.train(4 * GPU, 1)),
                Queue.leaf("b", Quota.train(4 * GPU, 1))));
    Map<String, Long> demand = Map.of("a", 10 * GPU, "b", 10 * GPU);
    QueueLedger ledger = ledger(tree, 8 * GPU, demand, Map.of("a", 3 * GPU, "b", 6 * GPU));
    QueueLedger offered = ledger.withHeld(Map.of("a", 2 * GPU, "b", 3 * GPU));

    assertThat(ledger.reclaimFor("a", GPU).roomOf("b")).isEqualTo(2 * GPU);
    assertThat(offered.reclaimFor("a", GPU).roomOf("b")).as("3 of 4 guaranteed").isZero();
    assertThat(ledger.withHeld(Map.of("b", 5 * GPU)).reclaimFor("a", GPU).roomOf("b"))
        .isEqualTo(GPU);
    assertThat(offered.reclaimFor("a", 2 * GPU).roomOf("b")).as("a claims with 3").isZero();
    assertThat(ledger.withHeld(Map.of("b", 99 * GPU)).reclaimFor("a", GPU).roomOf("b"))
        .as("never more than is in use")
        .isEqualTo(2 * GPU);
  }

  @Test
  void keepsWhatIsGuaranteedAtEveryLevelOfTheVictim() {
    QueueTree tree =
        QueueTree.of(
            List.of(
                Queue.leaf("claimant", Quota.train(50 * GPU, 1)),
                Queue.group(
                    "org",
                    Quota.train(40 * GPU, 1),
                    Queue.leaf("x", Quota.train(10 * GPU, 1)),
                    Queue.leaf("y", Quota.train(30 * GPU, 1)))));
    Map<String, Long> demand = Map.of("claimant", 50 * GPU, "x", 60 * GPU, "y", 40 * GPU);
    QueueLedger ledger = ledger(tree, 100 * GPU, demand, Map.of("x", 60 * GPU, "y", 5 * GPU));

    ReclaimBudget budget = ledger.reclaimFor("claimant", 50 * GPU);

    assertThat(budget.roomOf("x")).isEqualTo(25 * GPU);
    assertThat(budget.roomOf("y")).isZero();
    budget.take("x", 20 * GPU);
    ReclaimBudget copy = budget.copy();
    assertThat(copy.allows("x", 5 * GPU)).isTrue();
    assertThat(copy.allows("x", 5 * GPU + 1)).isFalse();
    copy.giveBack("x", 20 * GPU);
    assertThat(copy.roomOf("x")).isEqualTo(25 * GPU);
    assertThat(budget.roomOf("x")).isEqualTo(5 * GPU);
    assertThatThrownBy(() -> budget.take("x", 6 * GPU))
        .hasMessage("6000 milli-GPU of queue x, which may give 5000");
  }

  @Test
  void aSiblingIsComparedBelowTheCommonParent() {
    QueueTree tree =
        QueueTree.of(
            List.of(
                Queue.group(
                    "org",
                    Quota.train(10 * GPU, 1),
                    Queue.leaf("x", Quota.train(5 * GPU, 1)),
                    Queue.leaf("y", Quota.train(5 * GPU, 1))),
                Queue.leaf("other", Quota.train(10 * GPU, 1))));
    Map<String, Long> demand = Map.of("x", 5 * GPU, "y", 15 * GPU, "other", 10 * GPU);
    QueueLedger ledger = ledger(tree, 20 * GPU, demand, Map.of("y", 10 * GPU, "other", 10 * GPU));

    ReclaimBudget budget = ledger.reclaimFor("x", 5 * GPU);

    assertThat(budget.roomOf("y")).isEqualTo(5 * GPU);
    assertThat(budget.roomOf("other")).isZero();
  }

  @Test
  void firmWorkStaysWithinTheGuaranteed() {
    QueueTree tree = QueueTree.of(List.of(Queue.leaf("q", Quota.train(4 * GPU, 1))));
    QueueLedger ledger =
        QueueLedger.of(
            FairShares.of(tree, 10 * GPU, Map.of("q", 10 * GPU)),
            Map.of("q", 5 * GPU),
            Map.of("q", 3 * GPU));

    assertThat(ledger.check("q", GPU, false)).isEqualTo(new QuotaCheck.Within());
    QuotaCheck refused = ledger.check("q", 2 * GPU, false);
    assertThat(refused)
        .isInstanceOfSatisfying(
            QuotaCheck.Exceeded.class,
            exceeded ->
                assertThat(exceeded.reason())
                    .isEqualTo(
                        "queue q would use 5000 milli-GPU for work that must not be evicted, 4000"
                            + " are guaranteed"));
    assertThat(ledger.check("q", 5 * GPU, true)).isEqualTo(new QuotaCheck.Within());
  }

  @Test
  void servesTheQueueFurthestBelowItsDue() {
    QueueTree tree =
        QueueTree.of(
            List.of(
                Queue.leaf("a", Quota.train(2 * GPU, 1)),
                Queue.group(
                    "org",
                    Quota.train(4 * GPU, 1),
                    Queue.leaf("x", Quota.train(0, 1)),
                    Queue.leaf("y", Quota.train(4 * GPU, 1)))));
    Map<String, Long> demand = Map.of("a", 10 * GPU, "x", 10 * GPU, "y", 10 * GPU);

    QueueLedger lacking = ledger(tree, 20 * GPU, demand, Map.of("a", 3 * GPU, "x", 3 * GPU));
    QueueLedger beyond =
        ledger(tree, 20 * GPU, demand, Map.of("a", 3 * GPU, "x", 4 * GPU, "y", 4 * GPU));

    assertThat(lacking.next(List.of("a", "x", "y"))).contains("y");
    assertThat(lacking.next(List.of("a", "x"))).contains("x");
    assertThat(beyond.next(List.of("a", "x", "y"))).contains("a");
    assertThat(beyond.next(List.of())).isEmpty();
    assertThatThrownBy(() -> beyond.next(List.of("org"))).hasMessageContaining("has children");
  }

  @Test
  void refusesAmountsThatMakeNoSense() {
    QueueTree tree = QueueTree.of(List.of(Queue.leaf("q", Quota.build(GPU))));
    FairShares shares = FairShares.of(tree, GPU, Map.of());

    assertThatThrownBy(() -> QueueLedger.of(shares, Map.of("q", -1L), Map.of()))
        .hasMessage("-1 milli-GPU for queue q; give 0 to 1000000000");
    QueueLedger ledger = QueueLedger.of(shares, Map.of(), Map.of());
    assertThatThrownBy(() -> ledger.check("q", -1, true))
        .hasMessage("a request of -1 milli-GPU; give 0 to 1000000000");
    assertThatThrownBy(() -> ledger.reclaimFor("q", Long.MAX_VALUE))
        .hasMessageContaining("a request of 9223372036854775807 milli-GPU");
    QueueTree group =
        QueueTree.of(
            List.of(
                Queue.group(
                    "g",
                    Quota.train(0, 1),
                    Queue.leaf("a", Quota.train(0, 1)),
                    Queue.leaf("b", Quota.train(0, 1)))));
    FairShares none = FairShares.of(group, 0, Map.of());
    assertThatThrownBy(
            () -> QueueLedger.of(none, Map.of("a", 600_000_000L, "b", 600_000_000L), Map.of()))
        .hasMessage("1200000000 milli-GPU below queue g; give at most 1000000000");
    assertThatThrownBy(() -> QueueLedger.of(shares, Map.of("z", 1L), Map.of()))
        .hasMessage("there is no queue z; there are [q]");
  }

  private static QueueTree twoTeams() {
    return QueueTree.of(
        List.of(
            Queue.group(
                "one",
                Quota.train(4 * GPU, 1),
                Queue.leaf("a", Quota.train(2 * GPU, 1)),
                Queue.leaf("b", Quota.train(2 * GPU, 1))),
            Queue.leaf("two", Quota.train(4 * GPU, 1))));
  }

  @Test
  void aQueueBeyondItsShareIsBehindOneThatIsOwed() {
    Map<String, Long> demand = Map.of("a", 8 * GPU, "two", 8 * GPU);
    QueueLedger ledger = ledger(twoTeams(), 8 * GPU, demand, Map.of("a", 4 * GPU, "two", 3 * GPU));

    assertThat(ledger.owedBefore("a", GPU, Map.of("a", GPU, "two", GPU))).contains("two");
    assertThat(ledger.owedBefore("two", GPU, Map.of("a", GPU, "two", GPU))).isEmpty();
    assertThat(ledger.owedBefore("a", GPU, Map.of("a", GPU))).isEmpty();
  }

  /** Of 9 cards 4.5 each: the last card goes to the one that asks, not to none. */
  @Test
  void aClaimThatWouldGoBeyondItsOwnShareKeepsNoOtherQueueWaiting() {
    Map<String, Long> demand = Map.of("a", 9 * GPU, "two", 9 * GPU);
    QueueLedger ledger = ledger(twoTeams(), 9 * GPU, demand, Map.of("a", 4 * GPU, "two", 4 * GPU));

    assertThat(ledger.owedBefore("a", GPU, Map.of("two", GPU))).isEmpty();
    assertThat(ledger.owedBefore("two", GPU, Map.of("a", GPU))).isEmpty();
  }

  @Test
  void aQueueBeyondItsShareOnlyInItsTeamIsBehindThatTeamAlone() {
    Map<String, Long> demand = Map.of("a", 4 * GPU, "b", 2 * GPU, "two", 4 * GPU);
    QueueLedger ledger = ledger(twoTeams(), 8 * GPU, demand, Map.of("a", 2 * GPU));

    assertThat(ledger.owedBefore("a", GPU, Map.of("two", GPU))).isEmpty();
    assertThat(ledger.owedBefore("a", GPU, Map.of("b", GPU))).contains("b");
  }
}
