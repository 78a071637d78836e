package io.prescale.adapter.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whatever a client asks, the answer says what it is, and nothing of it is kept. */
@Timeout(600)
class RandomRequestsTest {
  private static final int REQUESTS = 5_000;
  private static final int RAW = 200;
  private static final int AT_ONCE = 25;
  private static final long MAY_STAY = 16L << 20;
  private static final String GROUP = "/apis/external.metrics.k8s.io/v1beta1";
  private static final ObjectMapper JSON = new ObjectMapper();

  private static final List<String> PATHS =
      List.of(
          GROUP + "/namespaces/default/rps",
          GROUP + "/namespaces/default/rps",
          GROUP + "/namespaces/default/none",
          GROUP + "/namespaces/%2e%2e/rps",
          GROUP + "/namespaces//rps",
          GROUP + "/namespaces/default/rps/status",
          GROUP + "/namespaces/default/%F0%9F%98%80%00%FF%zz",
          GROUP,
          "/apis",
          "/apis/external.metrics.k8s.io",
          "/openapi/v2",
          "/openapi/v3",
          "/healthz",
          "/readyz",
          "/livez/none",
          "/version",
          "/metrics",
          "/",
          "//",
          "/%2F%2e%2e%2Fetc/passwd",
          "/" + "a/".repeat(500),
          "/" + "x".repeat(5_000));

  private static final List<String> PARAMETERS =
      List.of(
          "labelSelector=predictivehpa%3Dchat",
          "labelSelector=%21%21",
          "labelSelector=%FF%FE",
          "watch=true",
          "watch=0",
          "limit=x",
          "limit=-1",
          "timeout=5s",
          "timeout=never",
          "resourceVersion=7",
          "continue=abc",
          "pretty=true",
          "fieldSelector=a%3Db",
          "=",
          "&&",
          "%zz");

  private static final List<String> METHODS =
      List.of("GET", "GET", "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PURGE");

  private static final List<String> ACCEPTED =
      List.of(
          "application/json",
          "*/*",
          "text/html",
          "application/yaml",
          "application/vnd.kubernetes.protobuf",
          "application/json;as=APIGroupDiscoveryList;v=v2;g=apidiscovery.k8s.io",
          ";;,q=nan",
          "a".repeat(900));

  @Test
  void eachAnswerIsTypedAndNothingIsKept() throws Exception {
    try (var server = TestServer.start()) {
      server.publish(128_500);
      var proxy = client(server.proxy());
      var stranger = client(server.client());
      ask(server, proxy, stranger, new SplittableRandom(1), 500); // classes, caches, buffers
      long before = heap();

      var statuses = ask(server, proxy, stranger, new SplittableRandom(15), REQUESTS);

      assertThat(heap() - before).isLessThan(MAY_STAY);
      assertThat(statuses.values().stream().mapToInt(Integer::intValue).sum()).isEqualTo(REQUESTS);
      assertThat(statuses).containsKeys(200, 400, 401, 403, 404, 405, 406);
      assertThat(
              server
                  .proxy()
                  .send("GET", PATHS.getFirst(), "X-Remote-User: " + TestServer.AUTOSCALER)
                  .status())
          .isEqualTo(200);
    }
  }

  /** The API server names each group of a person in a header of its own, mostly by HTTP/2. */
  @ParameterizedTest
  @EnumSource(HttpClient.Version.class)
  void aCallerOfVeryManyGroupsIsAnswered(HttpClient.Version version) throws Exception {
    try (var server = TestServer.start()) {
      server.publish(128_500);
      var request =
          HttpRequest.newBuilder(
                  URI.create("https://127.0.0.1:" + server.port() + PATHS.getFirst()))
              .version(version)
              .header("X-Remote-User", TestServer.AUTOSCALER);
      for (int i = 0; i < 600; i++) {
        request.header("X-Remote-Group", "a-group-of-the-company-number-" + i);
      }
      var answer = client(server.proxy()).send(request.build(), BodyHandlers.ofString());

      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(answer.version()).isEqualTo(version);
      assertThat(answer.body()).contains("128500m");
    }
  }

  @Test
  void whatIsNoRequestIsRefusedOrTheConnectionEnds() throws Exception {
    try (var server = TestServer.start()) {
      var random = new SplittableRandom(16);
      int refused = 0;
      for (int i = 0; i < RAW; i++) {
        refused += refused(server.proxy(), bytes(random)) ? 1 : 0;
      }

      assertThat(refused).as("the others end at once").isGreaterThan(RAW / 4);
      server.publish(1);
      assertThat(
              server
                  .proxy()
                  .send("GET", PATHS.getFirst(), "X-Remote-User: " + TestServer.AUTOSCALER)
                  .status())
          .isEqualTo(200);
    }
  }

  private static HttpClient client(RawClient of) {
    return HttpClient.newBuilder().sslContext(of.context()).build();
  }

  /** How many answers there were of each status. */
  private static Map<Integer, Integer> ask(
      TestServer server,
      HttpClient proxy,
      HttpClient stranger,
      SplittableRandom random,
      int requests)
      throws IOException {
    var statuses = new TreeMap<Integer, Integer>();
    for (int sent = 0; sent < requests; sent += AT_ONCE) {
      var answers = new ArrayList<CompletableFuture<HttpResponse<byte[]>>>();
      for (int i = 0; i < AT_ONCE; i++) {
        var client = random.nextInt(10) == 0 ? stranger : proxy;
        answers.add(client.sendAsync(request(server, random), BodyHandlers.ofByteArray()));
      }
      for (var answer : answers) {
        requireTyped(answer.join());
        statuses.merge(answer.join().statusCode(), 1, Integer::sum);
      }
    }
    return statuses;
  }

  private static HttpRequest request(TestServer server, SplittableRandom random) {
    var query = new StringBuilder();
    for (int left = random.nextInt(4); left > 0; left--) {
      query.append(query.isEmpty() ? "?" : "&").append(oneOf(PARAMETERS, random));
    }
    if (random.nextInt(20) == 0) {
      query.append("&labelSelector=").append(URLEncoder.encode(noise(random, 900), UTF_8));
    }
    var uri = "https://127.0.0.1:" + server.port() + oneOf(PATHS, random) + query;
    var request = HttpRequest.newBuilder(URI.create(uri.replace("%zz", "%7a%7a")));
    var method = oneOf(METHODS, random);
    request.method(
        method,
        Set.of("GET", "HEAD").contains(method)
            ? BodyPublishers.noBody()
            : BodyPublishers.ofString(noise(random, 2_000)));
    request.header("Accept", oneOf(ACCEPTED, random));
    if (random.nextInt(10) > 0) {
      request.header(
          "X-Remote-User", random.nextInt(5) == 0 ? "u" + random.nextInt() : TestServer.AUTOSCALER);
      request.header("X-Remote-Group", random.nextInt(5) == 0 ? "g" : "system:authenticated");
    } else {
      request.header("Authorization", "Bearer " + Long.toHexString(random.nextLong()));
    }
    if (random.nextInt(20) == 0) {
      request.header("Impersonate-User", "admin");
    }
    request.version(random.nextBoolean() ? HttpClient.Version.HTTP_2 : HttpClient.Version.HTTP_1_1);
    return request.build();
  }

  private static <T> T oneOf(List<T> some, SplittableRandom random) {
    return some.get(random.nextInt(some.size()));
  }

  private static String noise(SplittableRandom random, int most) {
    return random
        .ints(random.nextInt(most), 32, 0x2FF)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  /** A success has a type; a failure in JSON is a Status of the same code, in words. */
  private static void requireTyped(HttpResponse<byte[]> answer) throws IOException {
    var what = "%s %s: %d".formatted(answer.request().method(), answer.uri(), answer.statusCode());
    var type = answer.headers().firstValue("Content-Type").orElse("");
    boolean isHead = answer.request().method().equals("HEAD");
    assertThat(answer.statusCode()).as(what).isBetween(200, 503).isNotEqualTo(500);
    assertThat(!type.isBlank() || isHead).as(what).isTrue();
    if (answer.statusCode() >= 400 && !isHead && type.startsWith("application/json")) {
      var status = JSON.readTree(answer.body());
      assertThat(status.path("kind").asText()).as(what).isEqualTo("Status");
      assertThat(status.path("code").asInt()).as(what).isEqualTo(answer.statusCode());
      assertThat(status.path("message").asText()).as(what).isNotBlank();
    }
  }

  /** Lines of a request of which some are none. */
  private static byte[] bytes(SplittableRandom random) {
    var head =
        switch (random.nextInt(7)) {
          case 0 -> "GET " + noise(random, 200) + " HTTP/1.1";
          case 1 -> noise(random, 200);
          case 2 -> "GET / HTTP/9.9";
          case 3 -> "GET " + "a".repeat(20_000) + " HTTP/1.1";
          case 4 -> "\u0000\u0000\u0000";
          case 5 -> "GET http://[::1 HTTP/1.1";
          default -> "GET " + GROUP + "?%zz=%G1&labelSelector=%u0041 HTTP/1.1";
        };
    var header =
        switch (random.nextInt(5)) {
          case 0 -> "Content-Length: -1";
          case 1 -> "Content-Length: 1\r\nContent-Length: 2";
          case 2 -> noise(random, 100);
          case 3 -> "Transfer-Encoding: " + noise(random, 20);
          default -> "X: " + "b".repeat(140_000);
        };
    return (head + "\r\nHost: x\r\n" + header + "\r\nConnection: close\r\n\r\n")
        .getBytes(ISO_8859_1);
  }

  /** Whether there was an answer, which then is a refusal. */
  private static boolean refused(RawClient client, byte[] bytes) throws IOException {
    try (var socket = client.connect()) {
      byte[] answer;
      try {
        socket.getOutputStream().write(bytes);
        socket.getOutputStream().flush();
        socket.shutdownOutput();
        answer = socket.getInputStream().readAllBytes();
      } catch (SocketTimeoutException e) {
        throw e; // neither an answer nor an end within ten seconds
      } catch (IOException _) {
        return false;
      }
      if (answer.length == 0) {
        return false;
      }
      assertThat(new String(answer, ISO_8859_1)).matches("(?s)HTTP/[0-9.]+ [45]\\d\\d .*");
      return true;
    }
  }

  private static long heap() {
    var memory = ManagementFactory.getMemoryMXBean();
    memory.gc();
    return memory.getHeapMemoryUsage().getUsed();
  }
}
