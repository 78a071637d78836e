package io.prescale.controller.scheduler.reclaim;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.prescale.controller.MockApi;
import io.prescale.placement.inventory.Nodes;
import io.prescale.placement.inventory.Pods;
import io.prescale.placement.ledger.Candidates;
import io.prescale.placement.ledger.Ledger;
import io.prescale.placement.notice.ReclaimPolicy;
import io.prescale.placement.notice.ReclaimPolicy.Mode;
import io.prescale.placement.queue.QueueEntry;
import io.prescale.placement.queue.Quota;
import io.prometheus.client.CollectorRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** For which answers of the API server a round, and so a claim, waits. */
@MockApi
@NullUnmarked // the extension sets the client and the server
class ReadAheadTest {
  private static final Instant NOW = Instant.parse("2026-11-29T12:00:00Z");
  private static final String JOBS = "/apis/batch/v1/namespaces/default/jobs/";

  private final List<Runnable> readings = new ArrayList<>();
  private KubernetesMockServer server;
  private KubernetesClient client;
  private KubernetesClient api;
  private Owners owners;

  @BeforeEach
  void nothingIsReadYet() {
    api = ApiWithoutRepetition.of(client);
    owners = new Owners(api, new InstalledKinds(api, readings::add), readings::add);
  }

  private void read() {
    readings.forEach(Runnable::run);
    readings.clear();
  }

  /** Of a Job that may lose some of its pods. */
  private static Pod podOf(String job, Map<String, String> annotations) {
    return new PodBuilder(ApiWithoutRepetition.podOf(job, "p-" + job))
        .editMetadata()
        .addToAnnotations("gpu.prescale.io/group", job)
        .addToAnnotations("gpu.prescale.io/group-size", "1")
        .addToAnnotations(annotations)
        .endMetadata()
        .build();
  }

  private static PodTerms pod(String job, Map<String, String> annotations) {
    return PodTerms.of(podOf(job, annotations));
  }

  private void serve(String job) {
    var object = ApiWithoutRepetition.workload("Job", "", "{}");
    object.getMetadata().setName(job);
    object.getMetadata().setUid("uid-" + job);
    server.expect().get().withPath(JOBS + job).andReturn(200, object).always();
  }

  private long known(List<PodTerms> pods) {
    return pods.stream().filter(pod -> !owners.of(pod).isUnknown()).count();
  }

  @Test
  void aRoundAsksForTheOwnersOfPodsWithNoticeOnlyAndALaterOneKnowsTheOthers() {
    var notice = Map.of(PodTerms.AT, NOW.toString(), PodTerms.FOR, "c");
    IntStream.range(0, 41).forEach(i -> serve("j" + i));
    var pods = new ArrayList<PodTerms>();
    IntStream.range(0, 40).forEach(i -> pods.add(pod("j" + i, Map.of())));
    pods.add(pod("j40", notice));

    owners.read(pods, NOW);
    owners.read(pods, NOW.plusSeconds(1));

    assertThat(server.getRequestCount()).isEqualTo(1);
    assertThat(known(pods)).isEqualTo(1);
    assertThat(readings).as("one at a time").hasSize(1);
    read();
    assertThat(server.getRequestCount()).isEqualTo(1 + Owners.MOST_REQUESTS);
    assertThat(known(pods)).as("the same to a round from its beginning to its end").isEqualTo(1);
    owners.read(pods, NOW.plusSeconds(2));
    assertThat(known(pods)).isEqualTo(1 + Owners.MOST_REQUESTS);
    read();
    owners.read(pods, NOW.plusSeconds(3));
    assertThat(known(pods)).isEqualTo(41);
    assertThat(readings).isEmpty();
  }

  @Test
  void aJobOfWhichAPodWasEvictedWhileItWasReadIsReadAnew() {
    serve("j");
    var pods = List.of(pod("j", Map.of()));
    owners.read(pods, NOW);

    read();
    owners.forget(pods.getFirst());
    owners.read(pods, NOW.plusSeconds(1));

    assertThat(known(pods)).isZero();
    read();
    owners.read(pods, NOW.plusSeconds(2));
    assertThat(known(pods)).isEqualTo(1);
    assertThat(server.getRequestCount()).isEqualTo(2);
  }

  @Test
  void onlyTheFirstRoundWaitsUntilItIsKnownWhichKindsThereAre() {
    var kinds = new InstalledKinds(api, readings::add);
    kinds.at(NOW);
    int first = server.getRequestCount();
    var rayJobs = "{\"resources\": [{\"name\": \"rayjobs\"}]}";
    server.expect().get().withPath("/apis/ray.io/v1").andReturn(200, rayJobs).always();

    kinds.at(NOW.plusSeconds(60));
    kinds.at(NOW.plusSeconds(120));

    assertThat(server.getRequestCount()).isEqualTo(first);
    assertThat(readings).hasSize(1);
    read();
    assertThat(kinds.at(NOW.plusSeconds(121))).containsKey(SuspendableKind.RAY_JOB);
  }

  @Test
  void aRoundEndsWhileTheApiServerStillHasToSayWhoseAPodIs() {
    var roundIsOver = new CountDownLatch(1);
    var wasOver = new CompletableFuture<Boolean>();
    server
        .expect()
        .get()
        .withPath(JOBS + "j")
        .andReply(
            404,
            _ -> {
              wasOver.complete(awaits(roundIsOver));
              return "{}";
            })
        .always();
    var ledger = new Ledger(10);
    ledger.seen(Nodes.a100("a", 8));
    ledger.queues(List.of(new QueueEntry("batch", Optional.empty(), Quota.train(0, 1))));
    var asking = Pods.inQueue(Pods.asking("p-j", Map.of("nvidia.com/gpu", 1L)), "batch", NOW);
    ledger.seen(asking);
    assertThat(ledger.candidates(asking, List.of("a"), true, NOW, _ -> 0))
        .isInstanceOf(Candidates.Nodes.class);
    ledger.decide(asking.uid(), "a", NOW);
    System.setProperty(ReclaimExecutor.PROPERTY, "true");
    try (var executor =
        new ReclaimExecutor(
            api,
            ledger,
            () -> NOW,
            new ReclaimMetrics(new CollectorRegistry()),
            Optional.empty(),
            () -> Map.of("batch", new ReclaimPolicy(Mode.ACT, Duration.ofMinutes(5), 50)),
            List::of)) {
      executor.seen(podOf("j", Map.of()));

      executor.round(() -> true);
      roundIsOver.countDown();

      assertThat(wasOver).succeedsWithin(10, SECONDS).isEqualTo(true);
    } finally {
      System.clearProperty(ReclaimExecutor.PROPERTY);
    }
  }

  private static boolean awaits(CountDownLatch latch) {
    try {
      return latch.await(5, SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
