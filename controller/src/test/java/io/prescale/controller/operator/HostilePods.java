package io.prescale.controller.operator;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.prescale.controller.operator.ScaleTargets.Found;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.function.IntFunction;

/** A program with a small heap that watches pods which a tenant made as large as they can be. */
final class HostilePods {
  private static final int OF_A_PAGE = 40;
  private static final int ENTRIES = 100_000;
  private static final int NESTED = 5_000;

  private HostilePods() {}

  public static void main(String[] ignored) throws Exception {
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", HostilePods::answer);
    server.start();
    var config =
        new ConfigBuilder()
            .withAutoConfigure(false)
            .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
            .build();
    try (var client = new KubernetesClientBuilder().withConfig(config).build();
        var workloads = new Workloads(client, InstantSource.system())) {
      workloads.start(Set.of());
      await()
          .atMost(Duration.ofMinutes(2))
          .until(() -> workloads.arePodsKnown(PredictiveHpas.chat("load")));
      System.out.println("listed: " + names(workloads));
      await().atMost(Duration.ofMinutes(2)).until(() -> names(workloads).size() == 2);
      System.out.println("watched: " + names(workloads));
    }
    System.exit(0);
  }

  private static List<String> names(Workloads workloads) {
    return workloads.pods(PredictiveHpas.chat("load"), new Found(1, 1, "app=chat")).stream()
        .map(pod -> pod.getMetadata().getName())
        .sorted()
        .toList();
  }

  private static void answer(HttpExchange exchange) throws IOException {
    boolean ofPods = exchange.getRequestURI().getPath().endsWith("/pods");
    boolean isWatch = String.valueOf(exchange.getRequestURI().getQuery()).contains("watch=true");
    if (isWatch && exchange.getRequestHeaders().containsKey("Sec-WebSocket-Key")) {
      exchange.sendResponseHeaders(503, -1); // then the client library watches without web socket
      return;
    }
    exchange.getResponseHeaders().add("Content-Type", "application/json");
    exchange.sendResponseHeaders(200, 0);
    var body = new BufferedOutputStream(exchange.getResponseBody(), 1 << 16);
    if (isWatch) {
      watch(body, ofPods);
    } else {
      list(body, ofPods);
      exchange.close();
    }
  }

  private static void list(OutputStream body, boolean ofPods) throws IOException {
    write(body, "{\"metadata\":{\"resourceVersion\":\"7\"},\"items\":[");
    if (ofPods) {
      for (int i = 0; i < OF_A_PAGE; i++) {
        hostile(body, "hostile-" + i);
        write(body, ",");
      }
      good(body, "good");
    }
    write(body, "]}");
    body.flush();
  }

  private static void watch(OutputStream body, boolean ofPods) throws IOException {
    if (ofPods) {
      write(body, "{\"type\":\"ADDED\",\"object\":");
      hostile(body, "hostile-again");
      write(body, "}\n{\"type\":\"ADDED\",\"object\":");
      good(body, "newer");
      write(body, "}\n");
    }
    body.flush();
  }

  private static void good(OutputStream body, String name) throws IOException {
    write(body, "{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{\"namespace\":\"team\",");
    write(body, "\"name\":\"%s\",\"resourceVersion\":\"7\"".formatted(name));
    write(body, ",\"labels\":{\"app\":\"chat\"}},\"spec\":{}}");
  }

  /** About 5 MB of JSON, of which an object of the client library would be 50 MB. */
  private static void hostile(OutputStream body, String name) throws IOException {
    write(body, "{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{\"namespace\":\"team\",");
    write(body, "\"labels\":{");
    repeat(body, "\"l%d\":\"\","::formatted);
    write(body, "\"app\":\"chat\"},\"name\":\"%s\",\"resourceVersion\":\"7\"".formatted(name));
    write(body, ",\"managedFields\":[{\"fieldsV1\":");
    write(body, "{\"f:a\":".repeat(NESTED) + "{}" + "}".repeat(NESTED) + "}]");
    write(body, "},\"spec\":{\"containers\":[{\"name\":\"a\",\"env\":[");
    repeat(body, "{\"name\":\"e%d\"},"::formatted);
    write(body, "{\"name\":\"last\"}]}]}}");
  }

  private static void repeat(OutputStream body, IntFunction<String> entry) throws IOException {
    for (int i = 0; i < ENTRIES; i++) {
      write(body, entry.apply(i));
    }
  }

  private static void write(OutputStream body, String text) throws IOException {
    body.write(text.getBytes(UTF_8));
  }
}
