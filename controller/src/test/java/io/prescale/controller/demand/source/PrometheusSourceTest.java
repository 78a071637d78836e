package io.prescale.controller.demand.source;

import static io.prescale.controller.demand.prometheus.ScriptedServer.hanging;
import static io.prescale.controller.demand.prometheus.ScriptedServer.json;
import static io.prescale.controller.demand.prometheus.ScriptedServer.matrix;
import static io.prescale.controller.demand.prometheus.ScriptedServer.status;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.prescale.controller.autoscaling.Reading;
import io.prescale.controller.autoscaling.Reading.Missing;
import io.prescale.controller.autoscaling.Reading.Observed;
import io.prescale.controller.autoscaling.Reading.Reason;
import io.prescale.controller.demand.prometheus.Credentials;
import io.prescale.controller.demand.prometheus.Patience;
import io.prescale.controller.demand.prometheus.PrometheusServer;
import io.prescale.controller.demand.prometheus.ScriptedServer;
import io.prescale.controller.demand.prometheus.ScriptedServer.Answer;
import io.prescale.controller.demand.prometheus.TlsOptions;
import io.prescale.controller.demand.source.MetricSource.HistoryReading;
import io.prescale.forecasting.Sample;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Servers that misbehave; those that behave are in {@link PrometheusSourceOnARealServerTest}. */
class PrometheusSourceTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:10Z");
  private static final Instant MINUTE_BEFORE = NOW.minusSeconds(70);
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final String SAMPLE = "{\"metric\":{},\"values\":[[1767225600,\"7.5\"]]}";

  private final List<AutoCloseable> open = new ArrayList<>();

  @AfterEach
  void close() throws Exception {
    for (var resource : open.reversed()) {
      resource.close();
    }
  }

  @Test
  void readsTheSamplesSinceTheNewestKnownOne() throws Exception {
    var asked = new ArrayList<String>();
    var server =
        server(
            exchange -> {
              asked.add(exchange.getRequestURI().getQuery());
              json(matrix(SAMPLE)).to(exchange);
            });
    var source = source();

    assertThat(get(source.read(query(server, "load"), NOW.minusSeconds(190), NOW)))
        .isEqualTo(new Observed(List.of(new Sample(Instant.parse("2026-01-01T00:00:00Z"), 7.5))));
    assertThat(asked).containsExactly("query=load&start=1767225480&end=1767225600&step=60");
  }

  @Test
  void asksNothingBeforeAStepIsOver() throws Exception {
    var server = server(json(matrix(SAMPLE)));

    assertThat(get(source().read(query(server, "load"), NOW.minusSeconds(10), NOW)))
        .isEqualTo(new Observed(List.of()));
    assertThat(server.requests()).isEmpty();
  }

  @Test
  void asksOnceForAllObjectsWithTheSameQuery() throws Exception {
    var server = server(json(matrix(SAMPLE)));
    var source = source();
    var readings = new ArrayList<CompletableFuture<Reading>>();
    for (int i = 0; i < 50; i++) {
      readings.add(source.read(query(server, "load"), MINUTE_BEFORE, NOW.plusSeconds(i % 40)));
    }
    for (var reading : readings) {
      assertThat(get(reading)).isInstanceOf(Observed.class);
    }

    assertThat(server.requests()).hasSize(1);
    get(source.read(query(server, "other"), MINUTE_BEFORE, NOW));
    get(source.read(query(server, "load"), NOW.minusSeconds(600), NOW));
    get(source.read(query(server, "load"), NOW, NOW.plusSeconds(60)));
    assertThat(server.requests()).as("another query, older samples, the next step").hasSize(4);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      textBlock =
          """
          200 | {"status":"success","data":{"resultType":"matrix","result":[]}} | NO_DATA | The query "load" finds nothing
          200 | {"status":"success","data":{"resultType":"matrix","result":[{"metric":{"a":"1"},"values":[[1767225600,"1"]]},{"metric":{"a":"2"},"values":[[1767225600,"1"]]}]}} | MANY_SERIES | The query finds 2 series, and one is needed: {a="1"}, {a="2"}. Add them up with "sum(load)"
          200 | {"status":"success","data":{"resultType":"matrix","result":[{"metric":{},"values":[[1767225600,"NaN"]]}]}} | NOT_A_NUMBER | gives NaN, which is no demand
          200 | {"status":"success","data":{"resultType":"matrix","result":[{"metric":{},"values":[[1767225600,"+Inf"]]}]}} | NOT_A_NUMBER | gives Infinity
          200 | {"status":"success","data":{"resultType":"string","result":[1767225600,"idle"]}} | UNUSABLE_ANSWER | has a result that is no matrix, but of type "string"
          200 | {"status":"success","data":{"resultType":"scalar","result":[1767225600,"1"]}} | UNUSABLE_ANSWER | has a result that is no matrix, but of type "scalar"
          200 | {"status":"success","data":{"resultType":"matrix","result":[{"metric":{},"values":[[1767225600,"many"]]}]}} | UNUSABLE_ANSWER | has a value that is not a number: "many"
          200 | {"status":"success","data":{"resultType":"matrix","result":[{"metric":{},"histograms":[[1,{}]]}]}} | UNUSABLE_ANSWER | native histograms
          200 | lorem ipsum | UNUSABLE_ANSWER | is not JSON
          200 | <html><title>Sign in</title> | UNREACHABLE | responds with a web page titled "Sign in"
          400 | {"status":"error","error":"parse error: unexpected )"} | QUERY_REFUSED | rejects the query: parse error: unexpected )
          401 | no | ACCESS_DENIED | denies access with these credentials (401)
          500 | out of memory | SERVER_ERROR | After 2 attempts:
          429 | slow down | SERVER_ERROR | limits the rate of requests (429)
          302 | elsewhere | UNREACHABLE | redirects to
          """)
  void saysWhatIsMissingAndWhy(int status, String body, Reason reason, String message)
      throws Exception {
    var server = server(status(status, body));

    var missing = (Missing) get(source().read(query(server, "load"), MINUTE_BEFORE, NOW));

    assertThat(missing.reason()).isEqualTo(reason);
    assertThat(missing.message()).contains(message);
  }

  @Test
  void aHugeAnswerIsRefusedEarly() throws Exception {
    var label = "x".repeat(1000);
    var server =
        server(
            exchange -> {
              exchange.sendResponseHeaders(200, 0);
              var body = exchange.getResponseBody();
              body.write(matrix(SAMPLE).substring(0, matrix(SAMPLE).indexOf("[{")).getBytes(UTF_8));
              body.write("[".getBytes(UTF_8));
              for (int i = 0; i < 10_000; i++) {
                body.write(
                    ("{\"metric\":{\"a\":\"" + label + i + "\"},\"values\":[]},").getBytes(UTF_8));
              }
            });

    var missing = (Missing) get(source().read(query(server, "load"), MINUTE_BEFORE, NOW));

    assertThat(missing.reason()).isEqualTo(Reason.MANY_SERIES);
    assertThat(missing.message()).contains("more than 100 series");
  }

  @Test
  void anAddressWithoutAServerIsUnreachable() throws Exception {
    URI unused;
    try (var socket = new ServerSocket(0)) {
      unused = URI.create("http://127.0.0.1:" + socket.getLocalPort());
    }

    var missing = (Missing) get(source().read(query(unused, "load"), MINUTE_BEFORE, NOW));

    assertThat(missing.reason()).isEqualTo(Reason.UNREACHABLE);
  }

  @Test
  void aServerThatHangsDelaysNoOther() throws Exception {
    var slow = server(hanging(""));
    var quick = server(json(matrix(SAMPLE)));
    var source = source();
    var slowReadings = twenty(source, slow);
    for (var reading : twenty(source, quick)) {
      assertThat(get(reading)).isInstanceOf(Observed.class);
    }

    assertThat(slowReadings.getLast()).as("the slow server's last").isNotDone();
    assertThat(slow.requests()).as("two at a time").hasSizeLessThanOrEqualTo(8);
    var reasons = new ArrayList<Reason>();
    for (var reading : slowReadings) {
      reasons.add(((Missing) get(reading)).reason());
    }
    assertThat(reasons).containsOnly(Reason.TIMEOUT, Reason.BACKING_OFF);
    assertThat(indexesOf(reasons, Reason.TIMEOUT)).hasSizeBetween(1, 4);
    assertThat(slow.requests()).as("who waited did not try").hasSizeLessThanOrEqualTo(8);
  }

  private List<CompletableFuture<Reading>> twenty(PrometheusSource source, ScriptedServer server) {
    return IntStream.range(0, 20)
        .mapToObj(i -> source.read(query(server, "load" + i), MINUTE_BEFORE, NOW))
        .toList();
  }

  @Test
  void neverAsksMoreAtATimeThanAllowed() throws Exception {
    var underWay = new AtomicInteger();
    var most = new AtomicInteger();
    var server =
        server(
            exchange -> {
              most.accumulateAndGet(underWay.incrementAndGet(), Math::max);
              sleep(20);
              underWay.decrementAndGet();
              json(matrix(SAMPLE)).to(exchange);
            });
    var source = source();
    for (var reading : twenty(source, server)) {
      get(reading);
    }

    assertThat(most).hasValue(2);
  }

  @Test
  void givesAFailingServerPausesThatDouble() throws Exception {
    var server = server(status(500, "on fire"));
    var source = source();
    var reasons = new ArrayList<Reason>();
    for (int second = 0; second <= 16; second++) {
      var now = NOW.plusSeconds(second);
      var query =
          new MetricQuery("team", PrometheusServer.at(server.url()), "load", Duration.ofSeconds(1));
      reasons.add(((Missing) get(source.read(query, now.minusSeconds(2), now))).reason());
    }

    assertThat(indexesOf(reasons, Reason.SERVER_ERROR)).containsExactly(0, 1, 3, 7, 15);
    assertThat(indexesOf(reasons, Reason.BACKING_OFF)).hasSize(12);
  }

  @Test
  void aWrongQueryCausesNoPauseForOthers() throws Exception {
    var server =
        server(status(400, "{\"status\":\"error\",\"error\":\"bad\"}"), json(matrix(SAMPLE)));
    var source = source();

    assertThat(((Missing) get(source.read(query(server, "bad("), MINUTE_BEFORE, NOW))).reason())
        .isEqualTo(Reason.QUERY_REFUSED);
    assertThat(get(source.read(query(server, "load"), MINUTE_BEFORE, NOW)))
        .isInstanceOf(Observed.class);
  }

  @Test
  void comesBackAfterAPause() throws Exception {
    var server = server(status(401, ""), json(matrix(SAMPLE)));
    var source = source();

    assertThat(((Missing) get(source.read(query(server, "load"), MINUTE_BEFORE, NOW))).reason())
        .isEqualTo(Reason.ACCESS_DENIED);
    assertThat(get(source.read(query(server, "load"), MINUTE_BEFORE, NOW.plusSeconds(60))))
        .isInstanceOf(Observed.class);
  }

  @Test
  void otherCredentialsAreAnotherQuestion() throws Exception {
    var server = server(json(matrix(SAMPLE)));
    var source = source();
    var withToken =
        new PrometheusServer(
            server.url(), new Credentials.Bearer("s3cret"), List.of(), TlsOptions.system());
    get(source.read(query(server, "load"), MINUTE_BEFORE, NOW));
    get(source.read(new MetricQuery("team", withToken, "load", MINUTE), MINUTE_BEFORE, NOW));

    assertThat(server.requests()).hasSize(2);
    assertThat(server.requests().getLast()).contains("Authorization=[Bearer s3cret]");
  }

  @Test
  void aHistoryWithAbsurdTimesIsMissing() throws Exception {
    var far = "{\"metric\":{},\"values\":[[1,\"1\"],[9e15,\"2\"]]}";
    var server = server(json(matrix(far)));

    var history = get(source().history(query(server, "load"), NOW.minusSeconds(600), NOW));

    assertThat(history).isInstanceOf(HistoryReading.NotFound.class);
  }

  @Test
  void readsThatAreBrokenOffEnd() throws Exception {
    var server = server(hanging(""));
    var source = new PrometheusSource(settings(), new SplittableRandom(1));
    var reading = source.read(query(server, "load"), MINUTE_BEFORE, NOW);
    await().until(() -> !server.requests().isEmpty());
    source.close();

    assertThat(((Missing) get(reading)).reason()).isEqualTo(Reason.UNREACHABLE);
  }

  private static List<Integer> indexesOf(List<Reason> reasons, Reason wanted) {
    var indexes = new ArrayList<Integer>();
    for (int i = 0; i < reasons.size(); i++) {
      if (reasons.get(i) == wanted) {
        indexes.add(i);
      }
    }
    return indexes;
  }

  private static void sleep(int millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private static <T> T get(CompletableFuture<T> future) throws Exception {
    return future.get(30, TimeUnit.SECONDS);
  }

  private static MetricQuery query(ScriptedServer server, String promql) {
    return query(server.url(), promql);
  }

  private static MetricQuery query(URI url, String promql) {
    return new MetricQuery("team", PrometheusServer.at(url), promql, MINUTE);
  }

  private ScriptedServer server(Answer... answers) throws IOException {
    var server = new ScriptedServer(answers);
    open.add(server);
    return server;
  }

  private PrometheusSource source() {
    var source = new PrometheusSource(settings(), new SplittableRandom(1));
    open.add(source);
    return source;
  }

  private static SourceSettings settings() {
    var patience =
        new Patience(Duration.ofSeconds(5), Duration.ofSeconds(2), 2, Duration.ZERO, Duration.ZERO);
    return new SourceSettings(
        4,
        16,
        patience,
        patience,
        Duration.ofMillis(20),
        Duration.ofSeconds(1),
        Duration.ofSeconds(30));
  }
}
