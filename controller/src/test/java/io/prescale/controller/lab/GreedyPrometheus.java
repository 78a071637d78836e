package io.prescale.controller.lab;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

import com.sun.net.httpserver.HttpExchange;
import io.prescale.controller.demand.prometheus.PrometheusForm;
import io.prescale.controller.demand.prometheus.ScriptedServer;
import java.io.IOException;
import java.net.URI;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;

/** A Prometheus of which a query says how much it answers. */
final class GreedyPrometheus implements AutoCloseable {
  /** 30 at each step that is asked for. */
  static final String THIRTY = "vector(30)";

  /** As many bytes as the client takes, up to 64 MiB. */
  static final String ENDLESS = "endless";

  /** No series. */
  static final String NOTHING = "nothing";

  private static final int MUCH = 64 << 20;

  private final AtomicReference<Runnable> beforeNext = new AtomicReference<>(() -> {});
  private final ScriptedServer server = new ScriptedServer(this::answer);

  GreedyPrometheus() throws IOException {}

  URI url() {
    return server.url();
  }

  /** What happens once, before the next answer. */
  void beforeTheNextAnswer(Runnable change) {
    beforeNext.set(change);
  }

  @Override
  public void close() {
    server.close();
  }

  private void answer(HttpExchange exchange) throws IOException {
    beforeNext.getAndSet(() -> {}).run();
    var asked = PrometheusForm.of(exchange);
    var query = asked.query();
    if (query.contains(ENDLESS)) {
      sendMuch(exchange);
    } else if (query.contains(NOTHING)) {
      ScriptedServer.json(ScriptedServer.matrix("")).to(exchange);
    } else {
      ScriptedServer.json(ScriptedServer.matrix(thirty(asked))).to(exchange);
    }
  }

  private static void sendMuch(HttpExchange exchange) throws IOException {
    var samples = "[1767225600,\"1\"],".repeat(1000).getBytes(UTF_8);
    exchange.sendResponseHeaders(200, 0);
    var out = exchange.getResponseBody();
    out.write(ScriptedServer.matrix("").split("]", 2)[0].getBytes(UTF_8));
    out.write("{\"metric\":{},\"values\":[".getBytes(UTF_8));
    for (int sent = 0; sent < MUCH; sent += samples.length) {
      out.write(samples);
    }
  }

  private static String thirty(PrometheusForm asked) {
    long end = asked.number("end");
    long step = asked.number("step");
    var samples =
        LongStream.iterate(asked.number("start"), time -> time <= end, time -> time + step)
            .mapToObj("[%d,\"30\"]"::formatted)
            .collect(joining(","));
    return "{\"metric\":{},\"values\":[%s]}".formatted(samples);
  }
}
