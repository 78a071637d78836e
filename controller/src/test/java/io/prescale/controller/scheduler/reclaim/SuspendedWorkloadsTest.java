package io.prescale.controller.scheduler.reclaim;

import static io.prescale.controller.scheduler.reclaim.SuspendableKind.JOB_SET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.prescale.controller.MockApi;
import io.prescale.controller.cluster.ClusterAccess;
import io.prescale.controller.cluster.ServedKind;
import io.prescale.controller.scheduler.reclaim.SuspendedWorkloads.Marked;
import io.prescale.placement.cluster.GpuDemand;
import io.prescale.placement.cluster.RequestShape;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.inventory.Pods;
import io.prescale.placement.ledger.ReclaimFacts;
import io.prescale.placement.notice.SuspendedWork;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What Prescale has suspended and resumes, as the API server has it. */
@MockApi(crud = true)
@NullUnmarked // the extension sets the client and the server
class SuspendedWorkloadsTest {
  private static final Instant NOW = Instant.parse("2026-11-24T12:00:00Z");
  private static final ResourceDefinitionContext SETS = JOB_SET.contexts().getFirst();
  private static final RequestShape SHAPE = RequestShape.of(1, GpuDemand.WholeGpu.ANY);

  private KubernetesMockServer server;
  private KubernetesClient client;
  private SuspendedWorkloads suspended;

  @BeforeEach
  void watchJobSets() {
    ApiWithoutRepetition.serve(server, SETS);
    suspended = new SuspendedWorkloads(client);
    suspended.watch(Map.of(JOB_SET, SETS), NOW);
    await().until(() -> suspended.isComplete(NOW));
  }

  @AfterEach
  void close() {
    suspended.close();
  }

  private void jobSet(String name, boolean isSuspended, String pods) {
    var object =
        ApiWithoutRepetition.workload("JobSet", "", "{suspend: %s}".formatted(isSuspended));
    object.setApiVersion("jobset.x-k8s.io/v1alpha2");
    object.getMetadata().setName(name);
    object.getMetadata().setUid("uid-" + name);
    object.getMetadata().setResourceVersion(null);
    object.getMetadata().setLabels(Map.of(SuspendedWorkloads.LABEL, "true"));
    object
        .getMetadata()
        .setAnnotations(
            Map.of(SuspendedWorkloads.AT, "2026-11-24T11:00:00Z", SuspendedWorkloads.PODS, pods));
    client.genericKubernetesResources(SETS).inNamespace("default").resource(object).create();
  }

  /** A driver in a small queue, and workers in another. */
  @Test
  void eachQueueIsChargedWithItsPods() {
    var driver = Pods.inQueue(Pods.asking("driver", Map.of("nvidia.com/gpu", 1L)), "small", NOW);
    var workers =
        Pods.inQueue(Pods.asking("workers", Map.of("nvidia.com/gpu", 8L)), "training", NOW);
    jobSet("a", true, SuspendedPods.of(List.of(driver, workers, workers)).text());
    var all = awaitSuspended(1);
    var asks =
        Map.of(
            "JobSet default/a#0", new ReclaimFacts.Ask("small", SHAPE, 1000),
            "JobSet default/a#1", new ReclaimFacts.Ask("training", SHAPE, 8000));

    assertThat(SuspendedWorkloads.work(all, asks))
        .singleElement()
        .satisfies(
            work -> {
              assertThat(work.milli()).isEqualTo(Map.of("small", 1000L, "training", 16_000L));
              assertThat(work.queue()).isEqualTo("training");
            });
  }

  /** As the MPI operator's after the training operator's. */
  @Test
  void aKindOfAnotherVersionIsWatchedAnew() {
    jobSet("a", true, pods(1));
    assertThat(awaitSuspended(1).getFirst().context().getVersion()).isEqualTo("v1alpha2");
    var later = ServedKind.of(SETS.getGroup(), "v1", SETS.getKind(), SETS.getPlural(), true);

    suspended.watch(Map.of(JOB_SET, later), NOW);

    assertThat(suspended.toBeResumed(NOW))
        .extracting(it -> it.context().getVersion())
        .doesNotContain("v1alpha2");
    assertThat(suspended.find("JobSet default/a").map(Marked::context))
        .isNotEqualTo(Optional.of(SETS));
  }

  @Test
  void ofManyOthersAreLookedAtInEachRound() {
    for (int i = 0; i < 201; i++) {
      jobSet("s%03d".formatted(i), true, "");
    }
    await().until(() -> suspended.find("JobSet default/s200").isPresent());
    await().until(() -> suspended.find("JobSet default/s000").isPresent());

    var seen = new HashSet<String>();
    for (int second = 0; second < 2; second++) {
      var turn = suspended.toBeResumed(NOW.plusSeconds(second));
      assertThat(turn).hasSize(200);
      turn.forEach(it -> seen.add(it.workload().name()));
    }

    assertThat(seen).hasSize(201);
  }

  /** Users may put the label on what they like. */
  @Test
  void ofAWorkloadNoMoreIsKeptThanIsRead() {
    var spec = "{suspend: true, replicatedJobs: [%s]}".formatted("y".repeat(200_000));
    var object = ApiWithoutRepetition.workload("JobSet", "", spec);
    object.setApiVersion("jobset.x-k8s.io/v1alpha2");
    object.getMetadata().setName("large");
    object.getMetadata().setUid("uid-large");
    object.getMetadata().setResourceVersion(null);
    object.getMetadata().setLabels(Map.of(SuspendedWorkloads.LABEL, "true"));
    object
        .getMetadata()
        .setAnnotations(
            Map.of("notes", "x".repeat(200_000), SuspendedWorkloads.PODS, "z".repeat(200_000)));
    client.genericKubernetesResources(SETS).inNamespace("default").resource(object).create();

    var kept = awaitSuspended(1).getFirst().object();

    assertThat(kept.getMetadata().getAnnotations()).isEmpty();
    assertThat(kept.getAdditionalProperties()).isEqualTo(Map.of("spec", Map.of("suspend", true)));
  }

  /** A definition may take JSON of any shape, which the API server nests up to 10,000 deep. */
  @Test
  void oneThatIsNestedDeeplyHidesNoOther() {
    var set =
        """
        {"apiVersion":"jobset.x-k8s.io/v1alpha2","kind":"JobSet","metadata":{"namespace":"default",\
        "name":"%s","uid":"u","labels":{"gpu.prescale.io/suspended":"true"}},\
        "spec":{"suspend":true,"any":%s}}\
        """;
    var deep = set.formatted("deep", "[".repeat(9_900) + "]".repeat(9_900));
    server
        .expect()
        .get()
        .withPath(
            "/apis/jobset.x-k8s.io/v1alpha2/jobsets"
                + "?labelSelector=gpu.prescale.io%2Fsuspended&limit=200")
        .andReturn(
            200,
            "{\"metadata\":{\"resourceVersion\":\"1\"},\"items\":[%s,%s]}"
                .formatted(deep, set.formatted("good", "1")))
        .always();

    try (var asInPods = ClusterAccess.apart(client);
        var watched = new SuspendedWorkloads(asInPods)) {
      watched.watch(Map.of(JOB_SET, SETS), NOW);

      await().until(() -> watched.find("JobSet default/good").isPresent());
      assertThat(watched.find("JobSet default/deep")).isPresent();
    }
  }

  @Test
  void oneThatGrowsTooLargeIsForgotten() {
    jobSet("a", true, pods(1));
    awaitSuspended(1);
    var labels = new HashMap<>(Map.of(SuspendedWorkloads.LABEL, "true"));
    for (int i = 0; i < 2_000; i++) {
      labels.put("label-%d".formatted(i), "value");
    }

    client
        .genericKubernetesResources(SETS)
        .inNamespace("default")
        .withName("a")
        .edit(
            it -> {
              it.getMetadata().setLabels(labels);
              return it;
            });

    await().until(() -> suspended.find("JobSet default/a"), Optional::isEmpty);
  }

  private static String pods(int number) {
    var pod = Pods.asking("p", Map.of("nvidia.com/gpu", 1L));
    return SuspendedPods.of(Collections.nCopies(number, pod)).text();
  }

  private List<Marked> awaitSuspended(int number) {
    await().until(() -> suspended.toBeResumed(NOW).size() == number);
    return suspended.toBeResumed(NOW);
  }

  @Test
  void whatAWorkloadHadIsLookedForBeforeItGoesOn() {
    jobSet("a", true, pods(3));
    var all = awaitSuspended(1);

    var templates = SuspendedWorkloads.templates(all);
    assertThat(templates).containsOnlyKeys("JobSet default/a#0");
    assertThat(templates.values())
        .flatExtracting(PodFacts::containers)
        .extracting(PodFacts.Container::asked)
        .containsExactly(Map.of("nvidia.com/gpu", 1L));

    var asks = Map.of("JobSet default/a#0", new ReclaimFacts.Ask("training", SHAPE, 1000));
    assertThat(SuspendedWorkloads.work(all, asks))
        .containsExactly(
            new SuspendedWork(
                "JobSet default/a",
                Map.of("training", 3000L),
                List.of(SHAPE, SHAPE, SHAPE),
                Instant.parse("2026-11-24T11:00:00Z")));
    assertThat(suspended.find("JobSet default/a")).isPresent();
    assertThat(suspended.find("JobSet default/b")).isEmpty();
  }

  /** The round resumes at once what is of no queue. */
  @Test
  void oneWhosePodsCannotBeReadIsOfNoQueue() {
    jobSet("a", true, "3");
    var all = awaitSuspended(1);

    assertThat(SuspendedWorkloads.templates(all)).isEmpty();
    assertThat(SuspendedWorkloads.work(all, Map.of()))
        .extracting(SuspendedWork::queue)
        .containsExactly("");
  }

  @Test
  void oneThatItsOwnerHasResumedLosesOnlyTheLabel() {
    jobSet("a", false, pods(1));

    await().until(() -> suspended.mislabelled().size() == 1);
    assertThat(suspended.toBeResumed(NOW)).isEmpty();
  }

  @Test
  void anOwnerThatIsDeletedIsForgotten() {
    jobSet("a", true, pods(1));
    awaitSuspended(1);

    client.genericKubernetesResources(SETS).inNamespace("default").withName("a").delete();

    awaitSuspended(0);
  }

  @Test
  void aKindThatIsRemovedIsForgottenAndSeenAgainWhenItIsBack() {
    jobSet("a", true, pods(1));
    awaitSuspended(1);

    suspended.watch(Map.of(), NOW);
    assertThat(suspended.toBeResumed(NOW)).isEmpty();

    suspended.watch(Map.of(JOB_SET, SETS), NOW);
    assertThat(awaitSuspended(1).getFirst().object())
        .extracting(GenericKubernetesResource::getKind)
        .isEqualTo("JobSet");
  }
}
