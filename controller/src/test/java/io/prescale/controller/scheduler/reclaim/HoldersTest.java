package io.prescale.controller.scheduler.reclaim;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.PodBuilder;
import io.prescale.placement.cluster.ClusterSnapshot;
import io.prescale.placement.inventory.Pods;
import io.prescale.placement.ledger.ReclaimFacts;
import io.prescale.placement.notice.CardHolder;
import io.prescale.placement.notice.ReclaimPolicy;
import io.prescale.placement.queue.CardPool;
import io.prescale.placement.queue.Queue;
import io.prescale.placement.queue.QueueTree;
import io.prescale.placement.queue.Quota;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pods that have cards, of a queue that gives them back and of one that does not. */
class HoldersTest {
  private static final Map<String, ReclaimPolicy> TERMS =
      Map.of("training", new ReclaimPolicy(ReclaimPolicy.Mode.ACT, Duration.ofMinutes(5), 50));

  private static ReclaimFacts facts(Map<String, String> queueByPod) {
    return new ReclaimFacts(
        ClusterSnapshot.ofNodes(List.of()),
        QueueTree.of(List.of(Queue.leaf("training", Quota.train(0, 1)))),
        Map.of(CardPool.REST, 8000L),
        Map.of(),
        Map.of(),
        queueByPod.entrySet().stream()
            .map(
                it ->
                    new ReclaimFacts.Held(
                        Pods.asking(it.getKey(), Map.of("nvidia.com/gpu", 1L)),
                        it.getValue(),
                        1000,
                        Optional.empty(),
                        true,
                        Optional.empty()))
            .toList(),
        List.of(),
        List.of(),
        Map.of());
  }

  private static PodTerms pod(String namespace, String name) {
    return PodTerms.of(
        new PodBuilder(ApiWithoutRepetition.podOf("job-of-" + name, name))
            .editMetadata()
            .withNamespace(namespace)
            .endMetadata()
            .build());
  }

  /** As the plan takes them, which reads no owners. */
  @Test
  void podsOfAWorkloadOfAnotherProjectEndTogether() {
    var torch =
        PodTerms.of(
            new PodBuilder(ApiWithoutRepetition.podOf("torch", "worker"))
                .editMetadata()
                .editFirstOwnerReference()
                .withApiVersion("kubeflow.org/v1")
                .withKind("PyTorchJob")
                .endOwnerReference()
                .endMetadata()
                .build());

    var held =
        Holders.of(
            facts(Map.of("worker", "training")),
            Map.of(torch.uid(), torch),
            TERMS,
            Owners::assumed,
            Instant.EPOCH);

    assertThat(held.byUid().values())
        .singleElement()
        .satisfies(
            holder -> {
              assertThat(holder.gang()).contains("PyTorchJob default/torch");
              assertThat(holder.workload()).contains("PyTorchJob default/torch");
            });
  }

  /** So that what is paused is not taken for what goes on. */
  @Test
  void aPodThatDoesNotEndStaysWithoutItsWorkload() {
    var end = Instant.parse("2026-03-02T12:00:00Z");
    var hanging =
        PodTerms.of(
            new PodBuilder(ApiWithoutRepetition.podOf("job", "worker"))
                .editMetadata()
                .withDeletionTimestamp(end.toString())
                .endMetadata()
                .build());

    for (long minutes : new long[] {10, 11}) {
      var held =
          Holders.of(
              facts(Map.of("worker", "training")),
              Map.of(hanging.uid(), hanging),
              TERMS,
              Owners::assumed,
              end.plus(Duration.ofMinutes(minutes)));

      var holder = held.byUid().values().iterator().next();
      assertThat(holder.isLeaving()).isEqualTo(minutes == 10);
      assertThat(holder.workload().isPresent()).isEqualTo(minutes == 10);
    }
  }

  /** As the plan takes them, too. */
  @Test
  void podsThatDeclareAMinimumLeaveOneByOneDownToIt() {
    var pods =
        Stream.of("one", "two")
            .map(name -> ApiWithoutRepetition.podOf("web-1", name))
            .map(
                made ->
                    PodTerms.of(
                        new PodBuilder(made)
                            .editMetadata()
                            .addToAnnotations(Elasticity.MINIMUM, "1")
                            .addToAnnotations("gpu.prescale.io/pause-cost", "45m")
                            .editFirstOwnerReference()
                            .withApiVersion("apps/v1")
                            .withKind("ReplicaSet")
                            .endOwnerReference()
                            .endMetadata()
                            .build()))
            .collect(Collectors.toMap(PodTerms::uid, Function.identity()));

    var held =
        Holders.of(
            facts(Map.of("one", "training", "two", "training")),
            pods,
            TERMS,
            Owners::assumed,
            Instant.EPOCH);

    assertThat(held.byUid().values()).hasSize(2).allMatch(CardHolder::isElastic);
    assertThat(held.byUid().values())
        .extracting(CardHolder::pauseCost)
        .containsOnly(Duration.ofMinutes(45));
    assertThat(held.minimum()).isEqualTo(Map.of("Deployment default/web-1", 1));
  }

  /** As the plan takes them: the pod's label names its set, which its StatefulSet does not. */
  @ParameterizedTest
  @CsvSource({
    "apps/v1, StatefulSet, LeaderWorkerSet default/llm",
    "batch/v1, Job, Job default/llm-0",
    "others.io/v1, ReplicaSet, none",
    "others.io/v1, StatefulSet, none",
  })
  void podsOfALeaderWorkerSetAreKnownByTheirLabel(String version, String kind, String workload) {
    var pod =
        PodTerms.of(
            new PodBuilder(ApiWithoutRepetition.podOf("llm-0", "llm-0-1"))
                .editMetadata()
                .addToLabels("leaderworkerset.sigs.k8s.io/name", "llm")
                .addToAnnotations(Elasticity.MINIMUM, "1")
                .editFirstOwnerReference()
                .withApiVersion(version)
                .withKind(kind)
                .endOwnerReference()
                .endMetadata()
                .build());

    assertThat(Owners.assumed(pod).workload().map(Suspendable::key).orElse("none"))
        .isEqualTo(workload);
  }

  /** Its workload would else be suspended with a pod that had no notice. */
  @Test
  void aPodOfAQueueThatGivesNothingBackMayBeOfAWorkloadThatIsTaken() {
    var pods =
        List.of(pod("team", "worker"), pod("team", "driver"), pod("elsewhere", "other")).stream()
            .collect(Collectors.toMap(PodTerms::uid, Function.identity()));
    var queues = new HashMap<>(Map.of("worker", "training", "driver", "office", "other", "office"));

    assertThat(Holders.concerned(facts(queues), pods, TERMS))
        .extracting(PodTerms::name)
        .containsExactlyInAnyOrder("worker", "driver");
    queues.put("worker", "office");
    assertThat(Holders.concerned(facts(queues), pods, TERMS)).isEmpty();
  }
}
