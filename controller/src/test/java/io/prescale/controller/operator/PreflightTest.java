package io.prescale.controller.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.APIResourceBuilder;
import io.fabric8.kubernetes.api.model.APIResourceListBuilder;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReview;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReviewBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.mockwebserver.http.RecordedRequest;
import io.prescale.controller.MockApi;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@MockApi
@NullUnmarked // the extension sets client and server
class PreflightTest {
  private static final String REVIEWS = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
  private static final String LEASES = "/apis/coordination.k8s.io/v1/namespaces/prescale/leases";

  private KubernetesClient client;
  private KubernetesMockServer server;

  @Test
  void saysHowToInstallTheDefinition() {
    assertThat(problem(Set.of()).orElseThrow())
        .isEqualTo(
            "The cluster does not know PredictiveHPAs; install their definition with `prescale crd"
                + " | kubectl apply --server-side -f -`.");
  }

  @Test
  void namesEveryPermissionThatIsMissing() {
    define();
    allow(verb -> !verb.contains("\"pods\"") && !verb.contains("\"delete\""));

    assertThat(problem(Set.of()).orElseThrow())
        .isEqualTo(
            "Prescale may not delete horizontalpodautoscalers of autoscaling, list pods; grant its"
                + " user or service account these permissions.");
    assertThat(problem(Set.of("team-b", "team-a")).orElseThrow())
        .contains(
            "delete horizontalpodautoscalers of autoscaling in namespace team-a, list pods in"
                + " namespace team-a, delete horizontalpodautoscalers of autoscaling in namespace"
                + " team-b");
  }

  @Test
  void aReplicaThatOnlyServesNeedsOnlyToWatch() {
    define();
    allow(review -> review.contains("\"predictivehpas\"") || review.contains("\"configmaps\""));

    assertThat(new Preflight(client).problem(settings(Set.of()), false)).isEmpty();
    assertThat(problem(Set.of()).orElseThrow())
        .contains("get leases of coordination.k8s.io named prescale in namespace prescale");
  }

  @Test
  void saysThatTheNamespaceOfTheLeaseIsMissing() {
    define();
    allow(_ -> true);
    server
        .expect()
        .post()
        .withPath(LEASES + "?dryRun=All")
        .andReturn(
            404,
            new StatusBuilder()
                .withCode(404)
                .withMessage("namespaces \"prescale\" not found")
                .build())
        .always();

    assertThat(problem(Set.of()).orElseThrow())
        .isEqualTo(
            "The Lease by which one replica leads cannot be in namespace prescale (namespaces"
                + " \"prescale\" not found); create the namespace, or name another with"
                + " --lease-namespace.");
  }

  @Test
  void isContentWithAClusterThatIsPrepared() {
    define();
    allow(_ -> true);
    server.expect().post().withPath(LEASES + "?dryRun=All").andReturn(201, "{}").always();

    assertThat(problem(Set.of("team"))).isEmpty();
  }

  @Test
  void aReplicaThatOnlyServesNeedsThePublishedValues() {
    define();
    allow(review -> review.contains("\"predictivehpas\""));

    assertThat(new Preflight(client).problem(settings(Set.of()), false).orElseThrow())
        .startsWith(
            "Prescale may not list configmaps in namespace prescale, watch configmaps in namespace"
                + " prescale;");
  }

  @Test
  void replicasThatShareTheWorkNeedTheLeasesOfShards() {
    define();
    allow(review -> !review.contains("prescale-shard-00") && !review.contains("prescale-replicas"));
    var sharing = settings(Set.of(), "me", true);

    assertThat(new Preflight(client).problem(sharing, true).orElseThrow())
        .startsWith(
            "Prescale may not patch configmaps named prescale-replicas in namespace prescale,"
                + " update leases of coordination.k8s.io named prescale-shard-00 in namespace"
                + " prescale;");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a b", "a/b", "ä", "a\nb"})
  void anIdentityThatIsNoKeyOfAConfigMapCannotShareTheWork(String identity) {
    assertThatThrownBy(() -> settings(Set.of(), identity, true))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("identity");
    assertThat(settings(Set.of(), identity, false).identity()).isEqualTo(identity);
  }

  private Optional<String> problem(Set<String> namespaces) {
    return new Preflight(client).problem(settings(namespaces), true);
  }

  private static ControllerSettings settings(Set<String> namespaces) {
    return settings(namespaces, "me", false);
  }

  private static ControllerSettings settings(
      Set<String> namespaces, String identity, boolean sharded) {
    return new ControllerSettings(
        Optional::empty, namespaces, "prescale", identity, sharded, TenantLimits.defaults());
  }

  private void define() {
    var resources =
        new APIResourceListBuilder()
            .withResources(new APIResourceBuilder().withName("predictivehpas").build())
            .build();
    server
        .expect()
        .get()
        .withPath("/apis/autoscaling.prescale.io/v1alpha1")
        .andReturn(200, resources)
        .always();
  }

  private void allow(Predicate<String> review) {
    server
        .expect()
        .post()
        .withPath(REVIEWS)
        .andReply(201, request -> answer(request, review))
        .always();
  }

  private static SelfSubjectAccessReview answer(
      RecordedRequest request, Predicate<String> allowed) {
    return new SelfSubjectAccessReviewBuilder()
        .withNewStatus()
        .withAllowed(allowed.test(request.getUtf8Body()))
        .endStatus()
        .build();
  }
}
