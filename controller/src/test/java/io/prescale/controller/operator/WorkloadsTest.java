package io.prescale.controller.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodConditionBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.WatchEvent;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.prescale.controller.MockApi;
import io.prescale.controller.SmallHeap;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.cluster.KubernetesJson;
import io.prescale.controller.operator.ScaleTargets.Found;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

@MockApi(crud = true)
@NullUnmarked // the extension sets the client and the server
class WorkloadsTest {
  private static final Found CHAT = new Found(2, 2, "app=chat,tier in (gpu)");

  private KubernetesClient client;
  private KubernetesMockServer server;

  private final PredictiveHPA resource = PredictiveHpas.chat("requests");

  @Test
  void podsAreWatchedAndNeverListedAtATick() {
    create(pod("team", "chat-1", Map.of("app", "chat", "tier", "gpu")));
    create(pod("team", "mail-1", Map.of("app", "mail", "tier", "gpu")));
    create(pod("other", "chat-1", Map.of("app", "chat", "tier", "gpu")));
    try (var workloads = new Workloads(client, InstantSource.system())) {
      assertThat(workloads.arePodsKnown(resource)).isFalse();
      assertThat(workloads.pods(resource, CHAT)).isEmpty();
      assertThat(server.getRequestCount()).as("the three that were created").isEqualTo(3);

      workloads.start(Set.of());
      create(pod("team", "chat-2", Map.of("app", "chat", "tier", "gpu")));
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> workloads.pods(resource, CHAT).size() == 2 && isWatched(workloads));
      int requests = server.getRequestCount();
      for (int tick = 0; tick < 100; tick++) {
        assertThat(names(workloads.pods(resource, CHAT)))
            .containsExactlyInAnyOrder("chat-1", "chat-2");
        workloads.quotaReplicas(resource, List.of());
      }
      assertThat(server.getRequestCount()).isEqualTo(requests);
    }
  }

  /** Whether both pods are known without a request. */
  private boolean isWatched(Workloads workloads) {
    int requests = server.getRequestCount();
    return names(workloads.pods(resource, CHAT)).size() == 2
        && server.getRequestCount() == requests;
  }

  @Test
  void podsAsTheyAreNowComeInBriefAndAPageAtATime() {
    for (int i = 0; i < 250; i++) {
      var pod = pod("team", "chat-" + i, Map.of("app", "chat", "tier", "gpu"));
      pod.getSpec().getContainers().getFirst().setCommand(List.of("serve"));
      create(pod);
    }
    var pages = new ArrayList<List<Pod>>();
    try (var workloads = new Workloads(client, InstantSource.system())) {
      workloads.podsNow(resource, CHAT, pages::add);
    }

    assertThat(pages.stream().flatMap(List::stream)).hasSize(250);
    assertThat(pages.getFirst().getFirst().getSpec().getContainers().getFirst().getCommand())
        .isEmpty();
  }

  @Test
  void podsOfAnyShapeNeitherFillTheHeapNorHideOthers() throws Exception {
    var output = SmallHeap.output("64m", HostilePods.class);

    assertThat(output).contains("listed: [good]").contains("watched: [good, newer]");
  }

  static Pod inBrief(Pod pod) {
    var event = "{\"type\": \"ADDED\", \"object\": %s}".formatted(KubernetesJson.of(pod));
    var brief =
        new KubernetesSerialization().unmarshal(PodsInBrief.JSON.event(event), WatchEvent.class);
    return (Pod) brief.getObject();
  }

  @Test
  void ofAPodOnlyIsKeptWhatIsRead() {
    var pod = pod("team", "chat-1", Map.of("app", "chat"));
    pod.getMetadata().setAnnotations(Map.of("note", "x".repeat(100_000)));
    pod.getSpec().getContainers().getFirst().setCommand(List.of("x".repeat(100_000)));

    var brief = inBrief(pod);

    assertThat(brief.toString()).hasSizeLessThan(10_000);
    assertThat(brief.getMetadata().getLabels()).containsEntry("app", "chat");
    assertThat(PodTimes.of(brief)).isEqualTo(PodTimes.of(pod));
    assertThat(PodTimes.serving(List.of(brief))).isOne();
    assertThat(PodTimes.unschedulable(List.of(brief))).isZero();
    assertThat(Cards.perReplica(List.of(brief))).hasValue(2);
  }

  @Test
  void onlyPodsForWhichTheSchedulerHasFoundNoNodeAreUnschedulable() {
    var waits = unscheduled("waits", "False", "Unschedulable");
    var gated = unscheduled("gated", "False", "SchedulingGated");
    var placed = unscheduled("placed", "True", null);
    var going =
        new PodBuilder(waits)
            .editMetadata()
            .withDeletionTimestamp("2026-11-21T12:05:00Z")
            .endMetadata()
            .build();
    var unseen = new PodBuilder(waits).withStatus(null).build();

    assertThat(PodTimes.unschedulable(List.of(waits, gated, placed, going, unseen))).isOne();
    assertThat(PodTimes.unschedulable(List.of(inBrief(waits)))).isOne();
  }

  private static Pod unscheduled(String name, String scheduled, @Nullable String reason) {
    return new PodBuilder(pod("team", name, Map.of()))
        .editStatus()
        .withConditions(
            new PodConditionBuilder()
                .withType("PodScheduled")
                .withStatus(scheduled)
                .withReason(reason)
                .build())
        .endStatus()
        .build();
  }

  private void create(Pod pod) {
    client.pods().resource(pod).create();
  }

  private static List<String> names(List<Pod> pods) {
    return pods.stream().map(pod -> pod.getMetadata().getName()).toList();
  }

  private static Pod pod(String namespace, String name, Map<String, String> labels) {
    return new PodBuilder()
        .withNewMetadata()
        .withNamespace(namespace)
        .withName(name)
        .withLabels(labels)
        .withCreationTimestamp("2026-11-21T12:00:00Z")
        .endMetadata()
        .withNewSpec()
        .addNewContainer()
        .withName("model")
        .withNewResources()
        .addToLimits("nvidia.com/gpu", new Quantity("2"))
        .endResources()
        .endContainer()
        .endSpec()
        .withNewStatus()
        .withPhase("Running")
        .addNewCondition()
        .withType("Ready")
        .withStatus("True")
        .withLastTransitionTime("2026-11-21T12:03:00Z")
        .endCondition()
        .addNewContainerStatus()
        .withName("model")
        .withRestartCount(0)
        .withNewState()
        .withNewRunning()
        .withStartedAt("2026-11-21T12:02:00Z")
        .endRunning()
        .endState()
        .endContainerStatus()
        .endStatus()
        .build();
  }
}
