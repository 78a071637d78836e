package io.prescale.controller.operator.scalein;

import static io.prescale.controller.operator.scalein.CostedPods.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.prescale.controller.MockApi;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.api.v1alpha1.ScaleInReason;
import io.prescale.controller.api.v1alpha1.ScaleInStatus;
import io.prescale.controller.api.v1alpha1.ScaleTargetRef;
import io.prescale.controller.autoscaling.CycleResult;
import io.prescale.controller.autoscaling.Explanation;
import io.prescale.controller.autoscaling.ForecastSummary;
import io.prescale.controller.autoscaling.HpaVerdict;
import io.prescale.controller.autoscaling.LeadTime;
import io.prescale.controller.autoscaling.ScalingDecision;
import io.prescale.controller.fairness.WriteTurns;
import io.prescale.controller.operator.status.CountedWrites;
import io.prescale.controller.telemetry.Telemetry;
import io.prescale.forecasting.online.ForecastParts;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** What is written to pods, and what is said of it. */
@MockApi
@NullUnmarked // the extension sets client and server
class ScaleInsTest {
  private static final Instant NOON = Instant.parse("2026-11-24T12:00:00Z");
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final ScaleTargetRef CHAT = new ScaleTargetRef("apps/v1", "Deployment", "chat");
  private static final Work WORK = new Work.Known(Map.of("a", 9.0, "b", 0.0, "c", 4.0));

  private KubernetesClient client;
  private KubernetesMockServer server;
  private final CountedWrites writes =
      new CountedWrites(
          new Telemetry(Clock.systemUTC()), new WriteTurns(16, () -> 1, System::nanoTime));

  @Test
  void appliesTheCostOfTheIdlestPodAndNothingElse() throws Exception {
    server.expect().patch().withPath(path("b")).andReturn(200, "{}").once();

    var status = mark("Active", pods(), 3, asking(2), WORK);

    var request = server.takeRequest(1, TimeUnit.SECONDS);
    assertThat(request.getHeader("Content-Type")).startsWith("application/apply-patch+yaml");
    JsonNode body = JSON.readTree(request.getBody().readUtf8());
    assertThat(body.at("/metadata/uid").asText()).isEqualTo("uid-b");
    assertThat(body.at("/metadata/annotations").toString())
        .isEqualTo("{\"controller.kubernetes.io/pod-deletion-cost\":\"-100\"}");
    assertThat(body.has("spec")).isFalse();
    assertThat(server.getRequestCount()).isOne();
    assertThat(status)
        .contains(
            new ScaleInStatus(
                ScaleInReason.Marked,
                "1 of 3 serving pods could go; those with the least work go first (known of 3).",
                CHAT));
  }

  @Test
  void aRefusalNamesTheRemedyAndEndsTheRound() {
    refuse("b", 403, "pods \"b\" is forbidden");

    var status = mark("Active", pods(), 3, asking(1), WORK).orElseThrow();

    assertThat(status.reason()).isEqualTo(ScaleInReason.Refused);
    assertThat(status.message())
        .isEqualTo(
            "Prescale may not mark pods; set deletionCosts.enabled of the chart. The API server"
                + " said: pods \"b\" is forbidden");
    assertThat(server.getRequestCount()).isOne();
  }

  @Test
  void aPodThatIsGoneOrHasBecomeAnothersIsPassedOver() {
    refuse("b", 409, "uid mismatch");
    server.expect().patch().withPath(path("c")).andReturn(200, "{}").once();

    assertThat(mark("Active", pods(), 3, asking(1), WORK))
        .map(ScaleInStatus::reason)
        .contains(ScaleInReason.Marked);
    assertThat(server.getRequestCount()).isEqualTo(2);
  }

  @Test
  void theCostOfAnotherIsLeftAndItsPodTooInEveryMode() {
    var theirs = List.of(pod("b", "7", "kubectl-annotate"));

    assertThat(mark("Active", theirs, 1, asking(0), WORK))
        .map(ScaleInStatus::reason)
        .contains(ScaleInReason.WorkUnknown);
    mark("Shadow", theirs, 1, asking(0), WORK);
    assertThat(server.getRequestCount()).isZero();
  }

  @Test
  void whatCannotBeToldIsNotGuessed() {
    var marked = List.of(pod("a", "-100", "prescale"), pod("b"));

    var status = mark("Active", marked, 2, asking(1), new Work.Unknown("No answer within 10 s."));

    assertThat(status)
        .contains(
            new ScaleInStatus(
                ScaleInReason.WorkUnknown, "No pod is marked anew: No answer within 10 s.", CHAT));
    assertThat(mark("Active", pods(), 3, asking(1), new Work.Known(Map.of("z", 1.0))))
        .map(ScaleInStatus::reason)
        .contains(ScaleInReason.WorkUnknown);
    assertThat(server.getRequestCount()).isZero();
  }

  @Test
  void inShadowModeAndWithoutTheWishMarksAreRemoved() throws Exception {
    var marked = List.of(pod("a", "-100", "prescale"), pod("b"));
    server.expect().patch().withPath(path("a")).andReturn(200, "{}").times(3);

    assertThat(mark("Shadow", marked, 2, asking(1), new Work.NotAsked()))
        .map(ScaleInStatus::reason)
        .contains(ScaleInReason.ShadowMode);
    var body = JSON.readTree(server.takeRequest().getBody().readUtf8());
    assertThat(body.at("/metadata/annotations").isMissingNode()).isTrue();

    var unwished = chat("Active", "None");
    assertThat(scaleIns().mark(unwished, marked, 2, asking(1), new Work.NotAsked(), NOON))
        .isEmpty();
    scaleIns().release(chat("Active", "WorkInFlight"), marked);
    assertThat(server.getRequestCount()).isEqualTo(3);
  }

  /** The API server's clock says when a mark was written. */
  @Test
  void marksOfAClockThatIsAheadAreRemovedToo() {
    server.expect().patch().withPath(path("a")).andReturn(200, "{}").once();

    var before = NOON.minus(Duration.ofHours(1));
    var marked = List.of(pod("a", "-100", "prescale"));
    var said =
        scaleIns()
            .mark(chat("Shadow", "WorkInFlight"), marked, 1, asking(1), new Work.NotAsked(), before)
            .orElseThrow();

    assertThat(server.getRequestCount()).isOne();
    assertThat(said.marked()).as("until it has been seen without").isEqualTo(CHAT);
    assertThat(mark("Shadow", pods(), 3, asking(3), new Work.NotAsked()))
        .map(ScaleInStatus::marked)
        .isEmpty();
  }

  @Test
  void whatTheApiServerCannotAnswerNowIsReleasedAnotherTime() {
    var marked = List.of(pod("a", "-100", "prescale"));
    refuse("a", 500, "etcd is away");
    refuse("a", 403, "pods \"a\" is forbidden");

    var leaving = chat("Active", "WorkInFlight");
    var config =
        new ConfigBuilder(client.getConfiguration()).withRequestRetryBackoffLimit(0).build();
    try (var once = new KubernetesClientBuilder().withConfig(config).build()) {
      var costs = new ScaleIns(once, _ -> true, writes);
      assertThatThrownBy(() -> costs.release(leaving, marked)).hasMessageContaining("etcd is away");
      costs.release(leaving, marked); // what no other attempt would mend
    }
    assertThat(server.getRequestCount()).isEqualTo(2);
  }

  @Test
  void aReplicaThatDoesNotLeadWritesNothing() {
    var follower = new ScaleIns(client, _ -> false, writes);

    var _ = follower.mark(chat("Active", "WorkInFlight"), pods(), 3, asking(1), WORK, NOON);

    assertThat(server.getRequestCount()).isZero();
  }

  @Test
  void aScaleInIsNearWhenFewerAreAskedForOrEvenTheHighForecastNeedsFewer() {
    assertThat(ScaleIns.leaving(5, 1, asking(3))).isEqualTo(2);
    assertThat(ScaleIns.leaving(5, 1, asking(5))).isZero();
    assertThat(ScaleIns.leaving(5, 1, asking(8))).isZero();
    assertThat(ScaleIns.leaving(5, 1, asking(5, 11))).as("11 need 3 replicas of 4").isEqualTo(2);
    assertThat(ScaleIns.leaving(5, 4, asking(5, 11))).as("with 4 at least").isEqualTo(1);
    assertThat(ScaleIns.leaving(5, 1, asking(5, 20))).isZero();
    assertThat(ScaleIns.leaving(5, 1, result(OptionalInt.empty(), Optional.empty()))).isZero();
  }

  private Optional<ScaleInStatus> mark(
      String mode, List<Pod> pods, int wanted, CycleResult result, Work work) {
    return scaleIns().mark(chat(mode, "WorkInFlight"), pods, wanted, result, work, NOON);
  }

  private ScaleIns scaleIns() {
    return new ScaleIns(client, _ -> true, writes);
  }

  private void refuse(String pod, int code, String message) {
    var status = new StatusBuilder().withCode(code).withMessage(message).build();
    server.expect().patch().withPath(path(pod)).andReturn(code, status).once();
  }

  private static String path(String pod) {
    return "/api/v1/namespaces/team/pods/" + pod + "?fieldManager=prescale";
  }

  private PredictiveHPA chat(String mode, String cost) {
    return client
        .getKubernetesSerialization()
        .unmarshal(
            """
            apiVersion: autoscaling.prescale.io/v1alpha1
            kind: PredictiveHPA
            metadata: {namespace: team, name: chat, uid: uid-1}
            spec:
              scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: chat}
              maxReplicas: 9
              mode: %s
              metrics: [{name: load, preset: vllm, target: {averageValue: 4}}]
              scaleIn: {podDeletionCost: %s}
            """
                .formatted(mode, cost),
            PredictiveHPA.class);
  }

  private static List<Pod> pods() {
    return List.of(pod("a"), pod("b"), pod("c"));
  }

  private static CycleResult asking(int replicas) {
    return result(OptionalInt.of(replicas), Optional.empty());
  }

  /** With a forecast whose 99 % quantile is this, of replicas that carry 4 each. */
  private static CycleResult asking(int replicas, double p99) {
    var forecast =
        new ForecastSummary(
            NOON,
            Duration.ofMinutes(2),
            Duration.ofMinutes(5),
            p99 / 2,
            p99,
            p99,
            p99,
            new ForecastParts(p99, 0, 0, 0, 0, List.of()));
    return result(OptionalInt.of(replicas), Optional.of(explanation(forecast, replicas)));
  }

  private static Explanation explanation(ForecastSummary forecast, int replicas) {
    return new Explanation(
        NOON,
        "load",
        4.0 * replicas,
        Optional.of(forecast),
        ScalingDecision.Reason.NEVER_BELOW_OBSERVED,
        Optional.empty(),
        0,
        OptionalDouble.empty(),
        LeadTime.declared(Duration.ofMinutes(2)),
        4.0 * replicas,
        4,
        replicas,
        new HpaVerdict(replicas, HpaVerdict.Gate.NO_HPA, "There is none."),
        Optional.empty(),
        Optional.empty());
  }

  private static CycleResult result(OptionalInt desired, Optional<Explanation> explanation) {
    return new CycleResult(
        NOON,
        List.of(),
        desired,
        LeadTime.declared(Duration.ofMinutes(2)),
        Optional.empty(),
        explanation);
  }
}
