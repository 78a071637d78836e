package io.prescale.controller.lab;

import static io.prescale.controller.lab.FragmentedCards.annotation;
import static io.prescale.controller.lab.Patience.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Moves on a real control plane, with two nodes of four cards. */
class MovesLabIT {
  private static final Duration LONG = Duration.ofMinutes(4);

  @RegisterExtension static final ExtenderOnCluster EXTENDER = new ExtenderOnCluster(2);
  private static final FragmentedCards CARDS = new FragmentedCards(EXTENDER);

  @BeforeAll
  static void onlyEightCards() throws IOException, InterruptedException {
    CARDS.prepare();
  }

  @AfterEach
  void removeAll() throws Exception {
    lab().kubectl("delete", "poddisruptionbudgets", "--all");
    CARDS.clear();
  }

  private static void startWith(String test, String mode, String notice)
      throws IOException, InterruptedException {
    EXTENDER.startAgain(
        "MovesLabIT-" + test,
        "--moves=" + mode,
        "--moves-notice=" + notice,
        "--moves-interval=1h",
        "--moves-sick-after=1s");
  }

  @Test
  void aNodeIsFreedByMovesWhoseReplacementsGoWhereTheyAreBooked() throws Exception {
    startWith("freed", "Act", "3s");
    CARDS.fragment();

    lab().apply(FragmentedCards.large());

    CARDS.awaitBound("large", 1);
    CARDS.awaitBound("r", HamiVendor.CARDS);
    CARDS.awaitMoved(2);
    assertThat(CARDS.events("MoveArrived"))
        .hasSize(2)
        .allSatisfy(it -> assertThat(it).isEqualTo("Has the cards that were kept for it."));
    var large = CARDS.bound("large").getFirst().getSpec().getNodeName();
    assertThat(CARDS.bound("r"))
        .extracting(pod -> pod.getSpec().getNodeName())
        .doesNotContain(large);
    CARDS.assertNothingIsDoubleBooked();
    assertThat(cluster().extender().get("/metrics"))
        .contains("prescale_moves_evictions_total{reason=\"makes_way\",} 2.0")
        .contains("prescale_moves_total{reason=\"makes_way\",outcome=\"as_booked\",} 2.0");
    assertThat(cluster().extender().get("/cards"))
        .as("what the page shows")
        .containsPattern("\"moves\":\\[\\{\"pod\":\"default/r[^}]*\"state\":\"made\"");
    assertThat(cluster().events("large", "MovePending")).hasSize(2);
  }

  @Test
  @Tag("long")
  void aDisruptionBudgetThatAllowsNothingStopsAMove() throws Exception {
    startWith("guarded", "Act", "1s");
    CARDS.fragment();
    lab().apply(NOTHING_ALLOWED);
    var before = uids();

    lab().apply(FragmentedCards.large());

    patiently()
        .atMost(LONG)
        .untilAsserted(() -> assertThat(CARDS.events("MoveWaits")).isNotEmpty());
    assertThat(uids()).isEqualTo(before);
    assertThat(CARDS.noticed()).hasSize(1);

    lab().kubectl("delete", "poddisruptionbudgets", "--all");

    CARDS.awaitBound("large", 1);
    CARDS.assertNothingIsDoubleBooked();
  }

  @Test
  void aPodLeavesASickCard() throws Exception {
    startWith("sick", "Act", "2s");
    CARDS.fill(HamiVendor.CARDS + 1);
    int node = CARDS.on("CARD-%s-0".formatted(FragmentedCards.VENDOR.node(0))).isPresent() ? 0 : 1;
    var card = "CARD-%s-0".formatted(FragmentedCards.VENDOR.node(node));
    assertThat(CARDS.on(card)).isPresent();

    CARDS.register(node, false);

    CARDS.awaitMoved(1);
    assertThat(annotation(CARDS.moved().getFirst(), FragmentedCards.VENDOR.record))
        .doesNotContain(card);
    assertThat(cluster().extender().get("/metrics"))
        .contains("prescale_moves_total{reason=\"sick_card\",outcome=\"as_booked\",} 1.0");
  }

  @Test
  @Tag("long")
  void adviceWritesNothingButEvents() throws Exception {
    startWith("advice", "Advise", "1s");
    CARDS.fragment();
    var before = uids();

    lab().apply(FragmentedCards.large());

    patiently()
        .atMost(LONG)
        .untilAsserted(
            () ->
                assertThat(cluster().events("large", "MoveAdvice"))
                    .containsExactly("Act would make room for it by moving 2 pods."));
    assertThat(CARDS.events("MoveAdvice"))
        .anySatisfy(it -> assertThat(it).contains("since it makes way for pod default/large"));
    assertThat(uids()).isEqualTo(before);
    assertThat(CARDS.noticed()).isEmpty();
  }

  @Test
  @Tag("long")
  void anExtenderThatIsKilledBetweenBookingAndEvictionGoesOn() throws Exception {
    startWith("killed", "Act", "30s");
    CARDS.fragment();
    lab().apply(FragmentedCards.large());
    CARDS.awaitNotice();
    var noticed = CARDS.noticed().getFirst();

    startWith("killed-again", "Act", "30s");

    assertThat(CARDS.noticed())
        .singleElement()
        .satisfies(
            pod ->
                assertThat(annotation(pod, "gpu.prescale.io/move-to"))
                    .isEqualTo(annotation(noticed, "gpu.prescale.io/move-to")));
    CARDS.awaitBound("large", 1);
    CARDS.awaitBound("r", HamiVendor.CARDS);
    CARDS.awaitMoved(2);
    assertThat(CARDS.events("MoveArrived"))
        .hasSize(2)
        .allSatisfy(it -> assertThat(it).isEqualTo("Has the cards that were kept for it."));
    CARDS.assertNothingIsDoubleBooked();
  }

  private static Set<String> uids() {
    return CARDS.bound("r").stream()
        .map((Pod pod) -> pod.getMetadata().getUid())
        .collect(Collectors.toSet());
  }

  private static final String NOTHING_ALLOWED =
      """
      ---
      apiVersion: policy/v1
      kind: PodDisruptionBudget
      metadata: {name: served, namespace: default}
      spec: {maxUnavailable: 0, selector: {matchLabels: {kind: served}}}
      """;

  private static Lab lab() {
    return CARDS.lab();
  }

  private static ExtenderCluster cluster() {
    return CARDS.cluster();
  }
}
