package io.prescale.controller.operator;

import com.sun.net.httpserver.HttpExchange;
import io.prescale.controller.demand.prometheus.Patience;
import io.prescale.controller.demand.prometheus.PrometheusForm;
import io.prescale.controller.demand.prometheus.PrometheusServer;
import io.prescale.controller.demand.prometheus.ScriptedServer;
import io.prescale.controller.demand.prometheus.ScriptedServer.Answer;
import io.prescale.controller.demand.source.PrometheusSource;
import io.prescale.controller.demand.source.SourceSettings;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A Prometheus with one metric, until a fault begins. Its clock is that of the load. */
final class FaultyPrometheus implements AutoCloseable {
  private final ScriptedServer server = new ScriptedServer(this::answer);
  private final LongToDoubleFunction load;
  private final LongToDoubleFunction series;
  private final AtomicInteger samplesRead = new AtomicInteger();
  private volatile @Nullable Answer fault;

  /**
   * The usual answer, after some time.
   *
   * @param isRead whether the one that asks still waits then
   */
  record After(Duration delay, boolean isRead) implements Answer {
    @Override
    public void to(HttpExchange exchange) {
      LockSupport.parkNanos(delay.toNanos());
    }
  }

  private volatile Instant now = Instant.MAX;
  private volatile Instant newestAt = Instant.EPOCH;
  private volatile Instant begunAt = Instant.MIN;
  private volatile Instant renamedAt = Instant.MAX;

  /**
   * @param load by seconds since the epoch
   * @param series how many it is the sum of
   */
  FaultyPrometheus(LongToDoubleFunction load, LongToDoubleFunction series) throws IOException {
    this.load = load;
    this.series = series;
  }

  /** What asks this server and others, and gives a server up after so long in real time. */
  static PrometheusSource source(Duration patiently) {
    var patience = new Patience(Duration.ofMillis(500), patiently, 1, Duration.ZERO, Duration.ZERO);
    return new PrometheusSource(
        new SourceSettings(
            2,
            2,
            patience,
            patience.withAnswer(Duration.ofSeconds(30)),
            Duration.ZERO,
            Duration.ofSeconds(1),
            Duration.ofSeconds(30)),
        new SplittableRandom(1));
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

  /** Has no samples that are earlier. */
  void beginAt(Instant time) {
    begunAt = time;
  }

  /** From then on the series has another label, and so is another one. */
  void renameAt(Instant time) {
    renamedAt = time;
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
    boolean isRead = true;
    if (broken != null) {
      broken.to(exchange);
      if (!(broken instanceof After delayed)) {
        return;
      }
      isRead = delayed.isRead();
    }
    var asked = PrometheusForm.of(exchange);
    boolean counts = asked.query().startsWith("count(");
    var values = counts ? series : load;
    long step = asked.number("step");
    long[] times =
        LongStream.iterate(
                asked.number("start"), time -> time <= asked.number("end"), time -> time + step)
            .filter(time -> time >= begunAt.getEpochSecond() && time <= now.getEpochSecond())
            .toArray();
    samplesRead.addAndGet(isRead ? times.length : 0);
    if (isRead && times.length > 0 && !counts) {
      newestAt =
          Instant.ofEpochSecond(Math.max(newestAt.getEpochSecond(), times[times.length - 1]));
    }
    long renamed = renamedAt.getEpochSecond();
    var before = series("", LongStream.of(times).filter(time -> time <= renamed), values, counts);
    var after =
        series(
            "\"pod\":\"b\"", LongStream.of(times).filter(time -> time > renamed), values, counts);
    ScriptedServer.json(
            ScriptedServer.matrix(
                Stream.of(before, after)
                    .filter(it -> !it.isEmpty())
                    .collect(Collectors.joining(","))))
        .to(exchange);
  }

  /** Empty where there is no sample; nothing is counted where there is none. */
  private static String series(
      String labels, LongStream times, LongToDoubleFunction values, boolean counts) {
    var samples =
        times
            .filter(time -> !counts || values.applyAsDouble(time) > 0)
            .mapToObj(time -> "[%d,\"%s\"]".formatted(time, values.applyAsDouble(time)))
            .collect(Collectors.joining(","));
    return samples.isEmpty() ? "" : "{\"metric\":{%s},\"values\":[%s]}".formatted(labels, samples);
  }

  @Override
  public void close() {
    server.close();
  }
}
