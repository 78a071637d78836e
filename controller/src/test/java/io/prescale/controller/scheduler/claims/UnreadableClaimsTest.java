package io.prescale.controller.scheduler.claims;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.prescale.controller.MockApi;
import io.prescale.controller.cluster.CurrentWatches;
import io.prescale.controller.cluster.KubernetesJson;
import io.prescale.placement.claims.Claim;
import io.prescale.placement.claims.ClaimLedger;
import io.prescale.placement.claims.Step;
import io.prescale.placement.cluster.NodeSpec.Readiness;
import io.prescale.placement.ledger.CardUse;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** One claim that a tenant has written so that it cannot be read, among others that can. */
@MockApi(crud = true)
@NullUnmarked // the extension sets the client and the server
class UnreadableClaimsTest {
  private static final String PATH = "/apis/resource.k8s.io/v1/resourceclaims";
  private static final String PATH_OF_NS = "/apis/resource.k8s.io/v1/namespaces/ns/resourceclaims";
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");

  /** The client library takes parameters with these two fields for an object of Kubernetes. */
  private static final String NO_OBJECT =
      "{\"apiVersion\":\"x/v1\",\"kind\":\"Y\",\"metadata\":\"boom\"}";

  /** As deep as parameters can be, which are of 10 KiB at most. */
  private static final String DEEP = "{\"a\":%s%s}".formatted("[".repeat(5_000), "]".repeat(5_000));

  private static final Map<String, String> BOTH =
      Map.of("GPU-0", "pod-of-bad", "GPU-1", "pod-of-good");

  private static final String SELECTOR =
      "{\"cel\":{\"expression\":\"%s\"}}".formatted("x".repeat(9_000));

  private KubernetesMockServer server;
  private KubernetesClient client;
  private final ClaimLedger ledger = new ClaimLedger();
  private final CurrentWatches watches = new CurrentWatches(() -> NOON);
  private AutoCloseable started = () -> {};

  @BeforeEach
  void createCards() {
    client.resource(read(ResourceSlice.class, slice())).create();
    client
        .resource(read(DeviceClass.class, "apiVersion: resource.k8s.io/v1\nmetadata: {name: card}"))
        .create();
    ledger.nodeSeen("n", Readiness.READY);
  }

  @AfterEach
  void close() throws Exception {
    watches.close();
    started.close();
  }

  static List<String> unreadable() {
    return List.of(NO_OBJECT, DEEP);
  }

  @ParameterizedTest
  @MethodSource("unreadable")
  void aListWithOneIsReadWithTheCardsOfAll(String parameters) {
    serveList(claim("bad", "gpu-0", parameters), claim("good", "gpu-1", "{}"));

    start();

    await().until(this::isComplete);
    await().until(() -> holders().equals(BOTH));
  }

  @Test
  void anEventWithOneStopsNoOther() {
    start();
    await().until(this::isComplete);

    client.raw(PATH_OF_NS, "POST", claim("bad", "gpu-0", NO_OBJECT));
    client.raw(PATH_OF_NS, "POST", claim("good", "gpu-1", "{}"));

    await().until(() -> holders().equals(BOTH));
  }

  @ParameterizedTest
  @MethodSource("unreadable")
  void anEventBringsNothingOfWhatCannotBeRead(String parameters) {
    var event = "{\"type\":\"ADDED\",\"object\":%s}".formatted(claim("x", "gpu-0", parameters));

    assertThat(ClaimsInBrief.JSON.event(event))
        .isEqualTo(
            """
            {"type":"ADDED","object":{"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim",\
            "metadata":{"namespace":"ns","name":"x","uid":"uid-x","resourceVersion":"1",\
            "annotations":{"resource.kubernetes.io/pod-claim-name":"gpu"},\
            "ownerReferences":[{"kind":"Pod","uid":"pod-of-x","controller":true}]},\
            "spec":{"devices":{"requests":[{"exactly":{"deviceClassName":"card",\
            "selectors":[]}}]}},"status":{"allocation":{"devices":{"results":[\
            {"driver":"d","pool":"n","device":"gpu-0"}]}}}}}\
            """);
  }

  /** Otherwise its cards would be promised to others, who would wait for them in vain. */
  @Test
  void oneThatIsTooLargeStillHoldsItsCards() {
    var selectors = IntStream.range(0, 20).mapToObj(_ -> SELECTOR).collect(Collectors.joining(","));
    var large = claim("large", "gpu-0", "{}").replace("\"selectors\":[]", "\"selectors\":[%s]");
    serveList(large.formatted(selectors));

    start();

    await().until(() -> holders().equals(Map.of("GPU-0", "")));
  }

  @ParameterizedTest
  @MethodSource("unreadable")
  void whatIsPinnedTakesOverWhatWasWritten(String parameters) {
    var claim = KubernetesJson.read(claim("pod-gpu-x", "gpu-0", parameters));

    ClaimWriter.pin(claim, pinned(claim("pod-gpu-x", "gpu-0", "{}")));

    assertThat(KubernetesJson.text(claim))
        .contains("\"config\":[{\"opaque\":{\"driver\":\"d\",\"parameters\":" + parameters)
        .contains("\"name\":\"pinned\"")
        .doesNotContain("status", "resourceVersion");
  }

  @Test
  void aPodWithOneGetsItsCards() {
    assertGetsItsCards(NO_OBJECT);
  }

  /** Those of its class and of another one, which are an administrator's. */
  @ParameterizedTest
  @MethodSource("unreadable")
  void soDoesAPodBesideClassesOfWhichOneCannotBeRead(String parameters) {
    var items = Stream.of("card", "other").map(it -> deviceClass(it, parameters)).toList();
    serve("/apis/resource.k8s.io/v1/deviceclasses", "DeviceClassList", items);

    assertGetsItsCards("{}");
  }

  private void assertGetsItsCards(String parameters) {
    var claim = claim("pod-gpu-x", "gpu-0", parameters);
    client.raw(PATH_OF_NS, "POST", claim.substring(0, claim.indexOf(",\"status\"")) + "}");
    var pods = client.pods().inAnyNamespace().runnableInformer(0);
    started =
        ClaimPlanner.start(
            client,
            client.nodes().runnableInformer(0),
            pods,
            _ -> Optional.empty(),
            ledger,
            () -> NOON,
            this::isComplete,
            watches);
    client.resource(pod()).create();
    pods.start();

    await().until(() -> client.raw(PATH_OF_NS), all -> !all.contains("\"pod-gpu-x\""));
    assertThat(client.raw(PATH_OF_NS))
        .containsOnlyOnce("\"parameters\":" + parameters)
        .containsOnlyOnce("\"gpu.prescale.io/node\":\"n\"");
    pods.stop();
  }

  private void start() {
    started =
        ClaimFeed.start(
            client,
            client.nodes().runnableInformer(0),
            client.pods().inAnyNamespace().runnableInformer(0),
            _ -> Optional.empty(),
            ledger,
            () -> {},
            watches);
  }

  private boolean isComplete() {
    return watches.fault().isEmpty();
  }

  /** Which pod has which card; none is known of a claim that is too large. */
  private Map<String, String> holders() {
    return ledger.uses().stream()
        .filter(card -> !card.parts().isEmpty())
        .collect(Collectors.toMap(CardUse::uuid, card -> card.parts().getFirst().holder()));
  }

  private void serveList(String... claims) {
    serve(PATH, "ResourceClaimList", List.of(claims));
  }

  private void serve(String path, String kind, List<String> items) {
    var list =
        """
        {"apiVersion":"resource.k8s.io/v1","kind":"%s",\
        "metadata":{"resourceVersion":"1"},"items":[%s]}\
        """
            .formatted(kind, String.join(",", items));
    server.expect().get().withPath(path + "?limit=500").andReturn(200, list).always();
  }

  private static String deviceClass(String name, String parameters) {
    return """
    {"apiVersion":"resource.k8s.io/v1","kind":"DeviceClass",\
    "metadata":{"name":"%1$s","uid":"uid-%1$s","resourceVersion":"1"},\
    "spec":{"config":[{"opaque":{"driver":"d","parameters":%2$s}}]}}\
    """
        .formatted(name, parameters);
  }

  private static Step.Pinned pinned(String like) {
    return new Step.Pinned(
        ClaimFacts.of(pod(), Optional.empty()).orElseThrow(),
        new Claim.Key("ns", "pinned"),
        ClaimFacts.of(read(ResourceClaim.class, like)),
        "d",
        new Claim.Pin("n", List.of("GPU-0")));
  }

  private static Pod pod() {
    return read(
        Pod.class,
        """
        metadata: {name: pod, namespace: ns, uid: pod-of-pod-gpu-x}
        spec:
          schedulingGates: [{name: gpu.prescale.io/cards}]
          resourceClaims: [{name: gpu, resourceClaimTemplateName: t}]
        status: {resourceClaimStatuses: [{name: gpu, resourceClaimName: pod-gpu-x}]}
        """);
  }

  private static String slice() {
    return """
    apiVersion: resource.k8s.io/v1
    kind: ResourceSlice
    metadata: {name: n}
    spec:
      driver: d
      nodeName: n
      pool: {name: n, generation: 1, resourceSliceCount: 1}
      devices:
      - {name: gpu-0, attributes: {uuid: {string: GPU-0}}, capacity: {memory: {value: 80Gi}}}
      - {name: gpu-1, attributes: {uuid: {string: GPU-1}}, capacity: {memory: {value: 80Gi}}}
    """;
  }

  private static String claim(String name, String card, String parameters) {
    return """
    {"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim",\
    "metadata":{"namespace":"ns","name":"%1$s","uid":"uid-%1$s","resourceVersion":"1",\
    "annotations":{"resource.kubernetes.io/pod-claim-name":"gpu"},\
    "ownerReferences":[{"apiVersion":"v1","kind":"Pod","name":"pod","uid":"pod-of-%1$s",\
    "controller":true}]},\
    "spec":{"devices":{"requests":[{"name":"gpu","exactly":{"deviceClassName":"card",\
    "selectors":[]}}],"config":[{"opaque":{"driver":"d","parameters":%3$s}}]}},\
    "status":{"allocation":{"devices":{"results":[{"request":"gpu","driver":"d","pool":"n",\
    "device":"%2$s"}],"config":[{"opaque":{"driver":"d","parameters":%3$s}}]}}}}\
    """
        .formatted(name, card, parameters);
  }

  private static <T> T read(Class<T> type, String yaml) {
    return Serialization.unmarshal(yaml, type);
  }
}
