package io.prescale.controller.scheduler.extender;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * How long kube-scheduler waits for filter and prioritize over HTTP while a cluster of nodes with
 * eight cards fills up with shares. The extender is a process of its own, with the heap of the
 * chart's; the scheduler's part is played on one connection. See {@code docs/benchmarks.md}.
 */
public final class ExtenderLatency {
  private static final int WARM_UP = 6000;
  private static final int MEASURED = 4000;

  /** Of which each pod is of one, unless there are none. */
  private static final int QUEUES = 20;

  /** As in the chart: 60 % of 1 GiB, and the collector that Java takes then. */
  private static final List<String> JAVA = List.of("-Xmx614m", "-XX:+UseSerialGC");

  private final ObjectMapper json = new ObjectMapper();
  private final PlainConnection connection;
  private final PrintStream decisions;
  private final String names;

  private ExtenderLatency(PlainConnection connection, PrintStream decisions, String names) {
    this.connection = connection;
    this.decisions = decisions;
    this.names = names;
  }

  /** Arguments: numbers of nodes, and further options for the extender's Java; twice each. */
  public static void main(String[] args) throws Exception {
    var options = Stream.of(args).filter(arg -> arg.startsWith("-")).toList();
    var sizes = Stream.of(args).filter(arg -> !arg.startsWith("-")).map(Integer::valueOf).toList();
    for (int nodes : sizes.isEmpty() ? List.of(1000, 5000) : sizes) {
      run(nodes, 0, options);
      run(nodes, QUEUES, options);
    }
  }

  private static void run(int nodes, int queues, List<String> options) throws Exception {
    var command =
        Stream.of(
                Stream.of(ProcessHandle.current().info().command().orElseThrow()),
                JAVA.stream(),
                options.stream(),
                Stream.of(
                    "-cp",
                    System.getProperty("java.class.path"),
                    LatencyServer.class.getName(),
                    String.valueOf(nodes),
                    String.valueOf(queues)))
            .flatMap(part -> part)
            .toList();
    var process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try (var said = new BufferedReader(process.inputReader(UTF_8));
        var decisions = new PrintStream(process.getOutputStream(), true, UTF_8);
        var connection = PlainConnection.to(Integer.parseInt(said.readLine()))) {
      var names =
          IntStream.range(0, nodes)
              .mapToObj(node -> "\"node-" + node + "\"")
              .collect(Collectors.joining(","));
      new ExtenderLatency(connection, decisions, names).measure(nodes, queues);
    } finally {
      process.destroy();
    }
  }

  private void measure(int nodes, int queues) throws IOException {
    var filter = new long[MEASURED];
    var both = new long[MEASURED];
    for (int pod = 0; pod < WARM_UP + MEASURED; pod++) {
      // Memory of four sizes, so that no two cards are filled alike.
      var body = pod(pod, 6_000 + 4_000 * (pod % 4));
      var question = "{\"Pod\":%s,\"NodeNames\":[%s]}".formatted(body, names).getBytes(UTF_8);
      long start = System.nanoTime();
      var offered = connection.post("/filter", question);
      long filtering = System.nanoTime() - start;

      var list = json.readTree(offered).get("NodeNames");
      question = "{\"Pod\":%s,\"NodeNames\":%s}".formatted(body, list).getBytes(UTF_8);
      start = System.nanoTime();
      connection.post("/prioritize", question);
      if (pod >= WARM_UP) {
        filter[pod - WARM_UP] = filtering;
        both[pod - WARM_UP] = filtering + System.nanoTime() - start;
      }
      // Binding is the scheduler's other thread.
      decisions.println("uid-" + pod + " " + list.get(0).asText());
    }
    print(nodes, queues, "filter", filter);
    print(nodes, queues, "filter + prioritize", both);
  }

  private static String pod(int number, int memoryMib) {
    return """
    {"metadata":{"name":"p%1$d","namespace":"default","uid":"uid-%1$d",\
    "labels":{"gpu.prescale.io/queue":"q%3$d"}},"spec":{"containers":[\
    {"name":"c","resources":{"limits":{"nvidia.com/gpu":"1","nvidia.com/gpumem":"%2$d"}}}]}}\
    """
        .formatted(number, memoryMib, number % QUEUES);
  }

  private static void print(int nodes, int queues, String what, long[] nanos) {
    Arrays.sort(nanos);
    System.out.printf(
        Locale.ROOT,
        "%d nodes x %d cards, %d queues, %d pods: %s p50 %.2f ms, p90 %.2f ms, p99 %.2f ms, highest"
            + " %.1f ms%n",
        nodes,
        LatencyServer.CARDS,
        queues,
        nanos.length,
        what,
        nanos[nanos.length / 2] / 1e6,
        nanos[nanos.length * 90 / 100] / 1e6,
        nanos[nanos.length * 99 / 100] / 1e6,
        nanos[nanos.length - 1] / 1e6);
  }
}
