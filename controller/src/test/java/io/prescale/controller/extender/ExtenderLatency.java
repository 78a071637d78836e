package io.prescale.controller.extender;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.prescale.controller.dra.ClaimLedger;
import io.prescale.controller.inventory.Nodes;
import io.prescale.controller.placement.HandOvers;
import io.prescale.controller.placement.Ledger;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * How long kube-scheduler waits for filter and prioritize over HTTP while a cluster of nodes with
 * eight cards fills up with shares; the bind goes nowhere. See {@code docs/benchmarks.md}.
 */
public final class ExtenderLatency {
  private static final int CARDS = 8;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final int port;
  private final String names;

  private ExtenderLatency(int port, String names) {
    this.port = port;
    this.names = names;
  }

  /** Arguments: numbers of nodes. */
  public static void main(String[] args) throws Exception {
    System.setProperty("sun.net.httpserver.nodelay", "true");
    for (var nodes : args.length == 0 ? new String[] {"1000", "5000"} : args) {
      run(Integer.parseInt(nodes), 2000, 4000);
    }
  }

  private static void run(int nodes, int warmUp, int measured) throws Exception {
    var ledger = new Ledger(10);
    IntStream.range(0, nodes).forEach(node -> ledger.seen(Nodes.a100("node-" + node, CARDS)));
    var clock = InstantSource.system();
    var config = new ConfigBuilder().withMasterUrl("http://127.0.0.1:1").build();
    try (var nobody = new KubernetesClientBuilder().withConfig(config).build()) {
      var handOvers = new HandOvers(System::nanoTime, Duration.ofSeconds(30));
      var committer =
          new Committer(
              ledger,
              handOvers,
              new NodeLocks(nobody, ledger, clock),
              new FakeBinder(),
              clock,
              Duration.ofSeconds(1));
      var settings =
          new ExtenderSettings(
              "127.0.0.1",
              0,
              OptionalInt.empty(),
              Optional.empty(),
              false,
              10,
              Duration.ofSeconds(1),
              Duration.ofSeconds(30),
              Optional.empty(),
              false);
      var api = new ExtenderApi(ledger, committer, clock);
      var usage = new UsageMetrics(ledger::uses, Map::of, _ -> Optional.empty());
      var metrics = new ExtenderMetrics(ledger, new ClaimLedger(), usage);
      var cards = new CardPages(ledger, Map::of, _ -> Optional.empty());
      var pages = new StatusPages(ledger::problems, () -> true, metrics, cards);
      try (var server =
          ExtenderServer.start(settings, api, metrics, pages, () -> true, System::nanoTime)) {
        var names =
            IntStream.range(0, nodes)
                .mapToObj(node -> "\"node-" + node + "\"")
                .collect(Collectors.joining(","));
        new ExtenderLatency(server.port(), names).measure(ledger, nodes, warmUp, measured);
      }
    }
  }

  private void measure(Ledger ledger, int nodes, int warmUp, int measured) throws Exception {
    var filter = new long[measured];
    var both = new long[measured];
    var json = new ObjectMapper();
    for (int pod = 0; pod < warmUp + measured; pod++) {
      // Memory of four sizes, so that no two cards are filled alike.
      var body = pod(pod, 6_000 + 4_000 * (pod % 4));
      long start = System.nanoTime();
      var offered = post("/filter", "{\"Pod\":%s,\"NodeNames\":[%s]}".formatted(body, names));
      long filtered = System.nanoTime();
      var list = json.readTree(offered).get("NodeNames");
      post("/prioritize", "{\"Pod\":%s,\"NodeNames\":%s}".formatted(body, list));
      long done = System.nanoTime();
      if (pod >= warmUp) {
        filter[pod - warmUp] = filtered - start;
        both[pod - warmUp] = done - start;
      }
      // Binding is the scheduler's other thread.
      ledger.decide("uid-" + pod, list.get(0).asText(), Instant.now());
    }
    print(nodes, "filter", filter);
    print(nodes, "filter + prioritize", both);
  }

  private static String pod(int number, int memoryMib) {
    return """
    {"metadata":{"name":"p%1$d","namespace":"default","uid":"uid-%1$d"},"spec":{"containers":[\
    {"name":"c","resources":{"limits":{"nvidia.com/gpu":"1","nvidia.com/gpumem":"%2$d"}}}]}}\
    """
        .formatted(number, memoryMib);
  }

  private static void print(int nodes, String what, long[] nanos) {
    Arrays.sort(nanos);
    System.out.printf(
        Locale.ROOT,
        "%d nodes x %d cards, %d pods: %s p50 %.2f ms, p99 %.2f ms, highest %.1f ms%n",
        nodes,
        CARDS,
        nanos.length,
        what,
        nanos[nanos.length / 2] / 1e6,
        nanos[nanos.length * 99 / 100] / 1e6,
        nanos[nanos.length - 1] / 1e6);
  }

  private String post(String path, String body) throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d%s".formatted(port, path)))
            .POST(BodyPublishers.ofByteArray(body.getBytes(UTF_8)))
            .build();
    return client.send(request, BodyHandlers.ofString()).body();
  }
}
