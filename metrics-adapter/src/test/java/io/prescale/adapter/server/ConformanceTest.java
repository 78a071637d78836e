package io.prescale.adapter.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.prescale.adapter.MetricKey;
import io.prescale.adapter.ServedMetric;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Replays recorded requests against the reference server and compares the answers: status, the
 * {@code Status} kind and reason, content type and the set of headers. Without the recordings it is
 * skipped, and {@link ReferenceAnswersTest} stands in.
 */
class ConformanceTest {
  private static final Path RECORDINGS = Path.of("../../shared/conformance");

  /** Where this server does better, and why. */
  private static final Map<String, String> BETTER =
      Map.of(
          "api-core",
          "404 with a Status, not with a bare list of paths",
          "wrong-group",
          "404 with a Status, not with a bare list of paths",
          "apis-aggregated-v2beta1",
          "v2beta1 is answered to clients that know no v2",
          "metric-odd-name",
          "404 that names the metric: an empty list would be summed or misread",
          "head",
          "a 405 to HEAD without the length of what GET would bring, which RFC 9110 leaves open",
          "metric-unknown",
          "404 that names the metric: an empty list would be summed or misread",
          "openapi-v3",
          "no Accept-Ranges and Last-Modified for a page that is served whole and"
              + " validated by its ETag; Vary, as the answer depends on Accept");

  private static final Map<String, TestServer> SERVER = new TreeMap<>();

  @BeforeAll
  static void start() {
    assumeTrue(
        Files.isDirectory(RECORDINGS),
        "skipped: without ../shared/conformance it stays unproven that all answers are those of a"
            + " kube-apiserver's library; a handful of them stands in");
    var server = TestServer.start();
    SERVER.put("server", server);
    for (var sample : List.of(Map.entry("bar", 42_000L), Map.entry("baz", 43_000L))) {
      server.metrics.publish(
          new MetricKey("default", "my-external-metric"),
          sample.getKey(),
          new ServedMetric(
              new TreeMap<>(Map.of("foo", sample.getKey())),
              sample.getValue(),
              server.now,
              0,
              List.of(),
              Duration.ofMinutes(2),
              Duration.ofMinutes(10),
              0));
    }
  }

  @AfterAll
  static void stop() {
    SERVER.values().forEach(TestServer::close);
  }

  static Stream<String> recordings() throws IOException {
    if (!Files.isDirectory(RECORDINGS)) {
      return Stream.of("none");
    }
    try (var files = Files.list(RECORDINGS)) {
      return files
          .map(file -> String.valueOf(file.getFileName()))
          .filter(name -> name.endsWith(".request"))
          .map(name -> name.substring(0, name.length() - ".request".length()))
          .sorted()
          .toList()
          .stream();
    }
  }

  @Test
  void everyDeviationIsOfARecording() throws IOException {
    assertThat(recordings()).hasSize(46).containsAll(BETTER.keySet());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("recordings")
  void answersAsTheReferenceServerOrBetter(String name) throws IOException {
    var expected = Recorded.read(name);

    var reply = expected.replay(server());

    var answer = summary(reply.status(), reply.headers(), reply.body());
    if (BETTER.containsKey(name)) {
      assertThat(answer).isNotEqualTo(expected.summary());
      assertThat(answer).isEqualTo(better(name));
    } else {
      assertThat(answer).isEqualTo(expected.summary());
    }
  }

  @Test
  void aggregatedDiscoveryListsTheResource() throws IOException {
    var reply = Recorded.read("apis-aggregated").replay(server());

    assertThat(reply.body()).contains("\"resource\":\"externalmetrics\"", "\"responseKind\":{");
  }

  private static String better(String name) {
    var common = "audit-id cache-control content-length content-type date";
    return switch (name) {
      case "apis-aggregated-v2beta1" ->
          "200 APIGroupDiscoveryList - application/json;g=apidiscovery.k8s.io;v=v2beta1;"
              + "as=APIGroupDiscoveryList "
              + common
              + " etag vary";
      case "head" -> "405 - - application/json audit-id cache-control content-type date";
      case "openapi-v3" -> "200 - - application/json " + common + " etag vary";
      default -> "404 Status NotFound application/json " + common;
    };
  }

  private static TestServer server() {
    return Optional.ofNullable(SERVER.get("server")).orElseThrow();
  }

  /** What is compared of an answer. */
  static String summary(int status, Map<String, String> headers, String body) {
    var names = new TreeSet<>(headers.keySet());
    names.remove("connection"); // the replay closes it, the recording did not
    return "%d %s %s %s %s"
        .formatted(
            status,
            field(body, "kind"),
            field(body, "reason"),
            headers.getOrDefault("content-type", "-"),
            String.join(" ", names));
  }

  private static String field(String body, String name) {
    var matcher = Pattern.compile("\"" + name + "\" ?: ?\"([A-Za-z]*)\"").matcher(body);
    return matcher.find() ? matcher.group(1) : "-";
  }

  /** A request and the reference's answer. */
  private record Recorded(
      String requestLine, List<String> headers, String certificate, String body, String summary) {
    static Recorded read(String name) throws IOException {
      var headers = new ArrayList<String>();
      var certificate = "none";
      var body = "";
      var lines = Files.readAllLines(RECORDINGS.resolve(name + ".request"));
      for (var line : lines.subList(1, lines.size())) {
        if (line.startsWith("# client-certificate: ")) {
          certificate = line.substring("# client-certificate: ".length());
        } else if (line.startsWith("{")) {
          body = line;
        } else if (!line.isBlank()) {
          headers.add(line);
        }
      }
      return new Recorded(
          lines.getFirst(), List.copyOf(headers), certificate, body, recordedSummary(name));
    }

    private static String recordedSummary(String name) throws IOException {
      var headers = new TreeMap<String, String>();
      for (var line : Files.readAllLines(RECORDINGS.resolve(name + ".headers"))) {
        int colon = line.indexOf(": ");
        if (colon > 0) {
          headers.put(line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 2));
        }
      }
      return ConformanceTest.summary(
          Integer.parseInt(Files.readString(RECORDINGS.resolve(name + ".status")).strip()),
          headers,
          Files.readString(RECORDINGS.resolve(name + ".body"), StandardCharsets.ISO_8859_1));
    }

    RawClient.Reply replay(TestServer server) throws IOException {
      var client =
          switch (certificate) {
            case "fp" -> server.proxy();
            case "fpbad" -> server.client(server.proxies.client("CN=somebody-else"));
            case "user" -> server.client(server.clients.client("CN=alice"));
            case "admin" -> server.client(server.clients.client("CN=root,O=system:masters"));
            default -> server.client();
          };
      var sent = new ArrayList<>(headers);
      if (sent.removeIf(header -> header.startsWith("If-None-Match"))) {
        var first = client.send("GET", target(), sent.toArray(String[]::new));
        sent.add("If-None-Match: " + first.header("etag")); // ours, not the reference's
      }
      return client.sendBody(method(), target(), body, sent.toArray(String[]::new));
    }

    private String method() {
      return requestLine.split(" ", 2)[0];
    }

    private String target() {
      int start = requestLine.indexOf(' ') + 1;
      return requestLine.substring(start, requestLine.lastIndexOf(' '));
    }
  }
}
