package io.prescale.controller.lab;

import static io.prescale.controller.lab.FragmentedCards.annotation;
import static io.prescale.controller.lab.Patience.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.prescale.controller.lab.Lab.Verb;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a move needs dies or goes away between its notice and the arrival of the replacement. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class MoveFaultsLabIT {
  private static final Duration NOTICE = Duration.ofSeconds(15);
  private static final String STAYS = "lab.prescale.io/stays";

  @RegisterExtension static final ExtenderOnCluster EXTENDER = new ExtenderOnCluster(2);
  private static final FragmentedCards CARDS = new FragmentedCards(EXTENDER);

  @BeforeAll
  static void onlyEightCards() throws IOException, InterruptedException {
    CARDS.prepare();
  }

  @BeforeEach
  void withMoves() throws IOException, InterruptedException {
    EXTENDER.startAgain(
        "MoveFaultsLabIT",
        "--moves=Act",
        "--moves-notice=" + NOTICE.toSeconds() + "s",
        "--moves-interval=1h");
  }

  @AfterEach
  void removeAll() throws Exception {
    lab().kubectl("delete", "replicasets", "--all", "--cascade=foreground");
    lab().kubectl("delete", "pods", "--all", "--grace-period=0", "--force");
    // Pods of several tests have one name.
    lab().kubectl("delete", "events", "--all");
  }

  @Test
  void theApiServerIsAwayWhenTheNoticeRunsOut() throws Exception {
    noticeForLarge();
    lab().command("kube-apiserver", Verb.STOP);
    try {
      Thread.sleep(NOTICE.plusSeconds(10));
    } finally {
      lab().command("kube-apiserver", Verb.START);
    }

    everythingMoves();
  }

  @Test
  void theCardsOfAPodThatDoesNotEndAreNotGivenOut() throws Exception {
    var first = noticeForLarge();
    var finalizers = "{\"metadata\": {\"finalizers\": [%s]}}";
    patch(first, finalizers.formatted("\"" + STAYS + "\""));
    try {
      CARDS.awaitMoved(2);
      Thread.sleep(NOTICE);

      assertThat(find(first).getMetadata().getDeletionTimestamp()).isNotNull();
      assertThat(CARDS.bound("large")).as("one of its cards is not free").isEmpty();
      CARDS.assertNothingIsDoubleBooked();
    } finally {
      patch(first, finalizers.formatted(""));
    }
    everythingMoves();
  }

  /** The last one, since four of the cards are gone with it. */
  @Test
  @Order(Integer.MAX_VALUE)
  void aMoveToANodeThatIsGoneIsDropped() throws Exception {
    var noticed = noticeForLarge();
    var target = annotation(noticed, "gpu.prescale.io/move-to").split(": ", 2)[0];
    assertThat(target).isNotEqualTo(noticed.getSpec().getNodeName());

    lab().kubectl("delete", "node", target);

    patiently().until(CARDS::noticed, List::isEmpty);
    Thread.sleep(NOTICE);
    assertThat(find(noticed).getMetadata().getUid()).isEqualTo(noticed.getMetadata().getUid());
    assertThat(find(noticed).getMetadata().getDeletionTimestamp()).isNull();
    assertThat(CARDS.events("MoveWithdrawn")).isNotEmpty();
    assertThat(CARDS.bound("large")).isEmpty();
  }

  /** A pod that needs a whole node, for which two pods have to move: the first that has notice. */
  private static Pod noticeForLarge() throws Exception {
    CARDS.fragment();
    lab().apply(FragmentedCards.large());
    CARDS.awaitNotice();
    return CARDS.noticed().getFirst();
  }

  private static void everythingMoves() {
    CARDS.awaitBound("large", 1);
    CARDS.awaitBound("r", HamiVendor.CARDS);
    CARDS.awaitMoved(2);
    CARDS.assertNothingIsDoubleBooked();
  }

  private static void patch(Pod pod, String merge) throws Exception {
    lab().kubectl("patch", "pod", pod.getMetadata().getName(), "--type=merge", "-p=" + merge);
  }

  private static Pod find(Pod pod) {
    return cluster().pods().stream()
        .filter(it -> it.getMetadata().getName().equals(pod.getMetadata().getName()))
        .findFirst()
        .orElseThrow();
  }

  private static Lab lab() {
    return CARDS.lab();
  }

  private static ExtenderCluster cluster() {
    return CARDS.cluster();
  }
}
