package io.prescale.controller.operator;

import com.sun.net.httpserver.HttpExchange;
import io.prescale.controller.demand.prometheus.PrometheusServer;
import io.prescale.controller.demand.prometheus.ScriptedServer;
import io.prescale.controller.demand.prometheus.ScriptedServer.Answer;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** A Prometheus with one metric, until a fault begins. Its clock is that of the load. */
final class FaultyPrometheus implements AutoCloseable {
  private final ScriptedServer server = new ScriptedServer(this::answer);
  private final LongToDoubleFunction load;
  private final LongToDoubleFunction series;
  private final AtomicInteger samplesRead = new AtomicInteger();
  private volatile @Nullable Answer fault;
  private volatile Instant now = Instant.MAX;
  private volatile Instant newestAt = Instant.EPOCH;

  /**
   * @param load by seconds since the epoch
   * @param series how many it is the sum of
   */
  FaultyPrometheus(LongToDoubleFunction load, LongToDoubleFunction series) throws IOException {
    this.load = load;
    this.series = series;
  }

  PrometheusServer server() {
    return PrometheusServer.at(server.url());
  }

  /** Answers so from now on; null ends the fault. */
  void fault(@Nullable Answer answer) {
    fault = answer;
  }

  /** Has no samples that are later. */
  void advanceTo(Instant time) {
    now = time;
  }

  /** How many samples were read so far. */
  int samplesRead() {
    return samplesRead.get();
  }

  /** The time of the newest sample that was read. */
  Instant newestAt() {
    return newestAt;
  }

  /** Its value. */
  double newest() {
    return load.applyAsDouble(newestAt.getEpochSecond());
  }

  private void answer(HttpExchange exchange) throws IOException {
    var broken = fault;
    if (broken != null) {
      broken.to(exchange);
      return;
    }
    var asked = parameters(exchange);
    boolean counts = asked.getOrDefault("query", "").startsWith("count(");
    var values = counts ? series : load;
    long step = number(asked, "step");
    long[] times =
        LongStream.iterate(
                number(asked, "start"), time -> time <= number(asked, "end"), time -> time + step)
            .filter(time -> time <= now.getEpochSecond())
            .toArray();
    samplesRead.addAndGet(times.length);
    var samples =
        LongStream.of(times)
            .mapToObj(time -> "[%d,\"%s\"]".formatted(time, values.applyAsDouble(time)))
            .collect(Collectors.joining(","));
    if (times.length > 0 && !counts) {
      newestAt =
          Instant.ofEpochSecond(Math.max(newestAt.getEpochSecond(), times[times.length - 1]));
    }
    ScriptedServer.json(
            ScriptedServer.matrix(
                samples.isEmpty() ? "" : "{\"metric\":{},\"values\":[%s]}".formatted(samples)))
        .to(exchange);
  }

  private static long number(Map<String, String> asked, String name) {
    return Long.parseLong(asked.getOrDefault(name, ""));
  }

  private static Map<String, String> parameters(HttpExchange exchange) throws IOException {
    var query = exchange.getRequestURI().getRawQuery();
    var text =
        query != null
            ? query
            : new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    return Arrays.stream(text.split("&"))
        .map(pair -> pair.split("=", 2))
        .collect(
            Collectors.toMap(
                pair -> pair[0], pair -> URLDecoder.decode(pair[1], StandardCharsets.UTF_8)));
  }

  @Override
  public void close() {
    server.close();
  }
}
