package io.prescale.controller.operator;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscalerBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.prescale.controller.cluster.Leadership;
import io.prescale.controller.fairness.WriteTurns;
import io.prescale.controller.operator.hpa.Contest;
import io.prescale.controller.operator.hpa.HpaPlan;
import io.prescale.controller.operator.status.CountedWrites;
import io.prescale.controller.states.SavedStates;
import io.prescale.controller.telemetry.Telemetry;
import io.prescale.controller.values.PublishedValues;
import io.prescale.controller.values.ValuePublisher;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/**
 * A program that writes the HPAs, values and saved states of 300 PredictiveHPAs and stands for
 * election where no API server is, until there is one that has the Lease, and nothing else.
 */
final class WritesWithoutServer {
  /** Saved states are written after 20 s; by then the Lease was asked for six times or more. */
  private static final long WITHOUT_SERVER_MILLIS = 26_000;

  private static final String LEASE =
      """
      {"apiVersion": "coordination.k8s.io/v1", "kind": "Lease",
       "metadata": {"namespace": "prescale", "name": "prescale", "resourceVersion": "7"},
       "spec": {"holderIdentity": "other", "leaseDurationSeconds": 10, "leaseTransitions": 0,
                "acquireTime": "2099-01-01T00:00:00.000000Z",
                "renewTime": "2099-01-01T00:00:00.000000Z"}}
      """;

  private static final InstantSource CLOCK = InstantSource.fixed(PredictiveHpas.NOON);

  private WritesWithoutServer() {}

  /** Without arguments. */
  public static void main(String... none) throws IOException, InterruptedException {
    var reserved = new Socket();
    reserved.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    int port = reserved.getLocalPort(); // what is bound and does not listen refuses connections
    var config =
        new ConfigBuilder(Config.empty())
            .withMasterUrl("http://127.0.0.1:" + port)
            .withRequestRetryBackoffLimit(0)
            .build();
    var turns = new WriteTurns(1, () -> 1, () -> 0);
    var telemetry = new Telemetry(CLOCK);
    try (var client = new KubernetesClientBuilder().withConfig(config).build();
        var leadership = leadership(client);
        var states = new SavedStates(client, "prescale", _ -> true, CLOCK, telemetry);
        var publisher =
            new PublishedValues(client, "prescale", CLOCK).publisher(_ -> true, telemetry, turns)) {
      leadership.start();
      write(new HpaUpkeep(client, _ -> true, new CountedWrites(telemetry, turns)));
      write(states, publisher);
      Thread.sleep(WITHOUT_SERVER_MILLIS);
      reserved.close();
      serveTheLease(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }
    System.out.println("the end");
  }

  /** Its clock is twenty times as fast, so that it learns soon that the fault is over. */
  private static Leadership leadership(KubernetesClient client) {
    return new Leadership(
        client,
        "prescale",
        "prescale",
        "replica",
        () -> 20 * System.nanoTime(),
        new Leadership.Term() {
          @Override
          public void begin() {}

          @Override
          public void end() {}
        });
  }

  private static void write(HpaUpkeep upkeep) {
    var hpa =
        new HorizontalPodAutoscalerBuilder()
            .withNewMetadata()
            .withNamespace("team")
            .withName("prescale-chat")
            .withResourceVersion("7")
            .endMetadata()
            .build();
    var plan = new HpaPlan(List.of(new HpaPlan.Delete(hpa)), Optional.empty());
    for (int i = 0; i < 300; i++) {
      var chat = PredictiveHpas.chat("requests");
      chat.getMetadata().setName("chat-" + i);
      upkeep.carryOut(chat, plan, new Contest(), true, PredictiveHpas.NOON);
    }
  }

  private static void write(SavedStates states, ValuePublisher publisher) {
    var status =
        PredictiveHpas.status(List.of(PredictiveHpas.served("requests", "12", List.of(), null)));
    for (int i = 0; i < 300; i++) {
      var chat = PredictiveHpas.chat("requests");
      chat.getMetadata().setUid("uid-" + i);
      publisher.publish(chat, status);
      states.forget("uid-" + i);
    }
  }

  private static void serveTheLease(InetSocketAddress address)
      throws IOException, InterruptedException {
    var asked = new CountDownLatch(3);
    var server = HttpServer.create(address, 0);
    server.createContext(
        "/",
        exchange -> {
          boolean isLease = exchange.getRequestURI().getPath().endsWith("/leases/prescale");
          var answer = (isLease ? LEASE : "").getBytes(UTF_8);
          exchange.getResponseHeaders().add("Content-Type", "application/json");
          exchange.sendResponseHeaders(isLease ? 200 : 503, isLease ? answer.length : -1);
          exchange.getResponseBody().write(answer);
          exchange.close();
          if (isLease) {
            asked.countDown();
          }
        });
    server.start();
    asked.await();
    server.stop(0);
  }
}
