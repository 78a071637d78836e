package io.prescale.controller.lab;

import static io.prescale.controller.lab.Patience.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** When pods move and how many, on a real control plane with two nodes of four cards. */
class MoveTermsLabIT {
  private static final Duration LONG = Duration.ofMinutes(4);

  @RegisterExtension static final ExtenderOnCluster EXTENDER = new ExtenderOnCluster(2);
  private static final FragmentedCards CARDS = new FragmentedCards(EXTENDER);

  @BeforeAll
  static void onlyEightCards() throws IOException, InterruptedException {
    CARDS.prepare();
  }

  @AfterEach
  void removeAll() throws Exception {
    CARDS.clear();
  }

  @Test
  void freeCardsAreGatheredAtEachIntervalOnlyWithinTheWindowsAndSickCardsAreLeftAtAnyTime()
      throws Exception {
    startWith("closed", "1s", "--moves-windows=" + window(2));
    CARDS.fragment();

    int sick = makeOneSick();

    CARDS.awaitMoved(1);
    assertThat(metrics())
        .as(
            "a round in which free cards could have been gathered found the card sick, the next one"
                + " moved")
        .contains("prescale_moves_evictions_total{reason=\"sick_card\",} 1.0")
        .doesNotContain("prescale_moves_evictions_total{reason=\"defragments\"");

    CARDS.register(sick, true);
    startWith("open", "1s", "--moves-windows=" + window(-2));

    patiently().atMost(LONG).alias("a free node").untilAsserted(() -> assertThat(nodes()).isOne());
    CARDS.awaitBound("r", HamiVendor.CARDS);
    assertThat(metrics()).contains("prescale_moves_evictions_total{reason=\"defragments\"");
    CARDS.assertNothingIsDoubleBooked();
  }

  @Test
  @Tag("long")
  void noPlanBeginsThatTheBudgetOfAnHourDoesNotCover() throws Exception {
    startWith("budget-1", "1h", "--moves-per-hour=1");
    CARDS.fragment();
    CARDS.lab().apply(FragmentedCards.large());
    patiently()
        .atMost(LONG)
        .untilAsserted(
            () -> assertThat(CARDS.cluster().events("large", "FailedScheduling")).isNotEmpty());

    int sick = makeOneSick();

    CARDS.awaitMoved(1);
    CARDS.register(sick, true);
    assertThat(CARDS.bound("large")).isEmpty();
    assertThat(CARDS.cluster().events("large", "MovePending"))
        .as("room for it needs two moves, and one was left")
        .isEmpty();

    startWith("budget-3", "1h", "--moves-per-hour=3");

    CARDS.awaitBound("large", 1);
    CARDS.awaitBound("r", HamiVendor.CARDS);
    CARDS.assertNothingIsDoubleBooked();
  }

  private static void startWith(String test, String interval, String terms)
      throws IOException, InterruptedException {
    EXTENDER.startAgain(
        "MoveTermsLabIT-" + test,
        "--moves=Act",
        "--moves-notice=1s",
        "--moves-sick-after=1s",
        "--moves-interval=" + interval,
        terms);
  }

  /** Four hours that begin so many from now. */
  private static String window(int hours) {
    var from = LocalTime.now(ZoneOffset.UTC).plusHours(hours);
    var format = DateTimeFormatter.ofPattern("HH:mm");
    return format.format(from) + "-" + format.format(from.plusHours(4));
  }

  /** A card that a pod has; returns its node. */
  private static int makeOneSick() throws IOException, InterruptedException {
    int node = isFirstInUse(0) ? 0 : 1;
    assertThat(isFirstInUse(node)).isTrue();
    CARDS.register(node, false);
    return node;
  }

  private static boolean isFirstInUse(int node) {
    return CARDS.on("CARD-%s-0".formatted(FragmentedCards.VENDOR.node(node))).isPresent();
  }

  private static long nodes() {
    return CARDS.bound("r").stream()
        .map((Pod pod) -> pod.getSpec().getNodeName())
        .distinct()
        .count();
  }

  private static String metrics() throws IOException, InterruptedException {
    return CARDS.cluster().extender().get("/metrics");
  }
}
