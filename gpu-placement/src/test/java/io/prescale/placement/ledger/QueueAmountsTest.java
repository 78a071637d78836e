package io.prescale.placement.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.inventory.DemandReader;
import io.prescale.placement.inventory.Families;
import io.prescale.placement.inventory.NetworkLabels;
import io.prescale.placement.inventory.NodeFacts;
import io.prescale.placement.inventory.Nodes;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.inventory.Pods;
import io.prescale.placement.queue.QueueEntry;
import io.prescale.placement.queue.Quota;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What pods of queues take where cards differ, are known late, or are taken together. */
class QueueAmountsTest {
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
  private static final int GPU = 1000;
  private static final int MANY = 100;

  private final Ledger ledger = new Ledger(10);

  private static QueueEntry queue(String name, Quota quota) {
    return new QueueEntry(name, Optional.empty(), quota);
  }

  private static PodFacts asking(String name, String queue, long mib) {
    return Pods.inQueue(
        Pods.asking(name, Map.of("nvidia.com/gpu", 1L, "nvidia.com/gpumem", mib)), queue, NOW);
  }

  private Candidates ask(PodFacts pod, String... nodes) {
    return ledger.candidates(pod, List.of(nodes), true, NOW, _ -> 0);
  }

  private QueueState state(String name) {
    return ledger.queues().stream()
        .filter(queue -> queue.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  /** Cards of 40 GiB. */
  private static NodeFacts smaller(String name, int cards) {
    var register =
        Nodes.a100Register(name, cards).replace("81920", "40960").replace("80GB", "40GB");
    return Nodes.registering(name, Families.NVIDIA.registerKey(), register, "nvidia.com/gpu");
  }

  /** After a restart pods may be observed before their nodes. */
  @Test
  void aShareOnANodeThatIsSeenAfterItsPodCountsAsTheShareItIs() {
    ledger.queues(List.of(queue("team", Quota.train(0, 1))));
    var record = Map.of("hami.io/vgpu-devices-allocated", "GPU-late-0,NVIDIA,40960,0:;");
    var half = asking("half", "team", 40_960);
    ledger.seen(Pods.inQueue(Pods.bound(half, "late", record), "team", NOW));

    ledger.seen(Nodes.a100("late", 2));

    assertThat(state("team").usedMilli()).isEqualTo(500);
    ledger.podGone(half.uid());
    assertThat(state("team").usedMilli()).isZero();
  }

  @Test
  void whatAPodWaitsForFollowsTheCardsThatAreKnownWhenItIsTried() {
    ledger.queues(List.of(queue("team", Quota.train(0, 1).withLimit(8 * GPU))));
    var half = asking("half", "team", 40_960);
    ledger.seen(half);
    ledger.seen(Nodes.a100("a", 1));
    var whole = asking("whole", "team", 81_920);
    assertThat(ask(whole, "a")).isInstanceOf(Candidates.Nodes.class);

    assertThat(ask(half, "a")).isInstanceOf(Candidates.Nowhere.class);

    assertThat(state("team").owedMilli()).as("1 held and 0.5 awaited of 1").isEqualTo(GPU);
    ledger.seen(Nodes.a100("b", 8));
    assertThat(state("team").owedMilli()).isEqualTo(1_500);
  }

  @ParameterizedTest
  @CsvSource({"use-gpuuuid,GPU-a-0", "use-gpuuuid,GPU-a-1", "nouse-gpuuuid,GPU-a-0"})
  void aShareOfAChosenCardCountsAsAShare(String key, String uuid) {
    ledger.seen(Nodes.a100("a", 2));
    ledger.queues(List.of(queue("team", Quota.build(500))));
    var quarter = asking("quarter", "team", 20_480);
    var choosing = Pods.of("quarter", quarter.containers(), Map.of("nvidia.com/" + key, uuid));

    assertThat(ask(Pods.inQueue(choosing, "team", NOW), "a")).isInstanceOf(Candidates.Nodes.class);
    assertThat(state("team").owedMilli()).isEqualTo(250);
  }

  @Test
  void aSlotCountsByItsCard() {
    ledger.seen(inSlots("two", 2, 100));
    ledger.seen(inSlots("eight", 8, 100));
    ledger.queues(List.of(queue("team", Quota.build(200))));

    var slot = asking("slot", "team", 8_000);

    assertThat(ask(slot, "two", "eight")).isEqualTo(new Candidates.Nodes(List.of("eight")));
    assertThat(state("team").usedMilli()).isEqualTo(125);
  }

  /** A slot of four has a quarter of the memory, though half of the cores that are registered. */
  @Test
  void aSlotServesNoLargerPartOfTheMemoryThanItHas() {
    ledger.seen(inSlots("a", 4, 200));
    var fraction =
        Pods.asking("f", Map.of("nvidia.com/gpu", 1L, "nvidia.com/gpumem-percentage", 40L));

    assertThat(ask(fraction, "a")).isInstanceOf(Candidates.Nowhere.class);
  }

  /** A card that MPS divides. */
  private static NodeFacts inSlots(String name, int slots, int cores) {
    var register =
        Nodes.a100Register(name, 1)
            .replace("hami-core", "mps")
            .replace("\"count\":10", "\"count\":" + slots)
            .replace("\"devcore\":100", "\"devcore\":" + cores);
    return Nodes.registering(name, Families.NVIDIA.registerKey(), register, "nvidia.com/gpu");
  }

  @Test
  void aPodGoesWhereItsQueuePermitsThoughAnotherPlaceIsBetter() {
    ledger.seen(Nodes.a100("large", 1));
    ledger.seen(smaller("small", 1));
    ledger.queues(List.of(queue("team", Quota.build(500))));
    var pod = asking("half", "team", 40_960);
    ledger.seen(pod);

    assertThat(ask(pod, "small"))
        .isEqualTo(
            new Candidates.HeldBack(
                "queue team has 0 of at most 0.5 cards, and the pod asks for 1"));
    assertThat(ask(pod, "small", "large")).isEqualTo(new Candidates.Nodes(List.of("large")));
    assertThat(state("team").usedMilli()).isEqualTo(500);
    assertThat(ledger.decide(pod.uid(), "small", NOW))
        .isEqualTo(
            new Decision.Refused("queue team has 0 of at most 0.5 cards, and the pod asks for 1"));
    assertThat(ask(pod, "small", "large")).isEqualTo(new Candidates.Nodes(List.of("large")));
    assertThat(ledger.decide(pod.uid(), "large", NOW)).isInstanceOf(Decision.Bind.class);
  }

  private List<PodFacts> gang(String queue, int members) {
    return IntStream.range(0, members)
        .mapToObj(i -> Pods.inGroup(asking("g" + i, queue, 81_920), "g", members))
        .peek(ledger::seen)
        .toList();
  }

  @Test
  void aGangBeyondItsLimitLeavesNoCardIdle() {
    ledger.seen(Nodes.a100("a", 8));
    ledger.queues(List.of(queue("team", Quota.build(2 * GPU)), queue("other", Quota.train(0, 1))));
    for (var member : gang("team", 3)) {
      assertThat(ask(member, "a"))
          .isEqualTo(
              new Candidates.HeldBack(
                  "queue team has 0 of at most 2 cards, and group g asks for 3"));
    }
    var others = new ArrayList<PodFacts>();
    for (int i = 0; i < 8; i++) {
      var pod = asking("o" + i, "other", 81_920);
      ledger.seen(pod);
      others.add(pod);
      ledger.wasRefused(pod);
    }
    ledger.seen(Nodes.a100("b", 1));

    assertThat(ledger.awaken(MANY, NOW)).containsExactlyElementsOf(others);
    assertThat(ledger.awaken(MANY, NOW)).isEmpty();
    assertThat(state("other").usedMilli()).isEqualTo(8 * GPU);
    assertThat(state("team").usedMilli()).isZero();
  }

  @Test
  void aGangWithinItsLimitGetsAllOfIt() {
    ledger.seen(Nodes.a100("a", 8));
    ledger.queues(List.of(queue("team", Quota.build(3 * GPU)), queue("other", Quota.train(0, 1))));

    for (var member : gang("team", 3)) {
      assertThat(ask(member, "a")).isInstanceOf(Candidates.Nodes.class);
    }
    assertThat(state("team").usedMilli()).isEqualTo(3 * GPU);
  }

  /** What a search reserves and releases itself is no reason for another search. */
  @Test
  void aGangWithoutRoomLeavesNoNewHopeBehind() {
    var fleet = new Fleet();
    var waiting = new WaitingPods();
    var reader = new DemandReader(fleet::models);
    var queues = new QueueAccounts(fleet, reader, waiting, new PodQueues());
    var holdings = new Holdings(fleet, queues);
    var offers =
        new Offers(
            fleet,
            holdings,
            waiting,
            queues,
            reader,
            new NodeChoice(
                fleet, new CardKeeping(new Nominations(fleet, holdings, waiting, reader)), 10),
            new PodGroups(),
            new GangDomains(fleet, holdings, NetworkLabels.KNOWN));
    fleet.put(Nodes.a100("a", 8), holdings::placements);
    var members =
        IntStream.range(0, 9)
            .mapToObj(i -> Pods.inGroup(asking("g" + i, "team", 81_920), "g", 9))
            .peek(waiting::put)
            .toList();
    waiting.settle();

    assertThat(offers.offer(members.getFirst(), List.of("a"), NOW, _ -> 0))
        .isInstanceOf(Candidates.Nowhere.class);

    assertThat(holdings.size()).isZero();
    assertThat(waiting.refused()).isEqualTo(1);
    assertThat(waiting.haveNewHope()).isFalse();
  }

  @Test
  void aQueueAmongTwoThousandIsOwedMoreThanFiveHundredCards() {
    var entries = new ArrayList<QueueEntry>();
    for (int i = 0; i < 2_000; i++) {
      entries.add(queue("q" + i, Quota.train(i == 7 ? 640 * GPU : 0, 1)));
    }
    ledger.queues(entries);
    for (int node = 0; node < 40; node++) {
      ledger.seen(Nodes.plain("n" + node, 16));
      for (int i = 0; i < 16; i++) {
        var pod = Pods.asking(node + "-" + i, Map.of("nvidia.com/gpu", 1L));
        ledger.seen(Pods.inQueue(Pods.bound(pod, "n" + node, Map.of()), "q7", NOW));
      }
    }
    for (int i = 0; i < 2_000; i++) {
      ledger.seen(asking("w" + i, "q" + i, 81_920));
    }

    assertThat(state("q7").usedMilli()).isEqualTo(640 * GPU);
    assertThat(state("q7").owedMilli()).isEqualTo(640 * GPU);
  }
}
