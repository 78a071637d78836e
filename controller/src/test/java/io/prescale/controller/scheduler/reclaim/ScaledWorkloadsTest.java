package io.prescale.controller.scheduler.reclaim;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.prescale.controller.MockApi;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.inventory.Pods;
import io.prescale.placement.notice.CardHolder;
import io.prescale.placement.notice.ReclaimPolicy;
import io.prescale.placement.notice.ReclaimStep;
import io.prometheus.client.CollectorRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Four pods with cards, p0 to p3, of a workload of six replicas; some of them are to leave. */
@MockApi
@NullUnmarked // the extension sets the client and the server
class ScaledWorkloadsTest {
  private static final Instant NOW = Instant.parse("2026-11-23T12:00:00Z");
  private static final String PODS = "/api/v1/namespaces/default/pods/";
  private static final String OBJECT = "/apis/apps/v1/namespaces/default/deployments/j";
  private static final String HPAS =
      "/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers";
  private static final String KEEPING_TWO =
      "{metadata: {annotations: {gpu.prescale.io/min-replicas: \"2\"}}}";
  private static final String ROLLED_OUT = "{replicas: 6, updatedReplicas: 6}";

  private final Takings takings = new Takings(new ReclaimMetrics(new CollectorRegistry()));
  private KubernetesMockServer server;
  private KubernetesClient client;
  private Map<String, PodTerms> pods;
  private InstalledKinds kinds;
  private ReclaimActions actions;
  private SuspendableKind kind = SuspendableKind.DEPLOYMENT;
  private int minutes;

  @BeforeEach
  void withoutRepetitions() {
    var api = ApiWithoutRepetition.of(client);
    pods =
        IntStream.range(0, 4)
            .mapToObj(ScaledWorkloadsTest::pod)
            .collect(Collectors.toMap(PodTerms::uid, Function.identity()));
    kinds = new InstalledKinds(api, Runnable::run);
    actions =
        new ReclaimActions(
            new ReclaimWriter(api),
            new SuspendedWorkloads(api),
            kinds,
            takings,
            uid -> Optional.ofNullable(pods.get(uid)),
            true,
            () -> NOW);
    installed("apps/v1", "deployments");
    for (int pod = 0; pod < 4; pod++) {
      var made = ApiWithoutRepetition.pod("p" + pod, Map.of());
      server.expect().get().withPath(PODS + "p" + pod).andReturn(200, made).always();
      server.expect().patch().withPath(PODS + "p" + pod + "/status").andReturn(200, "{}").always();
      server.expect().post().withPath(PODS + "p" + pod + "/eviction").andReturn(201, "{}").always();
    }
  }

  private void installed(String version, String plural) {
    server
        .expect()
        .get()
        .withPath("/apis/" + version)
        .andReturn(200, "{\"resources\": [{\"name\": \"%s\"}]}".formatted(plural))
        .always();
    kinds.at(NOW.plusSeconds(60L * ++minutes));
  }

  private static PodTerms pod(int ordinal) {
    return PodTerms.of(
        new PodBuilder(ApiWithoutRepetition.pod("p" + ordinal, Map.of(Elasticity.MINIMUM, "2")))
            .editMetadata()
            .addToLabels("leaderworkerset.sigs.k8s.io/group-index", Integer.toString(ordinal))
            .endMetadata()
            .build());
  }

  private static GenericKubernetesResource workload(int replicas, String metadata, String status) {
    return ApiWithoutRepetition.workload(
        "Deployment",
        metadata,
        "{replicas: %d, template: %s}\nstatus: %s".formatted(replicas, KEEPING_TWO, status));
  }

  private void there(GenericKubernetesResource object) {
    there(object, "");
  }

  private void there(GenericKubernetesResource object, String autoscalers) {
    server
        .expect()
        .get()
        .withPath(HPAS)
        .andReturn(200, "{\"items\": [%s]}".formatted(autoscalers))
        .always();
    server.expect().get().withPath(OBJECT).andReturn(200, object).always();
    server.expect().patch().withPath(OBJECT).andReturn(200, object).always();
  }

  private static String scaled(int before, int left, Instant at) {
    var one = SuspendedPods.of(List.of(asking("earlier"))).text().replace("'", "''");
    return """
    , labels: {gpu.prescale.io/suspended: "true"}, annotations: {gpu.prescale.io/replicas-before: "%d",
      gpu.prescale.io/replicas-left: "%d", gpu.prescale.io/suspended-at: "%s",
      gpu.prescale.io/suspended-pods: '%s'}\
    """
        .formatted(before, left, at, one);
  }

  private static PodFacts asking(String uid) {
    return Pods.asking(uid, Map.of("nvidia.com/gpu", 1L));
  }

  private List<String> shrink(int... leaving) throws InterruptedException {
    var owner = new Ownership.By(new Suspendable(kind, "default", "j", "uid-j"));
    var uids = IntStream.of(leaving).mapToObj(pod -> "uid-p" + pod).collect(Collectors.toSet());
    actions.carryOut(
        List.of(new ReclaimStep.Shrink(owner.whole().key(), uids, "c")),
        new ReclaimScene(
            pods.keySet().stream()
                .map(uid -> holder(uid, owner))
                .collect(Collectors.toMap(CardHolder::uid, Function.identity())),
            Map.of(),
            asked -> asked.stream().map(ScaledWorkloadsTest::asking).toList(),
            _ -> owner,
            () -> true,
            NOW));
    return ApiWithoutRepetition.sent(server, 0);
  }

  private static CardHolder holder(String uid, Ownership.By owner) {
    var key = Optional.of(owner.whole().key());
    return new CardHolder(
        uid,
        "batch",
        1000,
        ReclaimPolicy.Mode.ACT,
        false,
        Duration.ZERO,
        Duration.ZERO,
        Optional.empty(),
        key,
        key,
        true);
  }

  private static JsonNode bodyOf(List<String> sent, String request) throws Exception {
    var found = sent.stream().filter(it -> it.startsWith(request)).toList();
    assertThat(found).hasSize(1);
    return new ObjectMapper().readTree(found.getFirst().substring(request.length() + 1));
  }

  private static Stream<String> evicted(List<String> sent) {
    return sent.stream().filter(it -> it.contains("/eviction"));
  }

  /** The two replicas that wait go as well, since the controller would remove them first. */
  @Test
  void replicasAndWhatTheyWereAreOneWriteAfterThePodsThatGoAreMarked() throws Exception {
    there(workload(6, "", ROLLED_OUT));
    var sent = shrink(1, 3);

    var body = bodyOf(sent, "PATCH " + OBJECT);
    assertThat(body.path("spec")).hasToString("{\"replicas\":2}");
    assertThat(body.at("/metadata/resourceVersion").asText()).isEqualTo("7");
    var annotations = body.at("/metadata/annotations");
    assertThat(annotations.path(ScaledReplicas.BEFORE).asText()).isEqualTo("6");
    assertThat(annotations.path(ScaledReplicas.LEFT).asText()).isEqualTo("2");
    assertThat(SuspendedPods.read(annotations.path(SuspendedWorkloads.PODS).asText()))
        .hasValueSatisfying(it -> assertThat(it.alike().getFirst().pods()).isEqualTo(2));
    for (var pod : new String[] {"p1", "p3"}) {
      var cost = bodyOf(sent, "PATCH " + PODS + pod + "/status").at("/metadata/annotations");
      assertThat(cost)
          .hasToString("{\"controller.kubernetes.io/pod-deletion-cost\":\"-2147483648\"}");
    }
    assertThat(sent.getLast()).startsWith("PATCH " + OBJECT);
    assertThat(takings.inTheHour("batch", NOW)).isEqualTo(2);
  }

  @Test
  void oneThatIsScaledDownAgainIsToHaveWhatItHadAtFirst() throws Exception {
    there(workload(5, scaled(6, 5, NOW), "{replicas: 5, updatedReplicas: 5}"));

    var annotations = bodyOf(shrink(3), "PATCH " + OBJECT).at("/metadata/annotations");
    assertThat(annotations.path(ScaledReplicas.BEFORE).asText()).isEqualTo("6");
    assertThat(annotations.path(ScaledReplicas.LEFT).asText()).isEqualTo("3");
    assertThat(SuspendedPods.read(annotations.path(SuspendedWorkloads.PODS).asText()))
        .hasValueSatisfying(
            it ->
                assertThat(it.alike().stream().mapToInt(SuspendedPods.Alike::pods))
                    .containsExactly(2));
  }

  /** Its owner has made seven of five. */
  @Test
  void whatAnOwnerHasWrittenSinceIsWhatItIsToHave() throws Exception {
    there(workload(7, scaled(6, 5, NOW), "{replicas: 7, updatedReplicas: 7}"));

    var annotations = bodyOf(shrink(3), "PATCH " + OBJECT).at("/metadata/annotations");
    assertThat(annotations.path(ScaledReplicas.BEFORE).asText()).isEqualTo("7");
    assertThat(annotations.path(SuspendedWorkloads.PODS).asText()).doesNotContain("},{");
  }

  @Test
  void anAutoscalerIsNotFoughtAndThePodsAreEvictedWithThatReason() throws Exception {
    var target = "{\"kind\": \"Deployment\", \"name\": \"j\"}";
    there(workload(6, "", ROLLED_OUT), "{\"spec\": {\"scaleTargetRef\": %s}}".formatted(target));
    var sent = shrink(1, 3);

    assertThat(evicted(sent)).hasSize(2);
    assertThat(sent).noneMatch(it -> it.startsWith("PATCH"));
    assertThat(sent)
        .filteredOn(it -> it.contains("HorizontalPodAutoscaler scales Deployment default/j"))
        .hasSize(2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | {replicas: 6, updatedReplicas: 3}",
        "', labels: {kueue.x-k8s.io/queue-name: q}' | " + ROLLED_OUT,
        "', ownerReferences: [{kind: InferenceService, controller: true}]' | " + ROLLED_OUT,
      })
  void oneThatIsRolledOutOrThatOthersRunLosesItsPodsOneByOne(String metadata, String status)
      throws Exception {
    there(workload(6, metadata, status));
    var sent = shrink(1, 3);

    assertThat(evicted(sent)).hasSize(2);
    assertThat(sent).noneMatch(it -> it.startsWith("PATCH"));
  }

  /** An extender that was killed after the write, or a round before the pods are seen to leave. */
  @ParameterizedTest
  @CsvSource({"4, 1, 0", "2, 1, 2", "4, 599, 0", "4, 600, 2"})
  void aWriteThatWasMadeIsWaitedForAndPodsThatStayAreEvicted(
      int stillThere, int secondsAgo, int evictions) throws Exception {
    var status = "{replicas: %1$d, updatedReplicas: %1$d}".formatted(stillThere);
    there(workload(2, scaled(6, 2, NOW.minusSeconds(secondsAgo)), status));

    var sent = shrink(1, 3);

    assertThat(evicted(sent)).hasSize(evictions);
    assertThat(sent).noneMatch(it -> it.startsWith("PATCH"));
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 403, 422})
  void podsOfOneWhoseScalingIsRefusedAreEvicted(int code) throws Exception {
    server.expect().patch().withPath(OBJECT).andReturn(code, "{}").always();
    there(workload(6, "", ROLLED_OUT));

    assertThat(evicted(shrink(1, 3))).hasSize(2);
  }

  /** Its controller removes the last groups; those beyond the replicas wanted leave already. */
  @ParameterizedTest
  @CsvSource({"4, 2, 3, 2", "4, 1, 3, -1", "4, 3, 3, 3", "3, 2, 2, 2", "4, 2, 2, -1"})
  void ofALeaderWorkerSetTheLastGroupsGoOrItIsNotScaled(int wanted, int one, int two, int left)
      throws Exception {
    kind = SuspendableKind.LEADER_WORKER_SET;
    installed("leaderworkerset.x-k8s.io/v1", "leaderworkersets");
    var path = "/apis/leaderworkerset.x-k8s.io/v1/namespaces/default/leaderworkersets/j";
    var object = workload(wanted, "", "{replicas: 4, updatedReplicas: 4}");
    server.expect().get().withPath(path).andReturn(200, object).always();
    server.expect().patch().withPath(path).andReturn(200, object).always();
    there(object);
    var sent = shrink(one, two);

    assertThat(evicted(sent)).hasSize(left >= 0 ? 0 : one == two ? 1 : 2);
    assertThat(sent).noneMatch(it -> it.contains("deletion-cost"));
    if (left >= 0) {
      assertThat(bodyOf(sent, "PATCH " + path).at("/spec/replicas").asInt()).isEqualTo(left);
    }
  }
}
