package io.prescale.controller.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertAll;

import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.PodListBuilder;
import io.fabric8.kubernetes.api.model.authentication.TokenReviewBuilder;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReviewBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.prescale.adapter.api.ApiRequest;
import io.prescale.adapter.api.ExternalMetricsApi;
import io.prescale.adapter.api.InFlight;
import io.prescale.adapter.identity.CallerCredentials;
import io.prescale.adapter.identity.ReviewTtl;
import io.prescale.adapter.server.ListeningContext;
import io.prescale.controller.MockApi;
import io.prescale.controller.certificates.Certificates;
import io.prescale.controller.cluster.ClusterAccess;
import io.prescale.controller.demand.prometheus.SelfSigned;
import io.prescale.controller.operator.ControllerSettings;
import io.prescale.controller.operator.TenantLimits;
import io.prescale.controller.operator.hpa.HpaFeatures;
import io.prescale.controller.plan.cluster.PlanQuestion;
import io.prescale.controller.plan.live.AheadSettings;
import io.prescale.controller.plan.live.PlanSettings;
import io.prescale.controller.serving.AdapterSettings;
import io.prescale.controller.sharding.Shards;
import io.prescale.controller.web.Gatekeeper;
import io.prescale.controller.web.Gatekeeper.Verdict;
import io.prescale.controller.web.WebViews;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A replica whose control loop has all the requests under way that it may have, and they hang. */
@MockApi(crud = true)
@Timeout(240)
@NullUnmarked // the extension sets the client and the server
class SeparateClientsTest {
  /** More than a client has places, so that one request of each takes all of them. */
  private static final int HANGING = 100;

  /** For a minute: each waits for ten seconds. */
  private static final int REQUESTS_OF_EACH = 6;

  /** A renewal is due every 3.3 s at the latest, and may take until the seventh second. */
  private static final Duration RENEWED = Duration.ofSeconds(7);

  /** A heartbeat is due every 2 s, and each of its requests may take 5 s. */
  private static final Duration BEATEN = Duration.ofSeconds(7);

  private static final long ANSWER_SECONDS = 10;

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  @TempDir private Path folder;
  private KubernetesMockServer server;
  private KubernetesClient client;

  @BeforeEach
  void letPodsHangAndReviewsSucceed() {
    for (int i = 0; i < HANGING; i++) {
      server
          .expect()
          .get()
          .delay(60, TimeUnit.SECONDS)
          .withPath("/api/v1/namespaces/hanging-%d/pods".formatted(i))
          .andReturn(200, new PodListBuilder().build())
          .always();
    }
    var known =
        new TokenReviewBuilder()
            .withNewStatus()
            .withAuthenticated(true)
            .withNewUser()
            .withUsername("alice")
            .endUser()
            .endStatus()
            .build();
    var allowed =
        new SubjectAccessReviewBuilder().withNewStatus().withAllowed(true).endStatus().build();
    server
        .expect()
        .post()
        .withPath("/apis/authentication.k8s.io/v1/tokenreviews")
        .andReturn(201, known)
        .always();
    server
        .expect()
        .post()
        .withPath("/apis/authorization.k8s.io/v1/subjectaccessreviews")
        .andReturn(201, allowed)
        .always();
    var trusted =
        new ConfigMapBuilder()
            .withNewMetadata()
            .withNamespace("kube-system")
            .withName("extension-apiserver-authentication")
            .endMetadata()
            .build();
    client.resource(trusted).create();
  }

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  @Test
  void thePageIsAnsweredWhileTheControlLoopHangs() throws Exception {
    try (var loop = ClusterAccess.apart(client);
        var replica = start(loop)) {
      var page = replica.bean(Gatekeeper.class);
      var plan = replica.bean(WebViews.class).plan().orElseThrow();
      fill(loop);

      assertAll(
          () ->
              assertThat(answer(() -> page.judge("Bearer one"))).isEqualTo(new Verdict.Admitted()),
          () -> assertThat(answer(plan::plan).shortages()).isEmpty());
    }
  }

  @Test
  void leadershipHeartbeatsAndReviewsGoOnWhileTheControlLoopHangs() throws Exception {
    try (var loop = ClusterAccess.apart(client);
        var replica = start(loop)) {
      var metrics = replica.bean(ExternalMetricsApi.class);
      await().atMost(Duration.ofMinutes(1)).until(() -> get(metrics, "/readyz") == 200);
      await().atMost(Duration.ofMinutes(1)).until(() -> !beat().isEmpty() && !renewal().isEmpty());
      fill(loop);

      assertAll(
          () -> assertChanges(this::renewal, RENEWED),
          () -> assertChanges(this::beat, BEATEN),
          () ->
              assertThat(
                      answer(
                          () ->
                              get(
                                  metrics,
                                  "/apis/external.metrics.k8s.io/v1beta1/namespaces/team/load")))
                  .as("after reviews of token and access: no such metric")
                  .isEqualTo(404));
    }
  }

  /** Twice: a request that was under way before may have been answered. */
  private static void assertChanges(Callable<String> text, Duration within) throws Exception {
    for (int i = 0; i < 2; i++) {
      var before = text.call();
      await().atMost(within).until(() -> !text.call().equals(before));
    }
  }

  private String renewal() {
    var lease = client.leases().inNamespace("prescale").withName("prescale").get();
    return lease == null ? "" : lease.getSpec().getRenewTime().toString();
  }

  private String beat() {
    var beats = client.configMaps().inNamespace("prescale").withName(Shards.HEARTBEATS).get();
    return beats == null ? "" : beats.getData().getOrDefault("replica", "");
  }

  private static int get(ExternalMetricsApi metrics, String path) {
    var credentials =
        new CallerCredentials(Map.of("authorization", List.of("Bearer two")), List.of());
    return metrics.handle(new ApiRequest("GET", path, "", credentials), new InFlight(400)).status();
  }

  private <T> T answer(Callable<T> request) throws Exception {
    return threads.submit(request).get(ANSWER_SECONDS, TimeUnit.SECONDS);
  }

  /** Takes all places of a client, and lets others wait for them. */
  private void fill(KubernetesClient loop) {
    for (int i = 0; i < REQUESTS_OF_EACH * HANGING; i++) {
      var namespace = "hanging-" + i % HANGING;
      var _ = threads.submit(() -> loop.pods().inNamespace(namespace).list());
    }
    await().atMost(Duration.ofSeconds(30)).until(() -> isFull(loop));
  }

  private boolean isFull(KubernetesClient loop) throws Exception {
    try {
      threads.submit(() -> loop.pods().inNamespace("team").list()).get(2, TimeUnit.SECONDS);
      return false;
    } catch (TimeoutException _) {
      return true;
    }
  }

  private ListeningContext start(KubernetesClient loop) throws Exception {
    return ControllerProgram.start(loop, new HpaFeatures(true), settings(), Clock.systemUTC());
  }

  private ControllerProgram.Settings settings() throws Exception {
    return new ControllerProgram.Settings(
        new ControllerSettings(
            Optional::empty, Set.of(), "prescale", "replica", true, TenantLimits.defaults()),
        true,
        Optional.of(adapter()),
        Optional.empty(),
        "127.0.0.1",
        0,
        freePort(),
        Optional.empty(),
        OptionalDouble.empty(),
        new AheadSettings(
            Optional.of(new PlanSettings(Duration.ofHours(1), PlanQuestion.usual())),
            Optional.empty(),
            Optional.empty()));
  }

  private AdapterSettings adapter() throws Exception {
    var serving = SelfSigned.create(folder, "prescale", "dns:localhost", "EC");
    return new AdapterSettings(
        "127.0.0.1",
        freePort(),
        "prescale",
        "prescale",
        443,
        new Certificates.FromFiles(serving.certificate(), serving.key(), Optional.empty()),
        ReviewTtl.usual(),
        false,
        AdapterSettings.PassThrough.NONE,
        "0",
        "replica");
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
