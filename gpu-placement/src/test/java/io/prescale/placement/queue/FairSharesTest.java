package io.prescale.placement.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FairSharesTest {
  private static final long GPU = 1000;

  @Test
  void neverLendsWhatIsReserved() {
    QueueTree tree =
        QueueTree.of(
            List.of(
                Queue.leaf("own", new Quota(40 * GPU, 30 * GPU, Quota.UNLIMITED, 1, 0)),
                Queue.leaf("other", Quota.train(0, 1))));

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
                Queue.leaf("a", Quota.train(60 * GPU, 1)),
                Queue.leaf("b", Quota.train(30 * GPU, 5)),
                Queue.leaf("idle", Quota.train(90 * GPU, 1))));

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
    assertThatThrownBy(() -> new Quota(10, 11, Quota.UNLIMITED, 1, 0))
        .hasMessageContaining("reserve at most");
    assertThatThrownBy(() -> Quota.train(10, 1).withLimit(9))
        .hasMessage(
            "a limit of 9 milli-GPU; give at least the guaranteed 10 and at most 1000000000");
    assertThatThrownBy(() -> Quota.train(10, 1).withLimit(Long.MAX_VALUE))
        .hasMessageContaining("at most");
    assertThatThrownBy(() -> Quota.train(0, 1001)).hasMessage("a weight of 1001; give 0 to 1000");
    assertThatThrownBy(() -> Queue.leaf(" ", Quota.train(0, 1)))
        .hasMessage("a queue has no name; give one");
    assertThatThrownBy(
            () -> Queue.group("g", Quota.train(1, 1), Queue.leaf("x", Quota.train(2, 1))))
        .hasMessage(
            "queue g guarantees its children 2 milli-GPU but has only 1 guaranteed itself; raise"
                + " its own");
    Queue a = Queue.leaf("a", Quota.train(600_000_000, 1));
    assertThatThrownBy(() -> QueueTree.of(List.of(a, a))).hasMessageContaining("in sum");
    Queue b = Queue.leaf("b", Quota.train(0, 1));
    assertThatThrownBy(() -> QueueTree.of(List.of(b, b)))
        .hasMessage("two queues are named b; give each its own name");
    QueueTree tree =
        QueueTree.of(
            List.of(b, Queue.group("g", Quota.train(0, 1), Queue.leaf("x", Quota.train(0, 1)))));
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
    var empty = QueueTree.of(List.of());
    assertThat(empty.queues()).isEmpty();
    assertThatThrownBy(() -> FairShares.of(empty, 1000, Map.of()).of("b"))
        .hasMessage("there is no queue b; there are []");
  }
}
