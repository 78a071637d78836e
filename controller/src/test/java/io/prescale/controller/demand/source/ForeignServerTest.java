package io.prescale.controller.demand.source;

import static io.prescale.controller.demand.prometheus.ScriptedServer.json;
import static io.prescale.controller.demand.prometheus.ScriptedServer.matrix;
import static io.prescale.controller.demand.prometheus.ScriptedServer.status;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.autoscaling.Reading.Missing;
import io.prescale.controller.autoscaling.Reading.Reason;
import io.prescale.controller.demand.prometheus.AllowedServers;
import io.prescale.controller.demand.prometheus.Credentials;
import io.prescale.controller.demand.prometheus.PrometheusServer;
import io.prescale.controller.demand.prometheus.ScriptedServer;
import io.prescale.controller.demand.prometheus.TlsOptions;
import io.prescale.controller.demand.source.MetricSource.HistoryReading;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A server that the owner of a PredictiveHPA named; it may be anything that answers there. */
class ForeignServerTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:10Z");
  private static final String SECRET = "hunter2";

  private final PrometheusSource source =
      new PrometheusSource(SourceSettings.defaults(), new SplittableRandom(1));

  @AfterEach
  void close() {
    source.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      textBlock =
          """
          200 | token=hunter2                                | sent a response that is not JSON.
          200 | {"status":"error","error":"hunter2"}         | sent a response that is an error.
          200 | {"status":"success","data":{"resultType":"hunter2","result":[]}} | sent a response that has a result that is no matrix.
          200 | {"status":"success","data":{"resultType":"matrix","result":[{"metric":{},"values":[[1767225600,"hunter2"]]}]}} | sent a response that has a value that is not a number.
          200 | <title>hunter2</title>                       | responds with a web page instead of data
          302 | moved                                        | redirects; give the final URL instead.
          400 | {"status":"error","error":"hunter2"}         | rejects the query.
          403 | {"status":"error","error":"hunter2"}         | denies access with these credentials (403).
          500 | hunter2                                      | reports an error (500).
          """)
  void itsWordsAreRepeatedNowhere(int status, String body, String message) throws Exception {
    var answer = status(status, body, "Location", "http://elsewhere/?token=" + SECRET);
    try (var server = new ScriptedServer(answer)) {
      assertThat(read(server.url()).message())
          .doesNotContain(SECRET)
          .contains(server.url() + " " + message);
      assertThat(history(server.url()).message()).doesNotContain(SECRET).contains(message);
    }
  }

  @Test
  void itsSeriesAreNotNamed() throws Exception {
    var series =
        "{\"metric\":{\"a\":\"hunter2\"},\"values\":[[1767225600,\"1\"]]},"
            + "{\"metric\":{\"b\":\"hunter2\"},\"values\":[[1767225600,\"1\"]]}";
    try (var server = new ScriptedServer(json(matrix(series)))) {
      assertThat(read(server.url()).message())
          .startsWith("The query finds 2 series, and one is needed. Add them up with")
          .doesNotContain(SECRET);
      assertThat(history(server.url()).message()).doesNotContain(SECRET);
    }
  }

  @Test
  void whatSpeaksNoHttpIsNotQuoted() throws Exception {
    try (var socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      Thread.ofVirtual().start(() -> greet(socket));

      assertThat(read(URI.create("http://127.0.0.1:" + socket.getLocalPort())).message())
          .contains("closed the connection.")
          .doesNotContain(SECRET);
    }
  }

  private static void greet(ServerSocket socket) {
    while (!socket.isClosed()) {
      try (var connection = socket.accept()) {
        connection.getOutputStream().write(("SSH-2.0-" + SECRET + "\r\n").getBytes(UTF_8));
      } catch (IOException _) {
        return;
      }
    }
  }

  @Test
  void anAllowedNameDoesNotLeadToLoopback() throws Exception {
    try (var server = new ScriptedServer(json(ScriptedServer.ONE_SAMPLE))) {
      var allowed = AllowedServers.of(List.of("*"));
      var missing =
          (Missing)
              source
                  .read(query(server.url(), allowed), NOW.minusSeconds(70), NOW)
                  .get(30, TimeUnit.SECONDS);

      assertThat(missing.reason()).isEqualTo(Reason.ACCESS_DENIED);
      assertThat(missing.message()).contains("resolves to an address that may not be asked");
      assertThat(server.requests()).isEmpty();
    }
  }

  private Missing read(URI url) throws Exception {
    var query = query(url, AllowedServers.of(List.of("127.0.0.1")));
    return (Missing) source.read(query, NOW.minusSeconds(70), NOW).get(60, TimeUnit.SECONDS);
  }

  private Missing history(URI url) throws Exception {
    var query = query(url, AllowedServers.of(List.of("127.0.0.1")));
    var history = source.history(query, NOW.minusSeconds(600), NOW).get(60, TimeUnit.SECONDS);
    return ((HistoryReading.NotFound) history).missing();
  }

  private static MetricQuery query(URI url, AllowedServers allowed) {
    var server =
        new PrometheusServer(
            url, new Credentials.None(), List.of(), TlsOptions.system(), Optional.of(allowed));
    return new MetricQuery("team", server, "load", Duration.ofMinutes(1));
  }
}
