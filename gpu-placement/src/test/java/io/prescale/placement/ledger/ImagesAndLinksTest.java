package io.prescale.placement.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.inventory.Nodes;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.inventory.PodFacts.Container;
import io.prescale.placement.inventory.Pods;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes that have a pod's image, and pods whose cards have to be linked. */
class ImagesAndLinksTest {
  private static final Instant NOW = Instant.parse("2026-11-24T06:00:00Z");
  private static final String MODEL = "nvcr.io/nvidia/model:1";
  private static final String LINKS = "gpu.prescale.io/required-links";
  private static final String SCORES = "hami.io/node-nvidia-score";
  private static final List<String> NODES = List.of("a", "b", "c");

  private final Ledger ledger = new Ledger(10);

  private static PodFacts running(String name, String image, Map<String, Long> asked) {
    var proxy = new Container("proxy", false, Map.of(), "docker.io/library/proxy:1");
    return Pods.of(name, List.of(proxy, new Container("main", false, asked, image)), Map.of());
  }

  private List<String> offer(PodFacts pod) {
    ledger.seen(pod);
    return ledger.candidates(pod, NODES, true, NOW, _ -> 0) instanceof Candidates.Nodes found
        ? found.best()
        : List.of();
  }

  @Test
  void ofEqualNodesTheOneWithTheImageComesFirst() {
    ledger.seen(Nodes.a100("a", 2));
    ledger.seen(Nodes.a100("b", 2).with(Set.of(MODEL)));
    ledger.seen(Nodes.a100("c", 2).with(Set.of("docker.io/library/proxy:1")));
    var two = Map.of("nvidia.com/gpu", 2L);

    assertThat(offer(running("cold", "other:1", two))).containsExactly("a", "b", "c");
    ledger.failed("uid-cold", NOW);
    assertThat(offer(running("warm", MODEL, two)))
        .as("the image of the container with the cards counts")
        .containsExactly("b", "a", "c");
  }

  @Test
  void anImageIsNoReasonToBreakUpAnIdleNode() {
    ledger.seen(Nodes.a100("a", 1));
    ledger.seen(Nodes.a100("b", 8).with(Set.of(MODEL)));

    assertThat(offer(running("p", MODEL, Map.of("nvidia.com/gpu", 1L)))).startsWith("a");
  }

  @Test
  void anImageThatArrivesCountsFromThenOn() {
    ledger.seen(Nodes.a100("a", 2));
    ledger.seen(Nodes.a100("b", 2));
    var pod = running("p", MODEL, Map.of("nvidia.com/gpu", 2L));
    assertThat(offer(pod)).startsWith("a");

    ledger.seen(Nodes.a100("b", 2).with(Set.of(MODEL)));

    assertThat(offer(pod)).startsWith("b");
  }

  @Test
  void devicesByNumberAreTakenWhereTheImageIsToo() {
    ledger.seen(Nodes.plain("a", 4));
    ledger.seen(Nodes.plain("b", 4).with(Set.of(MODEL)));

    assertThat(offer(running("p", MODEL, Map.of("nvidia.com/gpu", 1L)))).containsExactly("b", "a");
  }

  private static PodFacts linked(String name, long cards, String scope) {
    return Pods.of(
        name,
        List.of(new Container("main", false, Map.of("nvidia.com/gpu", cards))),
        Map.of(LINKS, scope));
  }

  private void pairsByNvlinkOnBAndNothingKnownOfTheOthers() {
    var scores =
        """
        [{"uuid":"GPU-b-0","score":{"GPU-b-1":300,"GPU-b-2":10}},
         {"uuid":"GPU-b-1","score":{"GPU-b-0":300,"GPU-b-2":10}},
         {"uuid":"GPU-b-2","score":{"GPU-b-0":10,"GPU-b-1":10}}]
        """;
    ledger.seen(Nodes.a100("a", 2));
    ledger.seen(Nodes.a100("b", 3, Map.of(SCORES, scores)));
    ledger.seen(Nodes.plain("c", 8));
  }

  @Test
  void cardsThatHaveToBeLinkedAreTakenWhereTheyAreKnownToBe() {
    pairsByNvlinkOnBAndNothingKnownOfTheOthers();
    var pair = linked("pair", 2, "nvlink");

    assertThat(offer(pair)).containsExactly("b");
    var bind = (Decision.Bind) ledger.decide(pair.uid(), "b", NOW);
    assertThat(bind.cards().orElseThrow().devices().containers().getFirst())
        .extracting(use -> use.uuid())
        .containsExactlyInAnyOrder("GPU-b-0", "GPU-b-1");
  }

  @Test
  void cardsThatAreNotLinkedSoAreRefusedAndOneCardNeedsNoLink() {
    pairsByNvlinkOnBAndNothingKnownOfTheOthers();
    var three = linked("three", 3, "nvlink");
    ledger.seen(three);

    assertThat(ledger.candidates(three, List.of("b"), true, NOW, _ -> 0))
        .isEqualTo(new Candidates.Nowhere(Map.of("b", "lacks the link"), Set.of()));
    assertThat(offer(linked("one", 1, "nvlink"))).contains("a", "b", "c");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "NVLINK!", "node", "nvlink,pcie-switch"})
  void aLinkThatThereIsNotIsRefusedWithThoseThatThereAre(String scope) {
    pairsByNvlinkOnBAndNothingKnownOfTheOthers();
    var pod = linked("p", 2, scope);
    ledger.seen(pod);

    var refused = (Candidates.Nowhere) ledger.candidates(pod, NODES, true, NOW, _ -> 0);
    assertThat(refused.reasons().get("b"))
        .isEqualTo(
            "gpu.prescale.io/required-links is \"%s\"; give nvlink, pcie-switch, pcie-host-bridge or numa-node"
                .formatted(scope));
  }
}
