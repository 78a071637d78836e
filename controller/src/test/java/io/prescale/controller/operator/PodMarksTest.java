package io.prescale.controller.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.prescale.controller.MockApi;
import io.prescale.controller.demand.prometheus.PrometheusServer;
import io.prescale.controller.operator.scalein.CostedPods;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** PredictiveHPA {@code chat}, which has marked pods of Deployment {@code mail} before. */
@MockApi(crud = true)
@Timeout(120)
@NullUnmarked // the extension sets client and server
class PodMarksTest {
  private KubernetesClient client;
  private KubernetesMockServer server;
  private ReconcilingInMock term;

  @BeforeEach
  void create() {
    ScaleOfChat.answeredBy(server, () -> {});
    ScaleOfChat.answer(server, "mail", "app=mail", () -> {});
    var prometheus = PrometheusServer.at(URI.create("http://127.0.0.1:1"));
    term =
        new ReconcilingInMock(
            client, Optional.of(prometheus), new MemoryBudget(1L << 30), () -> {});
    marked("mail-1", "mail", "-100", "prescale");
    marked("mail-2", "mail", "7", "kubectl-annotate");
    marked("other-1", "other", "-100", "prescale");
  }

  @AfterEach
  void close() {
    term.close();
  }

  @Test
  void podsOfTheFormerTargetLoseTheirMarksAndNoOthers() throws InterruptedException {
    hasMarkedMail();
    term.begin();

    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> status().containsKey("conditions")); // also with the scale of the new one
    assertThat(writtenPods()).containsExactly("mail-1");
  }

  @Test
  void onDeletionTheyLoseThemToo() throws InterruptedException {
    hasMarkedMail();
    term.objects().withName("chat").delete();
    term.begin();

    await().atMost(Duration.ofSeconds(60)).until(() -> term.stored("chat") == null);
    assertThat(writtenPods()).containsExactly("mail-1");
  }

  private void hasMarkedMail() {
    term.put("chat", "4");
    term.objects()
        .withName("chat")
        .edit(
            it -> {
              it.setAdditionalProperty(
                  "status",
                  Map.of(
                      "scaleIn",
                      Map.of(
                          "reason",
                          "Marked",
                          "message",
                          "",
                          "marked",
                          Map.of("apiVersion", "apps/v1", "kind", "Deployment", "name", "mail"))));
              return it;
            });
  }

  private Map<String, Object> status() {
    var status = term.stored("chat").<Map<String, Object>>get("status");
    return status == null ? Map.of() : status;
  }

  private void marked(String name, String app, String cost, String manager) {
    client
        .resource(
            new PodBuilder(CostedPods.pod(name, cost, manager))
                .editMetadata()
                .addToLabels("app", app)
                .endMetadata()
                .build())
        .create();
  }

  /** The pods that were written to, as often as it was; the mock server removes no fields. */
  private Set<String> writtenPods() throws InterruptedException {
    var pods = new TreeSet<String>();
    for (var request = server.takeRequest(0, TimeUnit.SECONDS);
        request != null;
        request = server.takeRequest(0, TimeUnit.SECONDS)) {
      var path = URI.create(String.valueOf(request.getPath())).getPath();
      if (request.getMethod().equals("PATCH") && path.contains("/pods/")) {
        pods.add(path.substring(path.lastIndexOf('/') + 1));
      }
    }
    return pods;
  }
}
