package io.prescale.controller.scheduler.reclaim;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.prescale.controller.MockApi;
import io.prescale.controller.scheduler.evictions.ProtectedPods;
import io.prescale.placement.cluster.ClusterSnapshot;
import io.prescale.placement.inventory.PodFacts.Group;
import io.prescale.placement.inventory.Pods;
import io.prescale.placement.ledger.ReclaimFacts;
import io.prescale.placement.notice.ReclaimPolicy;
import io.prescale.placement.notice.ReclaimPolicy.Mode;
import io.prescale.placement.notice.ReclaimStep;
import io.prescale.placement.queue.CardPool;
import io.prescale.placement.queue.Queue;
import io.prescale.placement.queue.QueueTree;
import io.prescale.placement.queue.Quota;
import io.prometheus.client.CollectorRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Job j with eight pods, of which its gang needs one. */
@MockApi
@NullUnmarked // the extension sets the client and the server
class SparedJobsTest {
  private static final Instant NOW = Instant.parse("2026-11-23T12:00:00Z");
  private static final String JOB = "/apis/batch/v1/namespaces/default/jobs/j";
  private static final String NO_POLICY = "{suspend: false}";
  private static final String POLICY =
      "{backoffLimit: 0, podFailurePolicy: {rules: [{action: Ignore,"
          + " onPodConditions: [{type: DisruptionTarget}]}]}}";
  private static final Map<String, ReclaimPolicy> TERMS =
      Map.of("batch", new ReclaimPolicy(Mode.ACT, Duration.ofMinutes(5), 50));

  private final Map<String, PodTerms> pods =
      IntStream.range(0, 8)
          .mapToObj(number -> PodTerms.of(pod("p" + number)))
          .collect(Collectors.toMap(PodTerms::uid, Function.identity()));

  /** Kubernetes counts each at once. */
  private final AtomicInteger evictions = new AtomicInteger();

  private KubernetesMockServer server;
  private KubernetesClient client;
  private KubernetesClient api;
  private Owners owners;

  @BeforeEach
  void eightPods() {
    api = ApiWithoutRepetition.of(client);
    owners = new Owners(api, new InstalledKinds(api, Runnable::run), Runnable::run);
    ApiWithoutRepetition.hasNoEndingPodsOf("j", server);
    pods.values()
        .forEach(
            pod ->
                server
                    .expect()
                    .post()
                    .withPath("/api/v1/namespaces/default/pods/%s/eviction".formatted(pod.name()))
                    .andReply(
                        201,
                        _ -> {
                          evictions.incrementAndGet();
                          return "{}";
                        })
                    .always());
  }

  private static Pod pod(String name) {
    return new PodBuilder(ApiWithoutRepetition.podOf("j", name))
        .editMetadata()
        .addToAnnotations("gpu.prescale.io/group", "g")
        .addToAnnotations("gpu.prescale.io/group-size", "1")
        .endMetadata()
        .build();
  }

  private static GenericKubernetesResource job(String spec, int failed) {
    var job = ApiWithoutRepetition.workload("Job", "", spec);
    job.setAdditionalProperty("status", Map.of("failed", failed));
    return job;
  }

  private void isRead(String spec, int failed) {
    isRead(spec, failed, NOW);
  }

  private void isRead(String spec, int failed, Instant now) {
    server.expect().get().withPath(JOB).andReturn(200, job(spec, failed)).once();
    owners.read(pods.values(), now);
  }

  private Holders holders() {
    var held =
        pods.values().stream()
            .map(
                pod ->
                    new ReclaimFacts.Held(
                        Pods.asking(pod.name(), Map.of("nvidia.com/gpu", 1L)),
                        "batch",
                        1000,
                        Optional.of(new Group("g", 1)),
                        true,
                        Optional.empty()))
            .toList();
    var facts =
        new ReclaimFacts(
            ClusterSnapshot.ofNodes(List.of()),
            QueueTree.of(List.of(Queue.leaf("batch", Quota.train(0, 1)))),
            Map.of(CardPool.REST, 8000L),
            Map.of(),
            Map.of(),
            held,
            List.of(),
            List.of(),
            Map.of());
    return Holders.of(facts, pods, TERMS, owners::of, NOW);
  }

  /** Those beyond leave with all others, by a suspension, which counts no failures. */
  @ParameterizedTest
  @CsvSource({"0, 2", "1, 3", "5, 7", "6, 8", "9, 8"})
  void asManyLeaveOneByOneAsTheUsualLimitOfSixAllows(int failed, int staying) {
    assertThat(holders().byUid().values()).as("not read yet").allMatch(it -> it.mode() == Mode.OFF);

    isRead(NO_POLICY, failed);

    assertThat(holders().byUid().values()).allMatch(it -> it.mode() == Mode.ACT);
    assertThat(holders().minimum()).isEqualTo(Map.of("default/g", staying));
  }

  @Test
  void allButOneLeaveOneByOneWhereEvictionsDoNotCount() {
    isRead(POLICY, 3);

    assertThat(holders().minimum()).isEqualTo(Map.of("default/g", 1));
  }

  @Test
  void itIsReadAgainWhenOneOfItsPodsWasToBeEvicted() {
    isRead(NO_POLICY, 0);
    owners.read(pods.values(), NOW.plusSeconds(1));
    assertThat(server.getRequestCount()).isEqualTo(1);

    owners.forget(pods.get("uid-p0"));
    isRead(NO_POLICY, 4);

    assertThat(holders().minimum()).isEqualTo(Map.of("default/g", 6));
  }

  /** By themselves. What was known holds until the Job can be read. */
  @Test
  void withANoticeItIsReadAgainAMinuteLaterSincePodsFailMeanwhile() {
    isRead(NO_POLICY, 0);
    owners.read(pods.values(), NOW.plusSeconds(600));
    assertThat(server.getRequestCount()).as("without").isEqualTo(1);
    noticed("p0");
    owners.forget(pods.get("uid-p0"));
    isRead(NO_POLICY, 0);
    server.expect().get().withPath(JOB).andReturn(500, "{}").once();
    owners.read(pods.values(), NOW.plusSeconds(59));
    assertThat(server.getRequestCount()).isEqualTo(2);

    owners.read(pods.values(), NOW.plusSeconds(60));
    assertThat(server.getRequestCount()).isEqualTo(3);
    assertThat(holders().minimum()).isEqualTo(Map.of("default/g", 2));
    isRead(NO_POLICY, 4, NOW.plusSeconds(61));

    assertThat(holders().minimum()).isEqualTo(Map.of("default/g", 6));
  }

  @Test
  void itIsNotReadAgainWhereEvictionsDoNotCount() {
    noticed("p0");
    isRead(POLICY, 0);
    owners.read(pods.values(), NOW.plusSeconds(600));

    assertThat(server.getRequestCount()).isEqualTo(1);
  }

  /** Five have their cards, and three of them may be evicted, too. */
  @Test
  void thoseThatLeaveAreAmongTheFailuresAlready() {
    for (var name : List.of("p0", "p1", "p2")) {
      var leaving =
          new PodBuilder(pod(name))
              .editMetadata()
              .withDeletionTimestamp(NOW.toString())
              .endMetadata()
              .build();
      pods.put("uid-" + name, PodTerms.of(leaving));
    }

    isRead(NO_POLICY, 3);

    assertThat(holders().minimum()).isEqualTo(Map.of("default/g", 2));
  }

  private void noticed(String name) {
    var pod = pod(name);
    pod.getMetadata().getAnnotations().put("gpu.prescale.io/reclaim-at", "2026-11-23T12:05:00Z");
    pods.put("uid-" + name, PodTerms.of(pod));
  }

  private List<String> evicted(int limit, int failed, ReclaimStep... steps)
      throws InterruptedException {
    var spec = "{backoffLimit: %d}".formatted(limit);
    server
        .expect()
        .get()
        .withPath(JOB)
        .andReply(200, _ -> job(spec, failed + evictions.get()))
        .always();
    server.expect().patch().withPath(JOB).andReturn(403, "{}").always();
    var actions =
        new ReclaimActions(
            new ReclaimWriter(api),
            new SuspendedWorkloads(api),
            new InstalledKinds(api, Runnable::run),
            new Takings(new ReclaimMetrics(new CollectorRegistry())),
            uid -> Optional.ofNullable(pods.get(uid)),
            true,
            InstantSource.fixed(NOW));
    var scene =
        new ReclaimScene(
            holders().byUid(),
            Map.of(),
            uids ->
                uids.stream().map(uid -> Pods.asking(uid, Map.of("nvidia.com/gpu", 1L))).toList(),
            Owners::assumed,
            () -> true,
            NOW);
    actions.carryOut(List.of(steps), scene);
    var sent = ApiWithoutRepetition.sent(server, 0);
    var evicted = sent.stream().filter(it -> it.contains("/eviction")).toList();
    int refused = actions.refused(NOW.plus(ProtectedPods.UNTIL_OTHERS)).size();
    assertThat(sent).filteredOn(it -> it.contains("might end Job j")).hasSize(refused);
    assertThat(evicted.size() + refused).isEqualTo(tried(steps));
    return evicted;
  }

  private static long tried(ReclaimStep... steps) {
    return Stream.of(steps)
        .mapToLong(step -> step instanceof ReclaimStep.Suspend(_, var uids, _) ? uids.size() : 1)
        .sum();
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "1, 1", "6, 1"})
  void onePodIsEvictedOnlyIfItsJobMayHaveAFailure(int limit, int evicted) throws Exception {
    assertThat(evicted(limit, 0, new ReclaimStep.Evict("uid-p0", "c"))).hasSize(evicted);
  }

  /** Each of which has one failure less to spare for the others, who are one fewer. */
  @ParameterizedTest
  @CsvSource({"2, 0", "3, 3"})
  void severalPodsOfAJobAreEvictedOnlyIfItSurvivesAll(int limit, int evicted) throws Exception {
    assertThat(
            evicted(
                limit + 1,
                1,
                new ReclaimStep.Evict("uid-p0", "c"),
                new ReclaimStep.Evict("uid-p1", "c"),
                new ReclaimStep.Evict("uid-p2", "d")))
        .hasSize(evicted);
  }

  /** As a policy refuses it, which is asked by its answer 403. */
  @ParameterizedTest
  @CsvSource({"7, 0", "8, 8"})
  void aJobThatMayNotBeSuspendedLosesAllPodsOrNone(int limit, int evicted) throws Exception {
    var all = Set.copyOf(pods.keySet());

    assertThat(evicted(limit, 0, new ReclaimStep.Suspend("Job default/j", all, "c")))
        .hasSize(evicted);
  }
}
