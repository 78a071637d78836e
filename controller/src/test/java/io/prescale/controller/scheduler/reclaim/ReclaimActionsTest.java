package io.prescale.controller.scheduler.reclaim;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.prescale.controller.MockApi;
import io.prescale.controller.scheduler.evictions.ProtectedPods;
import io.prescale.placement.inventory.Pods;
import io.prescale.placement.notice.CardHolder;
import io.prescale.placement.notice.Notice;
import io.prescale.placement.notice.ReclaimPolicy;
import io.prescale.placement.notice.ReclaimStep;
import io.prometheus.client.CollectorRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Steps that fail, for two pods a and b of the Job j. */
@MockApi
@NullUnmarked // the extension sets the client and the server
class ReclaimActionsTest {
  private static final Instant NOW = Instant.parse("2026-11-23T12:00:00Z");
  private static final String PODS = "/api/v1/namespaces/default/pods/";
  private static final String JOB = "/apis/batch/v1/namespaces/default/jobs/j";
  private static final ReclaimStep SUSPEND =
      new ReclaimStep.Suspend("Job default/j", Set.of("uid-a", "uid-b"), "c");

  private final Map<String, PodTerms> pods =
      Stream.of("a", "b")
          .map(name -> PodTerms.of(ApiWithoutRepetition.podOf("j", name)))
          .collect(Collectors.toMap(PodTerms::uid, Function.identity()));
  private final Takings takings = new Takings(new ReclaimMetrics(new CollectorRegistry()));
  private KubernetesMockServer server;
  private KubernetesClient client;
  private ReclaimActions actions;

  @BeforeEach
  void withoutRepetitions() {
    var api = ApiWithoutRepetition.of(client);
    ApiWithoutRepetition.hasNoEndingPodsOf("j", server);
    actions =
        new ReclaimActions(
            new ReclaimWriter(api),
            new SuspendedWorkloads(api),
            new InstalledKinds(api, Runnable::run),
            takings,
            uid -> Optional.ofNullable(pods.get(uid)),
            false,
            InstantSource.fixed(NOW.plusSeconds(7)));
  }

  private List<ReclaimStep> carryOut(BooleanSupplier isAnswering, ReclaimStep... steps) {
    var holders =
        pods.values().stream()
            .map(
                pod ->
                    new CardHolder(
                        pod.uid(),
                        "batch",
                        1000,
                        ReclaimPolicy.Mode.ACT,
                        false,
                        Duration.ZERO,
                        Duration.ZERO,
                        Optional.empty(),
                        Optional.empty(),
                        Owners.assumed(pod).workload().map(Suspendable::key),
                        false))
            .collect(Collectors.toMap(CardHolder::uid, Function.identity()));
    return actions.carryOut(
        List.of(steps),
        new ReclaimScene(
            holders,
            Map.of(),
            uids ->
                uids.stream().map(uid -> Pods.asking(uid, Map.of("nvidia.com/gpu", 1L))).toList(),
            Owners::assumed,
            isAnswering,
            NOW));
  }

  private int taken() {
    return takings.inTheHour("batch", NOW);
  }

  private void answersTheEvictionOf(String pod, int code) {
    server.expect().post().withPath(PODS + pod + "/eviction").andReturn(code, "{}").always();
  }

  @ParameterizedTest
  @ValueSource(ints = {404, 409, 500})
  void aStepThatFailsIsNotDoneAndDoesNotDropTheOthers(int code) {
    answersTheEvictionOf("a", code);
    answersTheEvictionOf("b", 201);
    var unknown = new ReclaimStep.Resume("default/unknown");
    var b = new ReclaimStep.Evict("uid-b", "c");

    assertThat(carryOut(() -> true, new ReclaimStep.Evict("uid-a", "c"), b, unknown))
        .containsExactly(b, unknown);
    assertThat(taken()).isEqualTo(1);
  }

  /** Without the right to write notices, one that is left over is no reason to try for ever. */
  @Test
  void aNoticeThatMayNotBeRemovedIsLeftAfterOneAttempt() throws InterruptedException {
    server
        .expect()
        .get()
        .withPath(PODS + "a")
        .andReturn(200, ApiWithoutRepetition.podOf("j", "a"))
        .always();
    server.expect().patch().withPath(PODS + "a/status").andReturn(403, "{}").always();
    var withdraw = new ReclaimStep.Withdraw("uid-a");

    carryOut(() -> true, withdraw);
    int first = server.getRequestCount();
    assertThat(ApiWithoutRepetition.sent(server, 0)).anyMatch(it -> it.startsWith("PATCH"));
    carryOut(() -> true, withdraw);

    assertThat(server.getRequestCount()).isEqualTo(first);
    carryOut(() -> true);
    carryOut(() -> true, withdraw);
    assertThat(server.getRequestCount()).as("another notice, later").isGreaterThan(first);
  }

  /** Otherwise the last event would be a notice that does not stand. */
  @Test
  void theWithdrawalOfASecondNoticeIsAnEventOfItsOwn() throws InterruptedException {
    server
        .expect()
        .get()
        .withPath(PODS + "a")
        .andReturn(200, ApiWithoutRepetition.podOf("j", "a"))
        .always();
    server.expect().patch().withPath(PODS + "a/status").andReturn(200, "{}").always();
    for (var at : List.of("2026-11-23T12:01:00Z", "2026-11-23T12:09:00Z")) {
      var notice = Map.of(PodTerms.AT, at, PodTerms.FOR, "c");
      pods.put("uid-a", PodTerms.of(ApiWithoutRepetition.pod("a", notice)));
      carryOut(() -> true, new ReclaimStep.Withdraw("uid-a"));
    }

    assertThat(ApiWithoutRepetition.sent(server, 0))
        .filteredOn(it -> it.contains("ReclaimWithdrawn"))
        .hasSize(2)
        .anySatisfy(it -> assertThat(it).contains("no longer needed at 2026-11-23T12:01:00Z;"))
        .anySatisfy(it -> assertThat(it).contains("no longer needed at 2026-11-23T12:09:00Z;"));
  }

  @Test
  void aDefectInAStepDoesNotDropTheOthers() {
    answersTheEvictionOf("b", 201);
    var unknownClaim = new ReclaimStep.Ask("unknown");
    var b = new ReclaimStep.Evict("uid-b", "c");

    assertThat(carryOut(() -> true, unknownClaim, b)).containsExactly(b);
  }

  @ParameterizedTest
  @ValueSource(ints = {403, 422, 429})
  void aRefusedEvictionIsNoTaking(int code) {
    answersTheEvictionOf("a", code);

    carryOut(() -> true, new ReclaimStep.Evict("uid-a", "c"));

    assertThat(taken()).isZero();
    assertThat(actions.refused(NOW.plus(ProtectedPods.UNTIL_OTHERS).minusSeconds(1))).isEmpty();
    assertThat(actions.refused(NOW.plus(ProtectedPods.UNTIL_OTHERS))).containsExactly("uid-a");
    assertThat(actions.refused(NOW.plusSeconds(3601))).isEmpty();
  }

  @Test
  void aReplicaThatNoLongerAnswersTakesNothing() {
    carryOut(() -> false, new ReclaimStep.Evict("uid-a", "c"), SUSPEND);

    assertThat(server.getRequestCount()).isZero();
    assertThat(taken()).isZero();
  }

  @Test
  void aJobThatHasChangedIsNotTakenInThisRound() {
    server
        .expect()
        .get()
        .withPath(JOB)
        .andReturn(200, ApiWithoutRepetition.job("j", Map.of(), false))
        .always();
    server.expect().patch().withPath(JOB).andReturn(409, "").always();

    assertThat(carryOut(() -> true, SUSPEND)).isEmpty();
    assertThat(taken()).isZero();
  }

  @Test
  void podsOfAJobThatKueueRunsAreEvicted() {
    server
        .expect()
        .get()
        .withPath(JOB)
        .andReturn(
            200, ApiWithoutRepetition.job("j", Map.of("kueue.x-k8s.io/queue-name", "q"), false))
        .always();
    answersTheEvictionOf("a", 201);
    answersTheEvictionOf("b", 201);

    carryOut(() -> true, SUSPEND);

    assertThat(taken()).isEqualTo(2);
  }

  @Test
  void aNoticeThatWasNotWrittenIsNotDoneAndOneThatWasWrittenLateIsAsLong()
      throws InterruptedException {
    var b = ApiWithoutRepetition.podOf("j", "b");
    server.expect().get().withPath(PODS + "b").andReturn(200, b).always();
    server.expect().patch().withPath(PODS + "b/status").andReturn(200, "{}").always();
    var toA = new ReclaimStep.Notify("uid-a", new Notice("c", NOW));
    var toB = new ReclaimStep.Notify("uid-b", new Notice("c", NOW));

    var late = new ReclaimStep.Notify("uid-b", new Notice("c", NOW.plusSeconds(7)));

    assertThat(carryOut(() -> true, toA, toB)).containsExactly(late);
    assertThat(ApiWithoutRepetition.sent(server, 0))
        .anyMatch(it -> it.startsWith("PATCH") && it.contains(NOW.plusSeconds(7).toString()));
  }

  /** Of a controller that is down, or that leaves what has ended. */
  @ParameterizedTest
  @CsvSource({"1, false", "599, false", "600, true", "-3600, true"})
  void podsThatStayThoughTheirWorkloadWasSuspendedAreEvictedAfterTenMinutes(
      int secondsAgo, boolean isEvicted) throws InterruptedException {
    var job = ApiWithoutRepetition.job("j", Map.of(SuspendedWorkloads.LABEL, "true"), true);
    var since = Map.of(SuspendedWorkloads.AT, NOW.minusSeconds(secondsAgo).toString());
    job.getMetadata().setAnnotations(since);
    server.expect().get().withPath(JOB).andReturn(200, job).always();
    answersTheEvictionOf("a", 201);
    answersTheEvictionOf("b", 201);

    carryOut(() -> true, SUSPEND);

    var sent = ApiWithoutRepetition.sent(server, 0);
    assertThat(sent).filteredOn(it -> it.contains("/eviction")).hasSize(isEvicted ? 2 : 0);
    assertThat(sent)
        .filteredOn(it -> it.contains("Job default/j is suspended"))
        .hasSize(isEvicted ? 2 : 0);
    assertThat(taken()).isEqualTo(2);
  }

  @Test
  void podsThatStayThoughTheirOwnerHasSuspendedThemAreEvicted() {
    var job = ApiWithoutRepetition.job("j", Map.of(), true);
    server.expect().get().withPath(JOB).andReturn(200, job).always();
    answersTheEvictionOf("a", 201);
    answersTheEvictionOf("b", 201);

    carryOut(() -> true, SUSPEND);

    assertThat(taken()).isEqualTo(2);
  }

  /** Rights, policies and webhooks answer the same next time. */
  @ParameterizedTest
  @ValueSource(ints = {400, 403, 422})
  void podsOfAJobWhoseSuspensionIsRefusedAreEvicted(int code) {
    server
        .expect()
        .get()
        .withPath(JOB)
        .andReturn(200, ApiWithoutRepetition.job("j", Map.of(), false))
        .always();
    server.expect().patch().withPath(JOB).andReturn(code, "{}").always();
    answersTheEvictionOf("a", 201);
    answersTheEvictionOf("b", 201);

    carryOut(() -> true, SUSPEND);

    assertThat(taken()).isEqualTo(2);
  }
}
