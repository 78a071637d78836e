package io.prescale.placement.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.inventory.HamiAnnotations;
import io.prescale.placement.inventory.IndependentDecoder;
import io.prescale.placement.inventory.NodeFacts;
import io.prescale.placement.inventory.Nodes;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.inventory.Pods;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LedgerTest {
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
  private static final String RECORD = "hami.io/vgpu-devices-allocated";

  private final Ledger ledger = new Ledger(10);

  private static PodFacts share(String name, long memory) {
    return Pods.asking(name, Map.of("nvidia.com/gpu", 1L, "nvidia.com/gpumem", memory));
  }

  private List<String> offer(PodFacts pod, String... nodes) {
    ledger.seen(pod);
    return switch (ledger.candidates(pod, List.of(nodes), true, NOW, _ -> 0)) {
      case Candidates.Nodes found -> found.best();
      case Candidates.Nowhere _, Candidates.HeldBack _ -> List.of();
      case Candidates.Anywhere _ -> throw new AssertionError("anywhere");
    };
  }

  private Map<String, String> bind(PodFacts pod, String node) {
    var bind = (Decision.Bind) ledger.decide(pod.uid(), node, NOW);
    return bind.cards()
        .map(c -> HamiAnnotations.of(c.family(), c.devices(), node, NOW))
        .orElse(Map.of());
  }

  @Test
  void givesWholeCardsOfVendorsWhoseSharesHaveRulesOfTheirOwn() {
    var amd =
        """
        [{"id":"AMD-0","count":4,"devmem":196608,"devcore":304,"type":"MI300X","health":true}]
        """;
    var metax =
        """
        [{"uuid":"GPU-m","model":"C500","totalDevCount":8,"totalCompute":100,
          "totalVRam":65536,"healthy":true}]
        """;
    ledger.seen(Nodes.registering("amd", "hami.io/node-amd-register", amd, "amd.com/gpu"));
    ledger.seen(
        Nodes.registering(
            "metax", "metax-tech.com/node-gpu-devices", metax, "metax-tech.com/sgpu"));
    var one = Pods.asking("one", Map.of("amd.com/gpu", 1L));
    var other = Pods.asking("other", Map.of("metax-tech.com/sgpu", 1L));

    assertThat(offer(one, "amd", "metax")).containsExactly("amd");
    assertThat(bind(one, "amd"))
        .containsEntry("hami.io/amd-devices-allocated", "AMD-0,AMD,196608,304:;");
    assertThat(offer(other, "amd", "metax")).containsExactly("metax");
    assertThat(bind(other, "metax"))
        .containsEntry("hami.io/metax-sgpu-devices-allocated", "GPU-m,Metax-SGPU,65536,100:;");
    assertThat(offer(Pods.asking("next", Map.of("amd.com/gpu", 1L)), "amd", "metax")).isEmpty();
  }

  @Test
  void tellsWhichCardsAreItsOwnButNotThoseOfADevicePluginThatIsGone() {
    ledger.seen(Nodes.a100("a", 1));
    var left = Nodes.a100("left", 2);
    ledger.seen(new NodeFacts("left", Map.of(), left.annotations(), Map.of(), true, false));
    assertThat(ledger.nodesOfCards()).isEqualTo(Map.of("GPU-a-0", "a"));

    ledger.seen(Pods.bound(share("p", 100), "left", Map.of(RECORD, "GPU-left-1,NVIDIA,100,0:;")));

    assertThat(ledger.nodesOfCards()).isEqualTo(Map.of("GPU-a-0", "a", "GPU-left-1", "left"));
  }

  @Test
  void offersSeveralNodesTheBestFirst() {
    for (var name : List.of("a", "b", "c")) {
      ledger.seen(Nodes.a100(name, 1));
    }
    ledger.seen(Pods.bound(share("old", 40_000), "b", Map.of(RECORD, "GPU-b-0,NVIDIA,40000,0:;")));

    assertThat(offer(share("new", 40_000), "a", "b", "c")).startsWith("b").hasSize(3);
  }

  @Test
  void assumesThePlaceThatItOffersFirst() {
    ledger.seen(Nodes.a100("a", 1));

    assertThat(offer(share("p", 50_000), "a")).containsExactly("a");
    assertThat(offer(share("q", 50_000), "a")).as("the card is assumed to be taken").isEmpty();
    assertThat(offer(share("p", 50_000), "a")).as("its own assumption").containsExactly("a");
  }

  @Test
  void forgetsWhatTheSchedulerDoesNotBindInTime() {
    ledger.seen(Nodes.a100("a", 1));
    offer(share("p", 50_000), "a");

    var later = NOW.plus(Offers.ASSUMED).plusSeconds(1);

    assertThat(ledger.candidates(share("q", 50_000), List.of("a"), true, later, _ -> 0))
        .isEqualTo(new Candidates.Nodes(List.of("a")));
  }

  @Test
  void assumesNothingInADryRun() {
    ledger.seen(Nodes.a100("a", 1));
    ledger.candidates(share("p", 50_000), List.of("a"), false, NOW, _ -> 0);

    assertThat(offer(share("q", 50_000), "a")).containsExactly("a");
  }

  @Test
  void movesThePlaceWhenTheSchedulerTakesAnotherNode() {
    ledger.seen(Nodes.a100("a", 1));
    ledger.seen(Nodes.a100("b", 1));
    var pod = share("p", 50_000);
    var offered = offer(pod, "a", "b");

    assertThat(bind(pod, offered.get(1)).get(RECORD))
        .isEqualTo("GPU-" + offered.get(1) + "-0,NVIDIA,50000,0:;");
    assertThat(offer(share("q", 50_000), offered.get(0))).hasSize(1);
    assertThat(offer(share("r", 50_000), offered.get(1))).isEmpty();
  }

  @Test
  void leavesNoPhantomWhenABindFails() {
    ledger.seen(Nodes.a100("a", 1));
    var pod = share("p", 50_000);
    offer(pod, "a");
    bind(pod, "a");
    assertThat(offer(share("q", 50_000), "a")).isEmpty();

    ledger.failed(pod.uid(), NOW);

    assertThat(offer(share("q", 50_000), "a")).containsExactly("a");
    assertThat(ledger.totals().pods()).isEqualTo(1);
  }

  @Test
  void keepsABindingUntilItIsSeenWhateverOldNewsArrives() {
    ledger.seen(Nodes.a100("a", 1));
    var pod = share("p", 50_000);
    offer(pod, "a");
    var annotations = bind(pod, "a");

    ledger.seen(pod);
    assertThat(offer(share("q", 50_000), "a")).isEmpty();
    assertThat(ledger.decide(pod.uid(), "a", NOW)).isInstanceOf(Decision.Refused.class);

    ledger.seen(Pods.bound(pod, "a", annotations));
    assertThat(ledger.totals().heldMemoryMib()).isEqualTo(50_000);

    ledger.podGone(pod.uid());
    assertThat(ledger.totals().heldMemoryMib()).isZero();
  }

  @Test
  void knowsEverythingAgainFromAnnotationsInAnyOrder() {
    var pod = Pods.bound(share("p", 50_000), "a", Map.of(RECORD, "GPU-a-0,NVIDIA,50000,20:;"));
    ledger.seen(pod);
    ledger.seen(Nodes.a100("a", 2));

    assertThat(ledger.totals()).isEqualTo(new Totals(1, 2, 1, 0, 2000, 200, 2 * 81_920, 50_000, 0));
  }

  @Test
  void usesNoCardThatTwoNodesRegisterUntilOneHasGone() {
    var a = Nodes.a100("a", 1);
    var twin = new NodeFacts("twin", Map.of(), a.annotations(), a.allocatable(), true, false);
    ledger.seen(a);
    ledger.seen(twin);

    assertThat(offer(share("p", 100), "twin")).isEmpty();
    assertThat(ledger.problems())
        .isEqualTo(Map.of("twin", List.of("card GPU-a-0 is not used: node a registers it too.")));

    ledger.nodeGone("a");

    assertThat(offer(share("p", 100), "twin")).containsExactly("twin");
    assertThat(ledger.problems()).isEmpty();
  }

  @Test
  void saysWhatOfAPodsRecordIsNotCountedAsLongAsThePodIsThere() {
    ledger.seen(Pods.bound(share("stray", 1), "a", Map.of(RECORD, "GPU-z,NVIDIA,1,1:;")));
    ledger.seen(Pods.bound(share("mad", 1), "a", Map.of(RECORD, "GPU-a-0,NVIDIA,-5,1:;")));
    assertThat(ledger.problems()).isEmpty();

    ledger.seen(Nodes.a100("a", 1));

    assertThat(ledger.problems().get("a"))
        .satisfiesExactly(
            mad -> assertThat(mad).startsWith(RECORD + " of pod default/mad is not counted: "),
            stray ->
                assertThat(stray)
                    .isEqualTo(
                        "pod default/stray holds card \"GPU-z\", which node a does not have."));

    ledger.podGone("uid-stray");
    ledger.podGone("uid-mad");
    assertThat(ledger.problems()).isEmpty();
  }

  @Test
  void saysWhyNothingFitsAndWhereEvictionsCannotHelp() {
    ledger.seen(Nodes.a100("a", 1));
    ledger.seen(Nodes.plain("plain", 4));
    ledger.seen(Pods.bound(share("old", 50_000), "a", Map.of(RECORD, "GPU-a-0,NVIDIA,50000,0:;")));

    assertThat(
            ledger.candidates(
                share("p", 50_000), List.of("a", "plain", "unknown"), true, NOW, _ -> 0))
        .isEqualTo(
            new Candidates.Nowhere(
                Map.of(
                    "a", "lacks memory",
                    "plain", "has no cards of NVIDIA",
                    "unknown", "has no cards of NVIDIA"),
                Set.of("plain", "unknown")));
  }

  @Test
  void choosesOnlyTheNodeWhereTheKubeletChoosesTheCards() {
    ledger.seen(Nodes.a100("hami", 8));
    ledger.seen(Nodes.plain("plain", 4));
    var first = Pods.asking("p", Map.of("nvidia.com/gpu", 3L));
    var second = Pods.asking("q", Map.of("nvidia.com/gpu", 3L));

    assertThat(offer(first, "hami", "plain")).containsExactly("plain", "hami");
    assertThat(bind(first, "plain")).as("no annotation would help").isEmpty();
    assertThat(offer(second, "hami", "plain")).containsExactly("hami");
    assertThat(bind(second, "hami")).containsKey(RECORD);
    assertThat(offer(Pods.asking("r", Map.of("nvidia.com/mig-1g.10gb", 2L)), "hami", "plain"))
        .containsExactly("plain");
  }

  private static PodFacts member(String group, int number, int size) {
    return Pods.inGroup(share(group + number, 81_920), group, size);
  }

  @Test
  void holdsAGroupUntilAllOfItIsThereAndThenBooksAllOfIt() {
    ledger.seen(Nodes.a100("a", 2));

    assertThat(ledger.candidates(member("g", 0, 2), List.of("a"), true, NOW, _ -> 0))
        .isEqualTo(
            new Candidates.Nowhere(
                Map.of("a", "1 of the 2 pods of group g are there for scheduler cards"), Set.of()));
    assertThat(ledger.totals().heldMemoryMib()).isZero();

    assertThat(offer(member("g", 1, 2), "a")).containsExactly("a");
    assertThat(ledger.totals().heldMemoryMib()).as("both").isEqualTo(2 * 81_920);
    assertThat(offer(share("other", 100), "a")).isEmpty();
    assertThat(offer(member("g", 0, 2), "a")).containsExactly("a");
    bind(member("g", 0, 2), "a");

    ledger.failed("uid-g0", NOW);

    assertThat(ledger.totals().heldMemoryMib()).as("the whole booking").isZero();
  }

  @Test
  void needsNoSecondPlaceForAMemberThatIsBeingBound() {
    ledger.seen(Nodes.a100("a", 2));
    ledger.seen(member("g", 0, 2));
    offer(member("g", 1, 2), "a");
    bind(member("g", 0, 2), "a");
    var later = NOW.plus(GangOffers.RESERVED).plusSeconds(1);

    assertThat(ledger.awaken(1, later)).isEmpty();
    assertThat(ledger.totals().heldMemoryMib()).isEqualTo(81_920);
    assertThat(offer(member("g", 1, 2), "a")).containsExactly("a");
  }

  @Test
  void givesOneOfTwoGroupsThatDoNotFitTogetherAllAndTheOtherNothing() {
    ledger.seen(Nodes.a100("a", 2));
    ledger.seen(Nodes.a100("b", 2));
    for (int number = 0; number < 3; number++) {
      ledger.seen(member("g", number, 3));
      ledger.seen(member("h", number, 3));
    }
    var seen = new HashMap<String, Integer>();
    for (int round = 0; round < 3; round++) {
      for (var group : List.of("g", "h")) {
        if (!offer(member(group, round, 3), "a", "b").isEmpty()) {
          seen.merge(group, 1, Integer::sum);
        }
      }
    }

    assertThat(seen).isEqualTo(Map.of("g", 3));
    assertThat(ledger.totals().heldMemoryMib()).isEqualTo(3 * 81_920);
  }

  /** Pods come, are bound, fail, are seen late and go; cards fall sick: no card is given twice. */
  @Test
  void neverPromisesMoreThanACardHas() {
    for (long seed = 1; seed <= 20; seed++) {
      new Storm(seed).rage();
    }
  }

  private static final class Storm {
    private final SplittableRandom random;
    private final Ledger ledger = new Ledger(3);
    private final List<String> nodes = IntStream.range(0, 6).mapToObj(n -> "n" + n).toList();
    private final Map<String, PodFacts> written = new HashMap<>();

    Storm(long seed) {
      random = new SplittableRandom(seed);
      nodes.forEach(node -> ledger.seen(Nodes.a100(node, 3)));
    }

    void rage() {
      for (int step = 0; step < 600; step++) {
        switch (random.nextInt(8)) {
          case 0, 1, 2, 3 -> schedule("p" + step);
          case 4 -> see();
          case 5, 6 -> go();
          default -> cordon();
        }
        assertThat(overPromised()).isEmpty();
      }
      written.values().forEach(ledger::seen);
      assertThat(ledger.totals().heldMemoryMib()).isEqualTo(writtenMemory());
    }

    private void schedule(String name) {
      var pod = share(name, 1000L * random.nextInt(1, 60));
      ledger.seen(pod);
      if (ledger.candidates(pod, nodes, true, NOW, _ -> 0) instanceof Candidates.Nodes found) {
        var node = found.best().get(random.nextInt(found.best().size()));
        if (ledger.decide(pod.uid(), node, NOW) instanceof Decision.Bind bind) {
          if (random.nextInt(5) == 0) {
            ledger.failed(pod.uid(), NOW);
          } else {
            var chosen = bind.cards().orElseThrow();
            written.put(
                pod.uid(),
                Pods.bound(
                    pod, node, HamiAnnotations.of(chosen.family(), chosen.devices(), node, NOW)));
          }
        }
      }
    }

    private void see() {
      written.values().stream().filter(_ -> random.nextBoolean()).forEach(ledger::seen);
    }

    private void go() {
      for (var uid : new ArrayList<>(written.keySet())) {
        if (random.nextInt(10) == 0) {
          written.remove(uid);
          ledger.podGone(uid);
        }
      }
    }

    private void cordon() {
      var node = nodes.get(random.nextInt(nodes.size()));
      ledger.seen(
          Nodes.a100(
              node, 3, Map.of("hami.io/device-cordon", "GPU-" + node + "-" + random.nextInt(3))));
    }

    private List<String> overPromised() {
      var memory = new HashMap<String, Integer>();
      for (var pod : written.values()) {
        for (var device : IndependentDecoder.decode(pod.annotations().getOrDefault(RECORD, ""))) {
          memory.merge(device.uuid(), device.memoryMib(), Integer::sum);
        }
      }
      return memory.entrySet().stream()
          .filter(card -> card.getValue() > 81_920)
          .map(Map.Entry::getKey)
          .toList();
    }

    private long writtenMemory() {
      return written.values().stream()
          .flatMap(
              pod -> IndependentDecoder.decode(pod.annotations().getOrDefault(RECORD, "")).stream())
          .mapToLong(IndependentDecoder.Device::memoryMib)
          .sum();
    }
  }
}
