package io.prescale.placement.ledger;

import static io.prescale.placement.ledger.QueuedNode.NOW;
import static io.prescale.placement.ledger.QueuedNode.RECORD;
import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.inventory.Nodes;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.inventory.Pods;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Pods and nodes that go while others are placed. */
class LeavingPodsTest {
  private final Ledger ledger = new Ledger(10);

  private static PodFacts share(String name, long mib) {
    return Pods.asking(name, Map.of("nvidia.com/gpu", 1L, "nvidia.com/gpumem", mib));
  }

  private static PodFacts member(int number) {
    return Pods.inGroup(share("g" + number, 81_920), "g", 2);
  }

  private boolean isOffered(PodFacts pod) {
    ledger.seen(pod);
    return ledger.candidates(pod, List.of("a"), true, NOW, _ -> 0) instanceof Candidates.Nodes;
  }

  @Test
  void refusesToBindToANodeWhoseCardsWentAfterTheOffer() {
    ledger.seen(Nodes.a100("a", 1));
    var pod = share("p", 50_000);
    assertThat(isOffered(pod)).isTrue();
    ledger.nodeGone("a");

    assertThat(ledger.decide(pod.uid(), "a", NOW)).isInstanceOf(Decision.Refused.class);

    ledger.seen(Nodes.a100("a", 1));
    assertThat(isOffered(pod)).as("nothing of the refused binding is left").isTrue();
  }

  /** A finalizer may keep it for long, and no scheduler binds it any more. */
  @Test
  void aPodThatIsDeletedBeforeItIsBoundIsNoMemberOfItsGang() {
    ledger.seen(Nodes.a100("a", 2));
    ledger.seen(member(1));
    ledger.seen(Pods.leaving(member(1)));

    assertThat(isOffered(member(0))).isFalse();

    ledger.wasRefused(Pods.leaving(share("p", 81_920)));
    assertThat(ledger.totals().refused()).as("the member that waits").isEqualTo(1);
    ledger.seen(member(2));
    assertThat(isOffered(member(0))).isTrue();
  }

  /** A Job replaces its pods while they still end. */
  @Test
  void membersThatLeaveDoNotCountForTheirSuccessors() {
    ledger.seen(Nodes.a100("a", 4));
    for (int number = 0; number < 2; number++) {
      var record = "GPU-a-%d,NVIDIA,81920,0:;".formatted(number);
      ledger.seen(Pods.leaving(Pods.bound(member(number), "a", Map.of(RECORD, record))));
    }
    assertThat(isOffered(share("other", 81_920))).isTrue();

    assertThat(isOffered(member(2))).as("alone").isFalse();
    assertThat(isOffered(member(3))).as("both, on the one card left").isFalse();

    ledger.podGone("uid-g0");
    assertThat(isOffered(member(3))).as("both, on two cards").isTrue();
  }
}
