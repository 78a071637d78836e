package io.prescale.controller.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.prescale.controller.MockApi;
import io.prescale.controller.cluster.BoundedHttpClient.Limits;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A network between this process and the API server that swallows everything without a word. */
@MockApi(crud = true, https = false)
@Timeout(120)
@NullUnmarked // the extension sets the client and the server
class PartitionTest {
  private KubernetesClient client;
  private KubernetesMockServer server;

  /** The leader's writes could not arrive, but a replica that believes in itself is a fault. */
  @Test
  void aPartitionLongerThanTheLeaseLeavesAtMostOneLeader() throws Exception {
    var terms = new CopyOnWriteArrayList<String>();
    try (var network = new Network(server.getPort());
        var behind = new KubernetesClientBuilder().withConfig(through(network)).build();
        var cut = leadership(behind, "cut", terms)) {
      cut.start();
      await().atMost(Duration.ofSeconds(30)).until(cut::leads);
      try (var other = leadership(client, "other", terms)) {
        other.start();
        network.cut();

        long until = System.nanoTime() + Duration.ofSeconds(40).toNanos();
        while (!other.leads() && System.nanoTime() < until) {
          assertThat(cut.leads() && other.leads()).isFalse();
          Thread.sleep(5);
        }
        assertThat(other.leads()).isTrue();
        assertThat(cut.leads()).isFalse();
        await().atMost(Duration.ofSeconds(60)).until(() -> terms.contains("cut ends"));

        network.mend();
        network.cutWhatIsOpen();
        await().during(Duration.ofSeconds(5)).until(() -> other.leads() && !cut.leads());
      }
    }
  }

  /** As when the node of an API server dies behind a load balancer. */
  @Test
  void aWatchThatFallsSilentIsReplaced() throws Exception {
    var limits = new Limits(64, 200, 400, Duration.ofSeconds(2), Duration.ofMillis(500));
    try (var network = new Network(server.getPort());
        var behind =
            new KubernetesClientBuilder()
                .withConfig(through(network))
                .withHttpClientFactory(new BoundedHttpClients(limits))
                .build();
        var informer = behind.resources(ConfigMap.class).inNamespace("team").runnableInformer(0)) {
      informer.exceptionHandler(BrokenWatch.retried(informer, "ConfigMaps"));
      var _ = informer.start();
      create("before");
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> names(informer.getStore().list()).contains("before"));
      await().atMost(Duration.ofSeconds(30)).until(informer::isWatching);

      network.cutWhatIsOpen();
      create("after");

      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> names(informer.getStore().list()).contains("after"));
    }
  }

  private Config through(Network network) {
    return new ConfigBuilder(client.getConfiguration())
        .withMasterUrl("http://127.0.0.1:" + network.port())
        .withRequestTimeout(2_000)
        .withRequestRetryBackoffLimit(2) // as ClusterAccess
        .build();
  }

  private void create(String name) {
    client
        .configMaps()
        .inNamespace("team")
        .resource(new ConfigMapBuilder().withNewMetadata().withName(name).endMetadata().build())
        .create();
  }

  private static List<String> names(List<ConfigMap> maps) {
    return maps.stream().map(map -> map.getMetadata().getName()).toList();
  }

  private static Leadership leadership(
      KubernetesClient client, String identity, List<String> terms) {
    return new Leadership(
        client,
        "prescale",
        "prescale",
        identity,
        System::nanoTime,
        new Leadership.Term() {
          @Override
          public void begin() {
            terms.add(identity + " begins");
          }

          @Override
          public void end() {
            terms.add(identity + " ends");
          }
        });
  }
}
