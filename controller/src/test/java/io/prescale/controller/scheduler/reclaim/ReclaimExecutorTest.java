package io.prescale.controller.scheduler.reclaim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.prescale.controller.MockApi;
import io.prescale.placement.inventory.Nodes;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.inventory.Pods;
import io.prescale.placement.ledger.Booking;
import io.prescale.placement.ledger.Candidates;
import io.prescale.placement.ledger.CardUse;
import io.prescale.placement.ledger.Decision;
import io.prescale.placement.ledger.KeptCards;
import io.prescale.placement.ledger.Ledger;
import io.prescale.placement.notice.ReclaimPolicy;
import io.prescale.placement.queue.QueueEntry;
import io.prescale.placement.queue.Quota;
import io.prometheus.client.CollectorRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rounds on a node with eight cards: serving is guaranteed them, batch has borrowed seven. */
@MockApi
@NullUnmarked // the extension sets the client and the server
class ReclaimExecutorTest {
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
  private static final String RECORD = "hami.io/vgpu-devices-allocated";
  private static final String B0 = "/api/v1/namespaces/default/pods/b0";
  private static final int GPU = 1000;
  private static final Map<String, ReclaimPolicy> ACT =
      Map.of("batch", new ReclaimPolicy(ReclaimPolicy.Mode.ACT, Duration.ofMinutes(5), 50));

  private final Ledger ledger = new Ledger(10);
  private final CollectorRegistry registry = new CollectorRegistry();
  private Instant clock = NOW;
  private Map<String, ReclaimPolicy> policies = ACT;
  private List<Booking> bookings = List.of();
  private KubernetesMockServer server;
  private KubernetesClient client;
  private ReclaimExecutor executor;

  @BeforeEach
  void sevenCardsAreBorrowed() {
    ledger.seen(Nodes.a100("a", 8));
    ledger.queues(
        List.of(queue("serving", Quota.train(8 * GPU, 1)), queue("batch", Quota.train(0, 1))));
    executor =
        new ReclaimExecutor(
            ApiWithoutRepetition.of(client),
            ledger,
            () -> clock,
            new ReclaimMetrics(registry),
            Optional.empty(),
            () -> policies,
            () -> bookings);
    for (int i = 0; i < 7; i++) {
      var pod = asking("b" + i, "batch");
      ledger.seen(pod);
      assertThat(ask(pod)).isInstanceOf(Candidates.Nodes.class);
      assertThat(ledger.decide(pod.uid(), "a", NOW)).isInstanceOf(Decision.Bind.class);
      var card = cards(pod).getFirst();
      var record = Map.of(RECORD, card + ",NVIDIA,81920,100:;");
      ledger.seen(Pods.inQueue(Pods.bound(pod, "a", record), "batch", NOW));
      executor.seen(ApiWithoutRepetition.pod(pod.name(), Map.of()));
    }
  }

  private static QueueEntry queue(String name, Quota quota) {
    return new QueueEntry(name, Optional.empty(), quota);
  }

  private static PodFacts asking(String name, String queue) {
    return Pods.inQueue(Pods.asking(name, Map.of("nvidia.com/gpu", 1L)), queue, NOW);
  }

  private Candidates ask(PodFacts pod) {
    return ledger.candidates(pod, List.of("a"), true, NOW, _ -> 0);
  }

  private List<String> cards(PodFacts pod) {
    return ledger.uses().stream()
        .filter(use -> use.parts().stream().anyMatch(part -> part.holder().equals(pod.uid())))
        .map(CardUse::uuid)
        .toList();
  }

  /** Two pods that need two cards at once. */
  private void gangWaits(String name) {
    executor.round(() -> true); // from the first round on, it is recorded who asked about what
    var members =
        IntStream.range(0, 2)
            .mapToObj(i -> Pods.inGroup(asking("g" + i, "serving"), name, 2))
            .toList();
    members.forEach(ledger::seen);
    members.forEach(
        pod -> {
          executor.seen(ApiWithoutRepetition.pod(pod.name(), Map.of()));
          assertThat(ask(pod)).isInstanceOf(Candidates.Nowhere.class);
        });
  }

  private static Pod noticed(String name, Instant at) {
    return ApiWithoutRepetition.pod(
        name, Map.of(PodTerms.AT, at.toString(), PodTerms.FOR, "default/train"));
  }

  private boolean isTheFreeCardKept() {
    var other = asking("other", "serving");
    ledger.seen(other);
    var answer = ask(other);
    ledger.podGone(other.uid());
    return answer instanceof Candidates.Nowhere;
  }

  @Test
  void itDoesNotRunUnlessItIsEnabled() {
    assertThat(ReclaimExecutor.isEnabled()).isFalse();
    System.setProperty(ReclaimExecutor.PROPERTY, "true");
    try {
      assertThat(ReclaimExecutor.isEnabled()).isTrue();
    } finally {
      System.clearProperty(ReclaimExecutor.PROPERTY);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"",
        "x\",\"hami.io/vgpu-devices-allocated\":\"GPU-0",
        "Train",
        "-",
        "a/b",
        "a b"
      })
  void nothingIsTakenForAGroupWithAHostileName(String name) {
    gangWaits(name);

    executor.round(() -> true);

    assertThat(server.getRequestCount()).isZero();
  }

  @Test
  void noticesThatCannotBeWrittenAreNotReportedAndKeepNoCards() throws Exception {
    gangWaits("train");

    executor.round(() -> true);

    assertThat(ApiWithoutRepetition.sent(server, 0))
        .hasSize(1)
        .last()
        .asString()
        .startsWith("PATCH /api/v1/namespaces/default/pods/b")
        .contains("\"default/train\"");
    assertThat(isTheFreeCardKept()).isFalse();
  }

  @Test
  void cardsAreKeptOnceANoticeIsSeen() {
    gangWaits("train");
    executor.seen(noticed("b0", NOW.plusSeconds(60)));

    executor.round(() -> true);

    assertThat(server.getRequestCount()).isZero();
    assertThat(isTheFreeCardKept()).isTrue();
  }

  @Test
  void podsWithNoticeAreCountedForTheirQueue() {
    gangWaits("train");
    executor.seen(noticed("b0", NOW.plusSeconds(60)));

    executor.round(() -> true);

    assertThat(executor.notified()).isEqualTo(Map.of("batch", 1));
    assertThat(executor.notices())
        .containsExactly(new Noticed("default/b0", "batch", NOW.plusSeconds(60), "default/train"));
  }

  @Test
  void nothingMoreIsTakenForAClaimThatWasNotBoundThoughItsCardsWereFree() {
    gangWaits("train");
    executor.seen(noticed("b0", NOW.plusSeconds(60)));
    executor.round(() -> true);
    executor.gone(ApiWithoutRepetition.pod("b0", Map.of()));
    ledger.podGone("uid-b0");

    clock = NOW.plusSeconds(120);
    executor.round(() -> true);
    assertThat(isTheFreeCardKept()).isTrue();

    clock = NOW.plusSeconds(121);
    executor.round(() -> true);
    assertThat(isTheFreeCardKept()).isFalse();

    executor.seen(noticed("b1", clock.plusSeconds(60)));
    executor.round(() -> true);
    assertThat(isTheFreeCardKept()).isFalse();

    clock = NOW.plusSeconds(121 + 600);
    executor.round(() -> true);
    assertThat(isTheFreeCardKept()).isTrue();
  }

  /** As another one has left it that was killed, until it is taken to hang in the driver. */
  @ParameterizedTest
  @CsvSource({"0, true", "10, true", "11, false"})
  void cardsAreKeptWhileThePodsThatHadNoticeAreEnding(int minutes, boolean areKept) {
    gangWaits("train");
    executor.seen(
        new PodBuilder(noticed("b0", NOW.minusSeconds(60)))
            .editMetadata()
            .withDeletionTimestamp(NOW.minus(Duration.ofMinutes(minutes)).toString())
            .endMetadata()
            .build());

    executor.round(() -> true);

    assertThat(server.getRequestCount()).as("others have notice").isEqualTo(areKept ? 0 : 1);
    assertThat(isTheFreeCardKept()).isEqualTo(areKept);
  }

  @Test
  void aRoundThatFailsKeepsNoCards() {
    var free =
        ledger.uses().stream().filter(use -> use.parts().isEmpty()).map(CardUse::uuid).toList();
    ledger.keep(List.of(new KeptCards(Set.of("uid-g0"), Set.copyOf(free))));
    assertThat(isTheFreeCardKept()).isTrue();
    var failing =
        new ReclaimExecutor(
            client,
            ledger,
            InstantSource.fixed(NOW),
            new ReclaimMetrics(new CollectorRegistry()),
            Optional.empty(),
            () -> {
              throw new IllegalArgumentException("a queue that makes no sense");
            },
            List::of);

    assertThatThrownBy(() -> failing.round(() -> true)).hasMessageContaining("makes no sense");

    assertThat(isTheFreeCardKept()).isFalse();
  }

  @Test
  void noticesThatEndWithTheLastQueueAreCounted() {
    server.expect().get().withPath(B0).andReturn(200, noticed("b0", NOW)).always();
    server.expect().patch().withPath(B0 + "/status").andReturn(200, "{}").always();
    gangWaits("train");
    executor.seen(noticed("b0", NOW.plusSeconds(60)));
    executor.round(() -> true);
    ledger.queues(List.of());
    policies = Map.of();
    executor.round(() -> true);
    executor.round(() -> true);

    var queue = new String[] {"gpuqueue"};
    var batch = new String[] {"batch"};
    assertThat(registry.getSampleValue("prescale_reclaim_withdrawn_total", queue, batch))
        .isEqualTo(1);
  }

  @Test
  void onlyAReplicaThatAnswersEvicts() throws Exception {
    gangWaits("train");
    executor.seen(noticed("b0", NOW.minusSeconds(1)));

    executor.round(() -> false);
    assertThat(server.getRequestCount()).isZero();

    executor.round(() -> true);
    assertThat(ApiWithoutRepetition.sent(server, 0))
        .anySatisfy(
            sent ->
                assertThat(sent).startsWith("POST /api/v1/namespaces/default/pods/b0/eviction"));
  }
}
