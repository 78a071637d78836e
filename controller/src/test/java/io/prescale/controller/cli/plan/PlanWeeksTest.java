package io.prescale.controller.cli.plan;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.prescale.controller.MockApi;
import io.prescale.controller.cli.options.ExitCode;
import io.prescale.controller.cli.terminal.TestingSurroundings;
import io.prescale.controller.cluster.Kubeconfig;
import io.prescale.controller.operator.PredictiveHpas;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code prescale plan --weeks}, of an API server and a Prometheus that are played. */
@MockApi(crud = true, https = false)
@NullUnmarked // the extension sets the client
class PlanWeeksTest {
  /** In seconds. */
  private static final long WEEK = 7 * 86_400L;

  private static final long NOW = Instant.parse("2026-01-17T00:00:30Z").getEpochSecond();

  private final TestingSurroundings program = new TestingSurroundings();

  @TempDir private Path folder;
  private KubernetesClient client;
  private HttpServer prometheus;
  private LongToDoubleFunction demand = _ -> 16;

  @BeforeEach
  void play() throws IOException {
    prometheus = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    prometheus.createContext("/", this::answer);
    prometheus.start();
    apply(
        """
        apiVersion: v1
        kind: Node
        metadata: {name: gpu-0, labels: {nvidia.com/gpu.product: NVIDIA-L40S}}
        status:
          allocatable: {nvidia.com/gpu: 8}
          conditions: [{type: Ready, status: "True"}]
        """);
    apply(
        """
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: chat, namespace: team}
        spec:
          selector: {matchLabels: {app: chat}}
          template:
            metadata: {labels: {app: chat}}
            spec: {containers: [{name: m, resources: {limits: {nvidia.com/gpu: 2}}}]}
        """);
  }

  @AfterEach
  void stop() {
    prometheus.stop(0);
  }

  private void apply(String yaml) {
    HasMetadata object = client.getKubernetesSerialization().unmarshal(yaml);
    client.resource(object).create();
  }

  /** As Prometheus answers a range query for one series. */
  private void answer(HttpExchange exchange) throws IOException {
    var text = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
    var query = exchange.getRequestURI().getRawQuery();
    var asked =
        Arrays.stream((query == null ? text : query).split("&", -1))
            .map(it -> it.split("=", 2))
            .filter(it -> it.length == 2)
            .collect(Collectors.toMap(it -> it[0], it -> URLDecoder.decode(it[1], UTF_8)));
    long step = (long) Double.parseDouble(asked.get("step").replace("s", ""));
    long from = (long) Double.parseDouble(asked.get("start"));
    long to = (long) Double.parseDouble(asked.get("end"));
    var values =
        LongStream.iterate(from, it -> it <= to, it -> it + step)
            .filter(it -> !Double.isNaN(demand.applyAsDouble(it)))
            .mapToObj(it -> "[%d,\"%s\"]".formatted(it, demand.applyAsDouble(it)))
            .collect(Collectors.joining(","));
    var series = values.isEmpty() ? "" : "{\"metric\":{},\"values\":[" + values + "]}";
    var body =
        "{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":[%s]}}"
            .formatted(series)
            .getBytes(UTF_8);
    try (exchange) {
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  private int run(String... more) throws IOException {
    var kubeconfig = Kubeconfig.in(folder, client.getConfiguration().getMasterUrl());
    var arguments = new ArrayList<>(List.of("plan", "--kubeconfig=" + kubeconfig));
    arguments.addAll(List.of(more));
    return program.run(arguments.toArray(String[]::new));
  }

  private String url() {
    return "--prometheus=http://127.0.0.1:" + prometheus.getAddress().getPort();
  }

  @Test
  void anEvenDemandNeedsTheSameCardsInEveryWeek() throws IOException {
    client.resource(PredictiveHpas.chat("tokens")).create();

    assertThat(run("--weeks=6", url())).as(program.err()).isZero();

    assertThat(program.out().lines())
        .containsExactly(
            "Plan from Sat 17 Jan 00:00 UTC for 6 weeks: cards that suffice for a week's highest"
                + " quarter of an hour.",
            "",
            "                               others                              too few",
            "cards and services      there    hold   until  P50  P90  P95  P99  by then",
            "NVIDIA-L40S: team/chat      8       0  24 Jan    8    8    8    8      0 %",
            "                                       31 Jan    8    8    8    8      0 %",
            "                                       14 Feb    8    8    8    8      0 %",
            "                                       28 Feb    8    8    8    8      0 %",
            "",
            "For a risk of 5 % in the next 6 weeks: 8 cards of NVIDIA-L40S; 8 are there.");
  }

  @Test
  void growthAndLevelAreAnsweredInJson() throws Exception {
    client.resource(PredictiveHpas.chat("tokens")).create();

    assertThat(run("--weeks=1", url(), "--growth=50%", "--level=90%", "--json")).isZero();

    var row = new ObjectMapper().readTree(program.out()).at("/rows/0");
    assertThat(row.at("/models/0").asText()).isEqualTo("NVIDIA-L40S");
    assertThat(row.at("/there").asInt()).isEqualTo(8);
    assertThat(row.at("/byWeek/0/p90").asInt()).isEqualTo(12);
    assertThat(row.at("/byWeek/0/tooFewByThen").asDouble()).isEqualTo(1);
    assertThat(row.at("/missing").asInt()).isEqualTo(4);
  }

  @Test
  void withoutTheNodeNoCardIsThere() throws IOException {
    client.resource(PredictiveHpas.chat("tokens")).create();

    assertThat(run("--weeks=1", url(), "--without=gpu-0")).isZero();
    assertThat(program.out())
        .endsWith(
            "For a risk of 5 % in the next week: 8 cards of a model that no ready node has; 0 are"
                + " there: 8 more are needed.\n");

    assertThat(run("--weeks=1", url(), "--without=gpu-9")).isEqualTo(ExitCode.USAGE);
    assertThat(program.err()).contains("the cluster has no node gpu-9");
  }

  @Test
  void ofTooShortAPastTheHighestDemandIsAssumedAndSaid() throws IOException {
    client.resource(PredictiveHpas.chat("tokens")).create();
    demand = at -> at < NOW - 2 * WEEK - 86_400 ? Double.NaN : at % 86_400 == 0 ? 20 : 8;

    assertThat(run("--weeks=1", url())).isZero();

    assertThat(program.out())
        .contains(
            "Of team/chat, 2 whole weeks of demand are known and 3 are needed; its highest, of 5.0"
                + " replicas, is assumed at all times.");
  }

  @Test
  void saysWhyNothingIsPlanned() throws IOException {
    assertThat(run("--weeks=1", url())).isEqualTo(ExitCode.FAILED);
    assertThat(program.errLines())
        .containsExactly("There is no service that asks for cards and whose demand is known.");

    client.resource(PredictiveHpas.chat("tokens")).create();
    demand = _ -> Double.NaN;
    assertThat(run("--weeks=1", url())).isEqualTo(ExitCode.FAILED);
    assertThat(program.err()).contains("team/chat is left out: The query ");

    assertThat(run("--weeks=1")).isEqualTo(ExitCode.FAILED);
    assertThat(program.err())
        .contains(
            "team/chat is left out: it is recorded at the server that the controller knows; name"
                + " it with --prometheus.");
    assertThat(program.out()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--weeks=0                | --weeks is 0; it must be from 1 to 12.",
        "--weeks=13               | --weeks is 13; it must be from 1 to 12.",
        "--weeks=abc              | \"abc\" is not a whole number",
        "--weeks=2 --level=100%   | 100% is out of range; give 1% to 99%",
        "--level=0%               | 0% is out of range; give 1% to 99%",
        "--weeks=2 --timeout=0s   | --timeout must be longer than 0s.",
        "--prometheus=http://a:1  | --prometheus needs --weeks.",
      })
  void refusesWhatMakesNoSense(String arguments, String why) throws IOException {
    assertThat(run(arguments.split(" ", -1))).isEqualTo(ExitCode.USAGE);
    assertThat(program.err()).contains(why);
    assertThat(program.out()).isEmpty();
  }
}
