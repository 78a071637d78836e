package io.prescale.controller.scheduler.extender;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.scheduler.moves.MoveRow;
import io.prescale.controller.scheduler.moves.MoveRow.State;
import io.prescale.controller.scheduler.queues.QueueRows;
import io.prescale.controller.web.GpuPage;
import io.prescale.controller.web.GpusView.Query;
import io.prescale.controller.web.GpusView.Show;
import io.prescale.placement.cluster.GpuHealth;
import io.prescale.placement.inventory.CardReading;
import io.prescale.placement.inventory.Families;
import io.prescale.placement.inventory.NodeFacts;
import io.prescale.placement.inventory.Nodes;
import io.prescale.placement.inventory.Pods;
import io.prescale.placement.ledger.Ledger;
import io.prescale.placement.ledger.Utilisation.Membership;
import io.prescale.placement.ledger.Utilisation.Workload;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class CardPagesTest {
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
  private static final String RECORD = "hami.io/vgpu-devices-allocated";
  private static final int KIB_256 = 256 * 1024;

  private final Ledger ledger = new Ledger(10);
  private final Map<String, CardReading> readings = new HashMap<>();
  private QueueRows queues = QueueRows.NONE;
  private List<MoveRow> moves = List.of();
  private final CardPages pages =
      new CardPages(
          ledger,
          () -> readings,
          _ -> Optional.of(new Membership("team", new Workload("team", "Deployment/chat"))),
          () -> queues,
          () -> moves);

  private GpuPage all() {
    return pages.page(new Query(Show.ALL, 0, Query.MOST_NODES));
  }

  private void run(String pod, String node, String devices) {
    ledger.seen(
        Pods.bound(Pods.asking(pod, Map.of("nvidia.com/gpu", 1L)), node, Map.of(RECORD, devices)));
  }

  @Test
  void tellsWhoHasWhichPartOfWhichCardAndHowBusyItIs() {
    ledger.seen(Nodes.a100("n", 2));
    run("chat-0", "n", "GPU-n-0,NVIDIA,40960,50:;");
    readings.put(
        "GPU-n-0", new CardReading(GpuHealth.UNKNOWN, OptionalInt.of(37), Optional.empty()));

    var cards = all().nodes().getFirst().cards();

    assertThat(cards.getFirst().allocatedMilli()).isEqualTo(500);
    assertThat(cards.getFirst().allocatedMib()).isEqualTo(40_960);
    assertThat(cards.getFirst().usedMilli()).isEqualTo(370);
    assertThat(cards.getFirst().shares()).hasSize(1);
    assertThat(cards.getFirst().shares().getFirst().pod()).endsWith("/chat-0");
    assertThat(cards.getFirst().shares().getFirst().workload()).isEqualTo("Deployment/chat");
    assertThat(cards.getLast().usedMilli()).as("nobody knows").isNull();
    assertThat(all().totals()).isEqualTo(new GpuPage.Totals(1, 2, 0, 500, 370, 1, fragments(), 0));
  }

  private long fragments() {
    return all().nodes().stream().mapToLong(GpuPage.Node::fragmentMilli).sum();
  }

  @Test
  void tellsRefusalsAndPlacementsWithReasons() {
    ledger.seen(Nodes.a100("small", 1));
    ledger.seen(Nodes.a100("large", 2));
    var pair = Pods.asking("pair", Map.of("nvidia.com/gpu", 2L));
    var five = Pods.asking("five", Map.of("nvidia.com/gpu", 5L));
    ledger.seen(pair);
    ledger.seen(five);

    ledger.candidates(five, List.of("small", "large"), true, NOON, _ -> 0);
    ledger.candidates(five, List.of("small", "large"), true, NOON.plusSeconds(1), _ -> 0);
    ledger.candidates(pair, List.of("small", "large"), true, NOON.plusSeconds(2), _ -> 0);
    ledger.decide(pair.uid(), "large", NOON.plusSeconds(3));

    assertThat(all().totals().unplaced()).isEqualTo(1);
    assertThat(all().decisions())
        .containsExactly(
            new GpuPage.Decision(
                NOON.plusSeconds(3), pair.display(), "large", "the only node that fits"),
            new GpuPage.Decision(
                NOON.plusSeconds(1), five.display(), "", "2 nodes: has too few GPUs"));
    ledger.failed(pair.uid(), NOON.plusSeconds(4));
    assertThat(all().decisions()).hasSize(1);
  }

  @Test
  void tellsHowManyMoreOfEachUsualKindWouldFit() {
    ledger.seen(Nodes.a100("n", 2));
    run("chat-0", "n", "GPU-n-0,NVIDIA,40960,50:;");

    var expected =
        List.of(
            new GpuPage.Room("a quarter of a card", 6),
            new GpuPage.Room("half a card", 3),
            new GpuPage.Room("1 card", 1),
            new GpuPage.Room("4 cards", 0),
            new GpuPage.Room("8 cards", 0));
    assertThat(all().nodes().getFirst().room()).isEqualTo(expected);
    assertThat(all().room()).isEqualTo(expected);
  }

  @Test
  void whereThirtyPodsAreKnownTheKindsAreTheirs() {
    ledger.seen(Nodes.a100("n", 5));
    for (int i = 0; i < 30; i++) {
      ledger.seen(Pods.asking("pair-" + i, Map.of("nvidia.com/gpu", 2L)));
    }

    ledger.observeRequests(NOON);

    assertThat(all().room()).containsExactly(new GpuPage.Room("2 cards", 2));
  }

  @Test
  void tellsTheQueuesWhoHasNoticeAndWhatMoves() {
    var serving = new GpuPage.Queue("serving", "", 2000, null, 1500, 2000, 0, null, "");
    var notice = new GpuPage.Notice("team/train-0", "batch", NOON, "team/chat-1");
    var step =
        new GpuPage.Step(NOON, "Pod team/train-1", "Evicted, since queue batch gives cards back.");
    queues = new QueueRows(List.of(serving), List.of(notice), List.of(step));
    moves = List.of(new MoveRow("team/chat-0", "a", "b", "a card of it is sick", State.MADE, NOON));

    assertThat(all().queues()).containsExactly(serving);
    assertThat(all().notices()).containsExactly(notice);
    assertThat(all().steps()).containsExactly(step);
    assertThat(all().moves())
        .containsExactly(
            new GpuPage.Move("team/chat-0", "a", "b", "a card of it is sick", "made", NOON));
  }

  @Test
  void tellsWhatOfANodeIsLeftOut() {
    ledger.seen(Nodes.a100("n", 1, Map.of("hami.io/device-cordon", "GPU-x")));

    assertThat(all().nodes().getFirst().problems())
        .containsExactly("hami.io/device-cordon names \"GPU-x\", which the node does not have.");
  }

  @Test
  void aThousandNodesAreToldInPagesOfBoundedSize() {
    for (int node = 0; node < 1000; node++) {
      ledger.seen(Nodes.a100("node-%03d".formatted(node), 8));
    }

    var page = pages.page(new Query(Show.ALL, 960, 24));

    assertThat(page.totals().cards()).isEqualTo(8000);
    assertThat(page.matching()).isEqualTo(1000);
    assertThat(page.nodes()).hasSize(24);
    assertThat(pages.page(new Query(Show.ALL, 999, 24)).nodes()).hasSize(1);
    assertThat(all().json().getBytes(UTF_8)).hasSizeLessThan(250_000);
  }

  @Test
  void longNamesAreCutAndHugeOnesAreProblems() {
    ledger.seen(registering("n", card("x".repeat(253)), card("y".repeat(20_000))));
    ledger.seen(registering("huge", card("z".repeat(KIB_256))));

    var node = all().nodes().getFirst();

    assertThat(all().nodes()).hasSize(1);
    assertThat(node.model()).isEqualTo("x".repeat(199) + "…");
    assertThat(node.cards()).hasSize(1);
    assertThat(node.cards().getFirst().uuid()).isEqualTo("x".repeat(199) + "…");
    assertThat(node.problems()).hasSize(1).allMatch(problem -> problem.length() <= 200);
    assertThat(all().json()).hasSizeLessThan(2_000);
  }

  private static NodeFacts registering(String name, String... cards) {
    return Nodes.registering(
        name, Families.NVIDIA.registerKey(), "[" + String.join(",", cards) + "]", "nvidia.com/gpu");
  }

  private static String card(String name) {
    return """
    {"id":"%s","index":0,"count":10,"devmem":81920,"devcore":100,"type":"%s","health":true}\
    """
        .formatted(name, name);
  }
}
