package io.prescale.controller.scheduler.queues;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.prescale.controller.MockApi;
import io.prescale.controller.scheduler.evictions.PodWriter;
import io.prescale.placement.inventory.Nodes;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.inventory.Pods;
import io.prescale.placement.ledger.Decision;
import io.prescale.placement.ledger.Ledger;
import io.prescale.placement.queue.QueueEntry;
import io.prescale.placement.queue.Quota;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Pods of a queue that is guaranteed two cards, on a node with eight. */
@MockApi
@NullUnmarked // the extension sets the client and the server
class QuotaMarksTest {
  private static final Instant NOW = Instant.parse("2026-11-24T12:00:00Z");

  private final Ledger ledger = new Ledger(10);
  private final Map<String, String> written = new TreeMap<>();
  private KubernetesMockServer server;
  private KubernetesClient client;
  private QuotaMarks marks;

  @BeforeEach
  void queue() {
    marks = new QuotaMarks(new PodWriter(client), ledger);
    ledger.seen(Nodes.a100("a", 8));
    guaranteed(2);
  }

  private void guaranteed(int cards) {
    var quota = Quota.train(1000L * cards, 1);
    ledger.queues(List.of(new QueueEntry("training", Optional.empty(), quota)));
  }

  /** Decides about a pod, and says it is on its node with what its Binding says. */
  private PodFacts bind(String name) {
    var pod = Pods.inQueue(Pods.asking(name, Map.of("nvidia.com/gpu", 1L)), "training", NOW);
    ledger.seen(pod);
    ledger.candidates(pod, List.of("a", "b", "c"), true, NOW, _ -> 0);
    var node = ledger.shortlist(pod.uid()).getFirst();
    assertThat(ledger.decide(pod.uid(), node, NOW)).isInstanceOf(Decision.Bind.class);
    var word = marks.with(pod.uid(), Map.of()).getOrDefault(QuotaMarks.KEY, "");
    var path = "/api/v1/namespaces/%s/pods/%s".formatted(pod.namespace(), name);
    int answer = name.startsWith("refused") ? 403 : 200;
    server.expect().get().withPath(path).andReturn(200, at(pod, word)).always();
    server.expect().patch().withPath(path + "/status").andReturn(answer, at(pod, word)).always();
    see(pod, word);
    return pod;
  }

  private void see(PodFacts pod, String word) {
    written.put(pod.name(), word);
    marks.seen(at(pod, word));
  }

  private static Pod at(PodFacts pod, String word) {
    var mark = word.isEmpty() ? Map.<String, String>of() : Map.of(QuotaMarks.KEY, word);
    return new PodBuilder()
        .withNewMetadata()
        .withNamespace(pod.namespace())
        .withName(pod.name())
        .withUid(pod.uid())
        .withAnnotations(mark)
        .withLabels(mark)
        .endMetadata()
        .withNewSpec()
        .withNodeName("a")
        .endSpec()
        .build();
  }

  /** A round, and what it has written as the watch has it then. */
  private void round(int seconds, List<PodFacts> pods) throws Exception {
    marks.round(NOW.plusSeconds(seconds));
    for (; requests < server.getRequestCount(); requests++) {
      var request = server.takeRequest();
      if (request.getMethod().equals("PATCH")) {
        var meta = new ObjectMapper().readTree(request.getBody().readUtf8()).path("metadata");
        assertThat(meta.path("labels")).isEqualTo(meta.path("annotations"));
        var pod = pods.stream().filter(it -> request.getPath().contains("/" + it.name() + "/"));
        var word = meta.path("labels").path(QuotaMarks.KEY);
        see(pod.findFirst().orElseThrow(), word.isNull() ? "" : word.asText());
      }
    }
  }

  private int requests;

  @Test
  void aPodIsBoundWithTheStandingOfItsQueueAndTheOthersFollowAfterAMinute() throws Exception {
    var pods = List.of(bind("p1"), bind("p2"), bind("p3"));
    assertThat(written.values()).containsExactly("Guaranteed", "Guaranteed", "OverQuota");

    round(0, pods);
    round(59, pods);
    assertThat(written.values()).contains("Guaranteed");
    round(60, pods);

    assertThat(written.values()).containsOnly("OverQuota");
  }

  /** A queue that goes beyond its guarantee and back within a minute. */
  @Test
  void whatChangesBackWritesNothing() throws Exception {
    var pods = List.of(bind("p1"));
    guaranteed(0);
    round(0, pods);
    round(59, pods);
    guaranteed(1);
    round(60, pods);
    guaranteed(0);
    round(61, pods);
    round(119, pods);

    assertThat(written.values()).containsExactly("Guaranteed");
  }

  @Test
  void atMostTwentyPodsAreWrittenInARound() throws Exception {
    List.of("b", "c").forEach(node -> ledger.seen(Nodes.a100(node, 8)));
    guaranteed(100);
    var pods = IntStream.range(0, 24).mapToObj(pod -> bind("p" + pod)).toList();
    guaranteed(0);
    round(0, pods);
    round(60, pods);
    assertThat(written.values()).filteredOn("OverQuota"::equals).hasSize(20);
    round(65, pods);

    assertThat(written.values()).containsOnly("OverQuota");
  }

  /** They are tried again later, and others come before that. */
  @Test
  void podsThatMayNotBeWrittenKeepNoOthersFromIt() throws Exception {
    List.of("b", "c").forEach(node -> ledger.seen(Nodes.a100(node, 8)));
    guaranteed(100);
    IntStream.range(0, 20).forEach(pod -> bind("refused" + pod));
    var other = bind("well");
    guaranteed(0);
    marks.round(NOW);
    marks.round(NOW.plusSeconds(60));
    requests = server.getRequestCount();
    for (int request = 0; request < requests; request++) {
      server.takeRequest();
    }

    round(60, List.of(other));

    assertThat(written.get("well")).isEqualTo("OverQuota");
  }

  @Test
  void aPodThatHasEndedIsNotWritten() throws Exception {
    var pod = bind("p1");
    guaranteed(0);
    marks.seen(
        new PodBuilder(at(pod, "Guaranteed"))
            .withNewStatus()
            .withPhase("Succeeded")
            .endStatus()
            .build());

    round(0, List.of(pod));
    round(60, List.of(pod));

    assertThat(written.get("p1")).isEqualTo("Guaranteed");
  }

  @Test
  void withoutQueuesNothingIsSaidAndWhatWasSaidIsRemoved() throws Exception {
    var pods = List.of(bind("p1"));
    ledger.queues(List.of());
    assertThat(marks.with("uid", Map.of("a", "b"))).isEqualTo(Map.of("a", "b"));

    round(0, pods);
    round(60, pods);

    assertThat(written.values()).containsExactly("");
  }
}
