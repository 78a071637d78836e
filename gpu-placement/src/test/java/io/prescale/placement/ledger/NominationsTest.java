package io.prescale.placement.ledger;

import static io.prescale.placement.ledger.QueuedNode.NOW;
import static io.prescale.placement.ledger.QueuedNode.RECORD;
import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.inventory.Nodes;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.inventory.Pods;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two pods leave the two cards of node a for a third: one is gone, the other is ending. */
class NominationsTest {
  private static final int MANY = 20;
  private static final PodFacts PREEMPTOR = Pods.nominated(asking("p", 2, 10), "a");
  private static final PodFacts LOW = asking("low", 1, 0);

  private final Ledger ledger = new Ledger(10);

  private static PodFacts asking(String name, long cards, int priority) {
    return Pods.withPriority(Pods.asking(name, Map.of("nvidia.com/gpu", cards)), priority);
  }

  private static PodFacts victim(int card) {
    var record = "GPU-a-%d,NVIDIA,81920,100:;".formatted(card);
    return Pods.leaving(Pods.bound(asking("v" + card, 1, 0), "a", Map.of(RECORD, record)));
  }

  private Candidates ask(PodFacts pod) {
    ledger.seen(pod);
    return ledger.candidates(pod, List.of("a"), true, NOW, _ -> 0);
  }

  @BeforeEach
  void oneOfTheVictimsIsGone() {
    ledger.seen(Nodes.a100("a", 2));
    ledger.seen(victim(0));
    ledger.seen(victim(1));
    assertThat(ask(PREEMPTOR)).isInstanceOf(Candidates.Nowhere.class);
    ledger.podGone(victim(0).uid());
  }

  @Test
  void theCardsAreForThePreemptor() {
    assertThat(ask(LOW))
        .isEqualTo(new Candidates.Nowhere(Map.of("a", "keeps cards for other pods"), Set.of()));
    assertThat(Victims.on(ledger, asking("middle", 1, 5), "a", List.of(), Set.of())).isEmpty();
    assertThat(ledger.awaken(MANY, NOW)).isEmpty();

    ledger.podGone(victim(1).uid());

    assertThat(ledger.awaken(MANY, NOW)).containsExactly(PREEMPTOR);
    assertThat(ask(PREEMPTOR)).isInstanceOf(Candidates.Nodes.class);
    assertThat(ask(LOW)).isInstanceOf(Candidates.Nowhere.class);
  }

  @Test
  void cardsThatItDoesNotNeedAreForAll() {
    ledger.seen(Nodes.a100("a", 3));

    assertThat(ask(LOW)).isInstanceOf(Candidates.Nodes.class);
    assertThat(ask(asking("next", 1, 0))).isInstanceOf(Candidates.Nowhere.class);
  }

  @Test
  void aPodThatIsAsImportantMayTakeThem() {
    assertThat(ask(asking("peer", 1, 10))).isInstanceOf(Candidates.Nodes.class);
  }

  @Test
  void theyAreForOthersAgainWhenThePreemptorIsGoneOrNominatedElsewhere() {
    assertThat(ask(LOW)).isInstanceOf(Candidates.Nowhere.class);
    assertThat(ledger.awaken(MANY, NOW)).isEmpty();
    ledger.seen(Pods.nominated(asking("p", 2, 10), "b"));
    assertThat(ledger.awaken(MANY, NOW)).containsExactly(LOW);

    ledger.notWoken(LOW);
    ledger.seen(PREEMPTOR);
    assertThat(ledger.awaken(MANY, NOW)).isEmpty();
    ledger.podGone(PREEMPTOR.uid());
    assertThat(ledger.awaken(MANY, NOW)).containsExactly(LOW);
  }
}
