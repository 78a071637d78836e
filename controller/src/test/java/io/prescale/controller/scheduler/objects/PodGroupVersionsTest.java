package io.prescale.controller.scheduler.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.prescale.controller.MockApi;
import io.prescale.controller.cluster.CurrentWatches;
import io.prescale.controller.scheduler.facts.WrittenPodGroup;
import io.prescale.placement.inventory.Nodes;
import io.prescale.placement.inventory.PodFacts.Group;
import io.prescale.placement.inventory.Pods;
import io.prescale.placement.ledger.Candidates;
import io.prescale.placement.ledger.Ledger;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * In which version PodGroups are read; there is one of four pods in each version that is served.
 */
@MockApi(crud = true)
@Timeout(120)
@NullUnmarked // the extension sets the client and the server
class PodGroupVersionsTest {
  private final Ledger ledger = new Ledger(1);
  private final CurrentWatches watches = new CurrentWatches(InstantSource.system());
  private KubernetesMockServer server;
  private KubernetesClient client;

  @AfterEach
  void close() {
    watches.close();
  }

  /** As an API server of Kubernetes 1.36 or 1.37 answers, or an older one. */
  private void serve(String versions) {
    for (var kind : PodGroupFeed.POD_GROUPS) {
      var version = kind.getVersion();
      boolean isServed = versions.contains(version);
      server
          .expect()
          .get()
          .withPath("/apis/scheduling.k8s.io/" + version)
          .andReturn(
              200,
              "{\"resources\": [{\"name\": \"%s\"}]}"
                  .formatted(isServed ? "podgroups" : "priorityclasses"))
          .always();
      if (isServed) {
        var group = WrittenPodGroup.of("{schedulingPolicy: {gang: {minCount: 4}}}");
        group.setApiVersion("scheduling.k8s.io/" + version);
        group.getMetadata().setNamespace("default");
        group.getMetadata().setName(version);
        client.genericKubernetesResources(kind).resource(group).create();
      }
    }
  }

  /** Four pods of a group on a node of three cards. */
  private String refusal(String group) {
    var gang = Group.ofPodGroup(group);
    var pods =
        IntStream.range(0, 4)
            .mapToObj(member -> Pods.asking("p-" + member, Map.of("nvidia.com/gpu", 1L)))
            .map(pod -> Pods.inGroup(pod, gang.name(), gang.size()))
            .toList();
    pods.forEach(ledger::seen);
    var first = ledger.candidates(pods.getFirst(), List.of("a"), true, Instant.EPOCH, _ -> 0);
    return first instanceof Candidates.Nowhere nowhere
        ? nowhere.reasons().getOrDefault("a", "")
        : first.toString();
  }

  @ParameterizedTest
  @CsvSource({
    "v1alpha2, v1alpha2",
    "v1alpha3, v1alpha3",
    "v1beta1, v1beta1",
    "v1alpha3 v1alpha2, v1alpha3",
    "v1alpha2 v1alpha3 v1beta1, v1beta1"
  })
  void theFirstThatIsServedIsRead(String served, String read) throws InterruptedException {
    serve(served);
    ledger.seen(Nodes.a100("a", 3));

    PodGroupFeed.start(client, ledger, watches);

    await()
        .untilAsserted(
            () ->
                assertThat(refusal(read))
                    .isEqualTo("there is no room for all pods of group PodGroup/" + read));
    assertThat(versionsThatWereRead()).containsExactly(read);
    assertThat(ClusterObjects.read(client).of(GenericKubernetesResource.class))
        .extracting(group -> group.getMetadata().getName())
        .containsExactly(read);
  }

  /** Of the requests until now. */
  private Set<String> versionsThatWereRead() throws InterruptedException {
    var versions = new TreeSet<String>();
    for (var request = server.takeRequest(1, TimeUnit.MILLISECONDS);
        request != null;
        request = server.takeRequest(1, TimeUnit.MILLISECONDS)) {
      if (request.getMethod().equals("GET") && request.getPath().contains("/podgroups")) {
        versions.add(request.getPath().split("/", -1)[3]);
      }
    }
    return versions;
  }

  @ParameterizedTest
  @CsvSource("v1")
  void whereNoneIsServedNoneIsRead(String served) {
    serve(served);

    PodGroupFeed.start(client, ledger, watches);

    assertThat(watches.fault()).as("nothing is to be read").isEmpty();
    assertThat(ClusterObjects.read(client).of(GenericKubernetesResource.class)).isEmpty();
  }
}
