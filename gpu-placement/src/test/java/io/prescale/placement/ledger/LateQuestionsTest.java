package io.prescale.placement.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.inventory.Nodes;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.inventory.Pods;
import io.prescale.placement.queue.Quota;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Questions of kube-scheduler about pods of which the watch knows more, or nothing yet. */
class LateQuestionsTest {
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
  private static final Instant LATER = NOW.plusSeconds(31);

  private final Ledger ledger = new Ledger(10);
  private final PodFacts pod =
      Pods.asking("p", Map.of("nvidia.com/gpu", 1L, "nvidia.com/gpumem", 90_000L));

  @BeforeEach
  void queue() {
    ledger.seen(Nodes.a100("a", 1));
    ledger.queues(List.of(QueuedNode.queue("default", Quota.train(1000, 1))));
  }

  private void ask() {
    ledger.candidates(pod, List.of("a"), true, NOW, _ -> 0);
  }

  private int waiting() {
    return ledger.queues().getFirst().waiting();
  }

  @Test
  void aPodThatIsDeletedBeforeItsQuestionComesWaitsNoLonger() {
    ledger.seen(pod);
    ledger.podGone(pod.uid());
    ask();
    assertThat(waiting()).isEqualTo(1);

    assertThat(ledger.awaken(1, LATER)).isEmpty();

    assertThat(waiting()).isZero();
    assertThat(ledger.totals().refused()).isZero();
  }

  @Test
  void aMemberOfAGangThatIsDeletedBeforeItsQuestionComesIsForgottenToo() {
    var member = Pods.inGroup(pod, "train", 2);
    ledger.seen(member);
    ledger.podGone(member.uid());
    ledger.candidates(member, List.of("a"), true, NOW, _ -> 0);

    ledger.awaken(1, LATER);

    assertThat(waiting()).isZero();
    assertThat(ledger.totals().refused()).isZero();
    assertThat(ledger.waitsForCards(member.uid())).isFalse();
  }

  @Test
  void aPodThatIsAskedAboutBeforeItIsSeenGoesOnWaiting() {
    ask();
    ledger.seen(pod);

    ledger.awaken(1, LATER);

    assertThat(waiting()).isEqualTo(1);
    assertThat(ledger.totals().refused()).isEqualTo(1);
    ledger.podGone(pod.uid());
    assertThat(waiting()).isZero();
  }

  @Test
  void eachQuestionLetsItWaitAnew() {
    ask();
    ledger.candidates(pod, List.of("a"), true, LATER.minusSeconds(5), _ -> 0);

    ledger.awaken(1, LATER);
    assertThat(waiting()).isEqualTo(1);

    ledger.awaken(1, LATER.plusSeconds(31));
    assertThat(waiting()).isZero();
  }
}
