package io.prescale.controller.scheduler.moves;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.prescale.controller.MockApi;
import io.prescale.controller.scheduler.reclaim.ApiWithoutRepetition;
import io.prescale.placement.cluster.GpuHealth;
import io.prescale.placement.inventory.CardReading;
import io.prescale.placement.inventory.Nodes;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.inventory.Pods;
import io.prescale.placement.ledger.Candidates;
import io.prescale.placement.ledger.Ledger;
import io.prescale.placement.ledger.MoveFacts;
import io.prescale.placement.notice.ReclaimPolicy;
import io.prescale.placement.notice.ReclaimPolicy.Mode;
import io.prescale.placement.queue.QueueEntry;
import io.prescale.placement.queue.Quota;
import io.prometheus.client.CollectorRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Rounds on two nodes of two cards, each with a pod of one card; a pod of two waits. */
@MockApi
@NullUnmarked // the extension sets the client and the server
class MoveExecutorTest {
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
  private static final String RECORD = "hami.io/vgpu-devices-allocated";
  private static final List<String> BOTH = List.of("a", "b");
  private static final String PODS = "/api/v1/namespaces/default/pods/";

  private final Ledger ledger = new Ledger(10);
  private final CollectorRegistry registry = new CollectorRegistry();
  private Instant clock = NOON;
  private KubernetesMockServer server;
  private KubernetesClient client;

  @BeforeEach
  void aPodOnEachNode() {
    BOTH.forEach(node -> ledger.seen(Nodes.a100(node, 2)));
    BOTH.forEach(node -> ledger.seen(facts("on-" + node, node, Map.of())));
    for (var node : BOTH) {
      var path = PODS + "on-" + node;
      server.expect().get().withPath(path).andReturn(200, pod("on-" + node, Map.of())).always();
      server.expect().patch().withPath(path + "/status").andReturn(200, "{}").always();
    }
    acceptEvents(server);
  }

  static void acceptEvents(KubernetesMockServer server) {
    server
        .expect()
        .post()
        .withPath("/api/v1/namespaces/default/events")
        .andReturn(201, "{}")
        .always();
  }

  static PodFacts facts(String name, String node, Map<String, String> more) {
    var annotations = new HashMap<>(more);
    annotations.put(RECORD, "GPU-%s-0,NVIDIA,81920,100:;".formatted(node));
    return Pods.labelled(
        Pods.bound(Pods.asking(name, Map.of("nvidia.com/gpu", 1L)), node, annotations),
        Map.of("app", name));
  }

  static Pod pod(String name, Map<String, String> annotations) {
    return new PodBuilder()
        .withNewMetadata()
        .withNamespace("default")
        .withName(name)
        .withUid("uid-" + name)
        .withLabels(Map.of("app", name))
        .withAnnotations(annotations)
        .addNewOwnerReference()
        .withKind("ReplicaSet")
        .withName("r")
        .withController(true)
        .endOwnerReference()
        .endMetadata()
        .withNewSpec()
        .addNewContainer()
        .withNewResources()
        .withLimits(Map.of("nvidia.com/gpu", new Quantity("1")))
        .endResources()
        .endContainer()
        .endSpec()
        .withNewStatus()
        .withPhase("Running")
        .addNewCondition()
        .withType("Ready")
        .withStatus("True")
        .endCondition()
        .endStatus()
        .build();
  }

  private MoveExecutor executor(Mode mode) {
    var settings =
        new MoveSettings(
            new ReclaimPolicy(mode, Duration.ofMinutes(1), 10),
            Duration.ofDays(1),
            Duration.ZERO,
            DailyWindow.read(""));
    var executor =
        new MoveExecutor(
            ApiWithoutRepetition.of(client),
            ledger,
            () -> clock,
            settings,
            new MoveMetrics(registry),
            _ -> Optional.empty());
    BOTH.forEach(node -> executor.seen(pod("on-" + node, Map.of())));
    return executor;
  }

  private Candidates ask(String name, long cards) {
    var pod = Pods.asking(name, Map.of("nvidia.com/gpu", cards));
    ledger.seen(pod);
    return ledger.candidates(pod, BOTH, true, clock, _ -> 0);
  }

  /** The first round of an executor looks for fragments, which there are none to gather for 2. */
  private void twoCardsAreWanted() {
    ledger.moveFacts();
    assertThat(ask("large", 2)).isInstanceOf(Candidates.Nowhere.class);
  }

  private List<String> sent() throws InterruptedException {
    var all = new ArrayList<String>();
    for (int request = 0; request < server.getRequestCount(); request++) {
      var each = server.takeRequest();
      var text = "%s %s %s".formatted(each.getMethod(), each.getPath(), each.getBody().readUtf8());
      if (!text.contains("/events")) {
        all.add(text);
      }
    }
    return all;
  }

  private static Map<String, String> notice(String node) {
    return Map.of(
        WrittenMove.AT,
        NOON.minusSeconds(1).toString(),
        WrittenMove.TO,
        node + ": GPU-" + node + "-1",
        WrittenMove.FOR,
        "pod uid-large");
  }

  @Test
  void aNoticeNamesThePlaceAndNothingIsKeptUntilItIsSeen() throws Exception {
    twoCardsAreWanted();
    var executor = executor(Mode.ACT);

    executor.round(() -> true);

    assertThat(sent())
        .last()
        .asString()
        .startsWith("PATCH " + PODS + "on-")
        .contains("\"gpu.prescale.io/move-at\":\"2026-11-21T12:01:00Z\"")
        .contains("\"gpu.prescale.io/move-for\":\"pod uid-large\"");
    assertThat(executor.shown())
        .singleElement()
        .satisfies(row -> assertThat(row.state()).isEqualTo(MoveRow.State.PLANNED));
  }

  /** Its queue may have none, and it would stay for ever. */
  @Test
  void aPodLeavesASickCardThoughItsQueueIsAboveItsShare() throws Exception {
    ledger.queues(List.of(new QueueEntry("none", Optional.empty(), Quota.build(0))));
    ledger.queueNamed("default", Optional.of("none"));
    assertThat(ledger.moveFacts().held()).noneMatch(MoveFacts.Held::mayReturn);
    var sick = GpuHealth.UNKNOWN.withState(GpuHealth.State.UNHEALTHY);
    ledger.conditions(
        Map.of("GPU-a-0", new CardReading(sick, OptionalInt.empty(), Optional.of("broken"))));

    executor(Mode.ACT).round(() -> true);

    assertThat(sent())
        .last()
        .asString()
        .startsWith("PATCH " + PODS + "on-a/status")
        .contains("\"gpu.prescale.io/move-for\":\"sick-card\"");
  }

  @Test
  void aNoticeThatHasRunOutIsFollowedByAnEvictionAndThePlaceIsKept() throws Exception {
    twoCardsAreWanted();
    var executor = executor(Mode.ACT);
    executor.seen(pod("on-a", notice("b")));
    server.expect().post().withPath(PODS + "on-a/eviction").andReturn(201, "{}").always();

    executor.round(() -> false);
    assertThat(sent()).isEmpty();
    clock = NOON.plusSeconds(2);
    executor.round(() -> true);

    assertThat(sent())
        .anySatisfy(it -> assertThat(it).startsWith("POST " + PODS + "on-a/eviction"));
    assertThat(
            registry.getSampleValue(
                "prescale_moves_evictions_total",
                new String[] {"reason"},
                new String[] {"makes_way"}))
        .isEqualTo(1);
    assertThat(ask("other", 1)).isEqualTo(new Candidates.Nodes(List.of("a")));
    var again =
        Pods.labelled(Pods.asking("again", Map.of("nvidia.com/gpu", 1L)), Map.of("app", "on-a"));
    ledger.seen(again);
    assertThat(ledger.candidates(again, BOTH, true, clock, _ -> 0))
        .isEqualTo(new Candidates.Nodes(List.of("b")));
  }

  @Test
  void aRefusedEvictionIsTriedAgain() throws Exception {
    twoCardsAreWanted();
    var executor = executor(Mode.ACT);
    executor.seen(pod("on-a", notice("b")));
    server.expect().post().withPath(PODS + "on-a/eviction").andReturn(429, "{}").always();

    for (int second = 0; second < 4; second++) {
      executor.round(() -> true);
      clock = clock.plusSeconds(1);
    }

    assertThat(sent().stream().filter(it -> it.startsWith("POST " + PODS + "on-a/eviction")))
        .hasSize(3);
    assertThat(
            registry.getSampleValue(
                "prescale_moves_evictions_total",
                new String[] {"reason"},
                new String[] {"makes_way"}))
        .isNull();
  }

  @Test
  void adviceIsOnlySaid() throws Exception {
    twoCardsAreWanted();
    var executor = executor(Mode.ADVISE);

    executor.round(() -> true);
    executor.round(() -> true);

    assertThat(sent()).isEmpty();
    assertThat(executor.shown()).hasSize(1);
    assertThat(registry.getSampleValue("prescale_moves_planned")).isEqualTo(1);
  }

  @Test
  void whatStandsOnPodsIsWithdrawnWhenMovesAreSwitchedOff() throws Exception {
    var executor = executor(Mode.OFF);
    executor.round(() -> true);
    assertThat(server.getRequestCount()).isZero();

    executor.seen(pod("on-a", notice("b")));
    executor.round(() -> true);

    assertThat(sent())
        .last()
        .asString()
        .startsWith("PATCH " + PODS + "on-a/status")
        .contains("\"gpu.prescale.io/move-at\":null");
  }

  @Test
  void podsWithoutDevicesAreNotRemembered() {
    var executor = executor(Mode.ACT);

    executor.seen(
        new PodBuilder(pod("web", Map.of(WrittenMove.AT, "x")))
            .editSpec()
            .withContainers()
            .endSpec()
            .build());
    executor.round(() -> true);

    assertThat(server.getRequestCount()).isZero();
  }
}
