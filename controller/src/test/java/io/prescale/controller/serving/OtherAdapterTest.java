package io.prescale.controller.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.prescale.adapter.api.ApiRequest;
import io.prescale.adapter.api.ApiResponse;
import io.prescale.adapter.api.UpstreamException;
import io.prescale.adapter.identity.CallerCredentials;
import io.prescale.adapter.identity.User;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What another adapter is asked, and by whom, over real TLS. */
@NullUnmarked // fields are set before each test
class OtherAdapterTest {
  private static final String QUEUE = "/apis/external.metrics.k8s.io/v1beta1/namespaces/team/queue";
  private static final User AUTOSCALER =
      new User(
          "system:serviceaccount:kube-system:horizontal-pod-autoscaler",
          "",
          List.of(
              "system:serviceaccounts",
              "system:serviceaccounts:kube-system",
              "system:authenticated"),
          Map.of("authentication.kubernetes.io/credential-id", List.of("JTI=1")));

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private KubernetesClient cluster;
  private ScriptedAdapter theirs;
  private OtherAdapter other;

  @BeforeEach
  void start(@TempDir Path folder) throws Exception {
    theirs = ScriptedAdapter.start(folder, "theirs");
    cluster =
        new KubernetesClientBuilder()
            .withConfig(
                new ConfigBuilder(Config.empty())
                    .withMasterUrl("https://cluster.invalid")
                    .withOauthToken("prescale's token")
                    .build())
            .build();
    other = new OtherAdapter(cluster, _ -> "localhost", false, PATIENCE);
  }

  @AfterEach
  void stop() {
    other.close();
    cluster.close();
    theirs.close();
  }

  @Test
  void asksInTheNameOfTheCallerAndGivesTheAnswerAsItIs() throws Exception {
    other.use(theirs.owner("keda"));
    theirs.status = 418;
    theirs.body = "{\"their\": \"words\"}".getBytes(StandardCharsets.UTF_8);

    var answer = other.answer(request("labelSelector=a%3Db", "application/json"), AUTOSCALER);

    assertThat(theirs.targets).containsExactly(QUEUE + "?labelSelector=a%3Db");
    var asked = theirs.headers.getFirst();
    assertThat(asked).containsEntry("Impersonate-user", List.of(AUTOSCALER.name()));
    assertThat(asked).containsEntry("Authorization", List.of("Bearer prescale's token"));
    assertThat(asked.keySet())
        .as("what an API server adds to a service account by itself")
        .noneMatch(name -> name.startsWith("Impersonate-group"))
        .noneMatch(name -> name.startsWith("Impersonate-extra"));
    assertThat(answer.status()).isEqualTo(418);
    assertThat(new String(body(answer).readAllBytes(), StandardCharsets.UTF_8))
        .isEqualTo("{\"their\": \"words\"}");
    assertThat(answer.headers().keySet())
        .anyMatch("content-type"::equalsIgnoreCase)
        .noneMatch("audit-id"::equalsIgnoreCase)
        .noneMatch("content-length"::equalsIgnoreCase);
  }

  @Test
  void groupsAndAttributesOfAPersonAreKept() throws Exception {
    other.use(theirs.owner("keda"));
    var person =
        new User(
            "ada",
            "",
            List.of("sre", "leads", "system:authenticated"),
            Map.of("example.org/team", List.of("a", "b")));

    other.answer(request("", "application/json"), person);

    var asked = theirs.headers.getFirst();
    assertThat(asked.get("Impersonate-group")).containsExactlyInAnyOrder("sre", "leads");
    assertThat(asked.get("Impersonate-extra-example.org%2fteam")).containsExactly("a", "b");
  }

  @Test
  void anAdapterThatShowsAnotherCertificateIsNotShownTheToken(@TempDir Path folder)
      throws Exception {
    try (var impostor = ScriptedAdapter.start(folder, "impostor")) {
      other.use(impostor.owner("keda", theirs.caBundle(), null));

      assertThatThrownBy(() -> other.answer(request("", "application/json"), AUTOSCALER))
          .isInstanceOf(UpstreamException.class)
          .hasMessageContaining("monitoring/keda, which serves this metric, did not answer");
      assertThat(impostor.targets).isEmpty();
    }
  }

  @Test
  void anAdapterWithoutVerificationIsRefusedUnlessItIsAccepted() throws Exception {
    other.use(theirs.owner("keda", null, true));
    assertThat(other.fault().orElseThrow())
        .contains("insecureSkipTLSVerify", "--pass-through=unverified");
    assertThat(theirs.targets).isEmpty();

    try (var accepting = new OtherAdapter(cluster, _ -> "localhost", true, PATIENCE)) {
      accepting.use(theirs.owner("keda", null, true));
      assertThat(accepting.fault()).isEmpty();
    }
  }

  @Test
  void discoveryIsReadAndKeptWhileTheOtherIsDown() throws Exception {
    other.use(theirs.owner("keda"));
    assertThat(other.fault()).isEmpty();
    assertThat(other.resources()).containsExactly("queue");

    theirs.body = "no JSON".getBytes(StandardCharsets.UTF_8);
    assertThat(other.fault()).isEmpty();
    assertThat(other.resources()).containsExactly("queue");
    theirs.status = 403;
    assertThat(other.fault().orElseThrow()).contains("403");

    theirs.close();
    assertThat(other.fault().orElseThrow()).contains("did not answer");
    assertThat(other.resources()).containsExactly("queue");
  }

  @Test
  void anAnswerIsHandedOnAsItComesHoweverLong() throws Exception {
    other.use(theirs.owner("keda"));
    theirs.body = new byte[40 << 20];
    theirs.beforeTheEnd = new Semaphore(0);

    try (var body = body(other.answer(request("", "application/json"), AUTOSCALER))) {
      assertThat(body.readNBytes(theirs.body.length - 1)).hasSize(theirs.body.length - 1);
      theirs.beforeTheEnd.release();
      assertThat(body.readAllBytes()).hasSize(1);
    }
  }

  @Test
  void anAnswerThatDoesNotEndBreaksOff() throws Exception {
    theirs.beforeTheEnd = new Semaphore(0);
    var patience = Duration.ofSeconds(5);
    try (var impatient = new OtherAdapter(cluster, _ -> "localhost", false, patience)) {
      impatient.use(theirs.owner("keda"));
      try (var body = body(impatient.answer(request("", "application/json"), AUTOSCALER))) {
        assertThatThrownBy(body::readAllBytes).isInstanceOf(IOException.class);
      }
    } finally {
      theirs.beforeTheEnd.release();
    }
  }

  @Test
  void anAdapterThatSendsNoHeadersIsNamedWhenPatienceEnds() throws Exception {
    theirs.beforeTheStart = new Semaphore(0);
    try (var impatient =
        new OtherAdapter(cluster, _ -> "localhost", false, Duration.ofSeconds(2))) {
      impatient.use(theirs.owner("keda"));
      assertThatThrownBy(() -> impatient.answer(request("", "application/json"), AUTOSCALER))
          .isInstanceOf(UpstreamException.class)
          .hasMessageStartingWith("monitoring/keda, which serves this metric, did not answer");
      assertThat(impatient.fault().orElseThrow()).startsWith("monitoring/keda, which");
    } finally {
      theirs.beforeTheStart.release(2);
    }
  }

  @Test
  void discoveryThatIsTooLongIsAFaultAndWhatWasKnownStands() throws Exception {
    other.use(theirs.owner("keda"));
    assertThat(other.fault()).isEmpty();
    theirs.body = new byte[(1 << 20) + 1];

    assertThat(other.fault()).contains("its discovery is longer than 1048576 bytes");
    assertThat(other.resources()).containsExactly("queue");
  }

  @Test
  void anAnswerThatStillComesIsReadToItsEndWhenAnotherAdapterIsUsed(@TempDir Path folder)
      throws Exception {
    other.use(theirs.owner("keda"));
    theirs.beforeTheEnd = new Semaphore(0);
    try (var next = ScriptedAdapter.start(folder, "next");
        var body = body(other.answer(request("", "application/json"), AUTOSCALER))) {
      other.use(next.owner("next"));
      theirs.beforeTheEnd.release();
      assertThat(body.readAllBytes()).isEqualTo(theirs.body);
    }
  }

  @Test
  void aRedirectIsGivenBackAndNotFollowed() throws Exception {
    other.use(theirs.owner("keda"));
    theirs.location = "https://localhost:%d/elsewhere".formatted(theirs.port());
    theirs.status = 302;

    assertThat(other.answer(request("", "application/json"), AUTOSCALER).status()).isEqualTo(302);
    assertThat(theirs.targets).containsExactly(QUEUE);
  }

  @Test
  void withoutAnotherAdapterThereIsNoAnswer() {
    assertThatThrownBy(() -> other.answer(request("", "application/json"), AUTOSCALER))
        .isInstanceOf(UpstreamException.class)
        .hasMessageContaining("No other adapter is known");
    assertThat(other.resources()).isEmpty();
  }

  private static InputStream body(ApiResponse answer) {
    return answer.passing().orElseThrow();
  }

  private static ApiRequest request(String query, String accept) {
    return new ApiRequest(
        "GET", QUEUE, query, new CallerCredentials(Map.of("accept", List.of(accept)), List.of()));
  }
}
