package io.prescale.controller.scheduler.reclaim;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.prescale.controller.MockApi;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** From a pod that declares a minimum to what is scaled down. */
@MockApi
@NullUnmarked // the extension sets the client and the server
class ElasticOwnersTest {
  private static final Instant NOW = Instant.parse("2026-11-24T12:00:00Z");
  private static final String APPS = "/apis/apps/v1/namespaces/default/";
  private static final Map<String, String> MINIMUM = Map.of(Elasticity.MINIMUM, "1");

  private KubernetesMockServer server;
  private KubernetesClient client;
  private Owners owners;

  @BeforeEach
  void bothKinds() {
    var api = ApiWithoutRepetition.of(client);
    var kinds = new InstalledKinds(api, Runnable::run);
    serve("apps/v1", "deployments");
    serve("leaderworkerset.x-k8s.io/v1", "leaderworkersets");
    kinds.at(NOW);
    owners = new Owners(api, kinds, Runnable::run);
  }

  private void serve(String version, String plural) {
    server
        .expect()
        .get()
        .withPath("/apis/" + version)
        .andReturn(200, "{\"resources\": [{\"name\": \"%s\"}]}".formatted(plural))
        .always();
  }

  private void object(String path, String kind, String name, String owner) {
    var object = ApiWithoutRepetition.workload(kind, owner, "{}");
    object.getMetadata().setName(name);
    object.getMetadata().setUid("uid-" + name);
    server.expect().get().withPath(path + "/" + name).andReturn(200, object).always();
  }

  private static String ownedBy(String version, String kind, String name) {
    return ", ownerReferences: [{apiVersion: %s, kind: %s, name: %s, uid: uid-%s, controller: true}]"
        .formatted(version, kind, name, name);
  }

  private static PodTerms pod(String kind, String owner, Map<String, String> annotations) {
    return PodTerms.of(
        new PodBuilder(ApiWithoutRepetition.podOf(owner, "p-" + owner))
            .editMetadata()
            .withAnnotations(annotations)
            .editFirstOwnerReference()
            .withApiVersion("apps/v1")
            .withKind(kind)
            .endOwnerReference()
            .endMetadata()
            .build());
  }

  private String found(PodTerms pod) {
    return owners.of(pod).workload().map(Suspendable::key).orElse("none");
  }

  @Test
  void aDeploymentIsFoundByItsReplicaSetOnlyForPodsThatDeclareAMinimum() {
    object(APPS + "replicasets", "ReplicaSet", "web-1", ownedBy("apps/v1", "Deployment", "web"));
    object(APPS + "deployments", "Deployment", "web", "");
    var pods = List.of(pod("ReplicaSet", "web-1", MINIMUM), pod("ReplicaSet", "x-1", Map.of()));
    int before = server.getRequestCount();

    owners.read(pods, NOW);

    assertThat(pods).extracting(this::found).containsExactly("Deployment default/web", "none");
    assertThat(owners.of(pods.getLast()).isUnknown()).isFalse();
    assertThat(server.getRequestCount() - before).isEqualTo(2);
  }

  /** Workers are of a StatefulSet that their leader owns, which is of one of the whole. */
  @Test
  void aLeaderWorkerSetIsFoundForItsLeadersAndWorkers() {
    var set = ownedBy("leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet", "llm");
    object(APPS + "statefulsets", "StatefulSet", "llm-leaders", set);
    object(
        "/api/v1/namespaces/default/pods",
        "Pod",
        "llm-0",
        ownedBy("apps/v1", "StatefulSet", "llm-leaders"));
    object(APPS + "statefulsets", "StatefulSet", "llm-0-workers", ownedBy("v1", "Pod", "llm-0"));
    object(
        "/apis/leaderworkerset.x-k8s.io/v1/namespaces/default/leaderworkersets",
        "LeaderWorkerSet",
        "llm",
        "");
    var pods =
        List.of(
            pod("StatefulSet", "llm-leaders", MINIMUM),
            pod("StatefulSet", "llm-0-workers", MINIMUM));

    owners.read(pods, NOW);

    assertThat(pods).extracting(this::found).containsOnly("LeaderWorkerSet default/llm");
  }

  /** Users write the owners of bare pods as they like; they would never be taken. */
  @Test
  void aPodThatNamesADeploymentButNoMinimumIsOfNoWorkload() {
    object(APPS + "deployments", "Deployment", "web", "");
    var pod = pod("Deployment", "web", Map.of());
    var declaring = pod("Deployment", "web", MINIMUM);

    owners.read(List.of(pod, declaring), NOW);

    assertThat(found(pod)).isEqualTo("none");
    assertThat(owners.of(pod).isUnknown()).isFalse();
    assertThat(Owners.assumed(pod).workload()).isEmpty();
    assertThat(found(declaring)).isEqualTo("Deployment default/web");
  }

  @Test
  void aReplicaSetOfNoDeploymentLosesItsPodsOneByOne() {
    object(APPS + "replicasets", "ReplicaSet", "alone", "");
    var pod = pod("ReplicaSet", "alone", MINIMUM);

    owners.read(List.of(pod), NOW);

    assertThat(found(pod)).isEqualTo("none");
    assertThat(owners.of(pod).isUnknown()).isFalse();
  }
}
