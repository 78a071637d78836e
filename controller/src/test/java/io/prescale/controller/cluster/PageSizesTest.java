package io.prescale.controller.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * An API server with a thousand ConfigMaps in each namespace, in "large" of 100 kB each, in
 * "larger" of 200.
 */
@Timeout(120)
class PageSizesTest {
  private static final int OBJECTS = 1_000;
  private static final Pattern QUERY = Pattern.compile("namespaces/(\\w+)/.*limit=(\\d+)");
  private static final Pattern CONTINUE = Pattern.compile("continue=(\\d+)");
  private static final String FILLING = "x".repeat(100_000);

  /** Limits that were asked for. */
  private final List<String> asked = new CopyOnWriteArrayList<>();

  private final HttpServer server;
  private final KubernetesClient client;

  PageSizesTest() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
    client =
        new KubernetesClientBuilder()
            .withConfig(
                new ConfigBuilder()
                    .withAutoConfigure(false)
                    .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
                    .build())
            .withHttpClientFactory(
                new BoundedHttpClients(BoundedHttpClients.LIMITS, Optional.empty()))
            .build();
  }

  @BeforeEach
  void start() {
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::answer);
    server.start();
  }

  @AfterEach
  void stop() {
    client.close();
    server.stop(0);
  }

  @Test
  void smallObjectsComeInPagesAsLargeAsWanted() {
    try (var informer = informer("small")) {
      await().until(informer::hasSynced);
      assertThat(informer.getStore().list()).hasSize(OBJECTS);
    }

    assertThat(asked).containsExactly("small 500", "small 500");
  }

  @Test
  void largeObjectsComeInSmallerPagesAndNeverEightMebibytesAtOnce() {
    try (var informer = informer("large")) {
      await().atMost(Duration.ofMinutes(1)).until(informer::hasSynced);
      assertThat(informer.getStore().list()).hasSize(OBJECTS);
    }

    assertThat(asked.subList(0, 3)).containsExactly("large 500", "large 100", "large 20");
    assertThat(asked.subList(3, asked.size())).hasSize(OBJECTS / 20 - 1).containsOnly("large 20");
    asked.clear();
    try (var other = informer("small")) {
      await().until(other::hasSynced);
    }
    assertThat(asked).containsExactly("small 500", "small 500");
  }

  @Test
  void aListThatIsReadOnceAsksAgainForFewer() {
    var sizes = new ArrayList<Integer>();

    Pages.each(client.configMaps().inNamespace("large"), 50, page -> sizes.add(page.size()));

    assertThat(sizes).hasSize(OBJECTS / 50).containsOnly(50);
    sizes.clear();
    asked.clear();
    Pages.each(client.configMaps().inNamespace("larger"), 50, page -> sizes.add(page.size()));
    assertThat(sizes).hasSize(OBJECTS / 20).containsOnly(20);
    assertThat(asked.subList(0, 2)).containsExactly("larger 50", "larger 20");
  }

  private SharedIndexInformer<ConfigMap> informer(String namespace) {
    var informer = client.configMaps().inNamespace(namespace).withLimit(500L).runnableInformer(0);
    informer.exceptionHandler((_, _) -> true);
    var _ = informer.start();
    return informer;
  }

  private void answer(HttpExchange exchange) throws IOException {
    var uri = exchange.getRequestURI().toString();
    var query = QUERY.matcher(uri);
    if (uri.contains("watch=true") || !query.find()) {
      exchange.sendResponseHeaders(503, -1);
      exchange.close();
      return;
    }
    asked.add(query.group(1) + " " + query.group(2));
    var from = CONTINUE.matcher(uri);
    int first = from.find() ? Integer.parseInt(from.group(1)) : 0;
    int next = Math.min(OBJECTS, first + Integer.parseInt(query.group(2)));
    exchange.getResponseHeaders().add("Content-Type", "application/json");
    exchange.sendResponseHeaders(200, 0);
    try (var body = exchange.getResponseBody()) {
      var continued = next < OBJECTS ? "\"continue\":\"" + next + "\"," : "";
      write(body, "{\"metadata\":{%s\"resourceVersion\":\"7\"},\"items\":[".formatted(continued));
      for (int i = first; i < next; i++) {
        write(body, (i > first ? "," : "") + object(query.group(1), i));
      }
      write(body, "]}");
    } catch (IOException _) {
      // the client gives the page up
    }
  }

  private static String object(String namespace, int number) {
    return "{\"metadata\":{\"namespace\":\"%s\",\"name\":\"c%d\",\"resourceVersion\":\"7\"},\"data\":{\"a\":\"%s\"}}"
        .formatted(namespace, number, filling(namespace));
  }

  private static String filling(String namespace) {
    return switch (namespace) {
      case "large" -> FILLING;
      case "larger" -> FILLING + FILLING;
      default -> "";
    };
  }

  private static void write(OutputStream body, String text) throws IOException {
    body.write(text.getBytes(StandardCharsets.UTF_8));
  }
}
