package io.prescale.controller.operator;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.server.mock.KubernetesMixedDispatcher;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.mockwebserver.Context;
import io.fabric8.mockwebserver.MockWebServer;
import io.fabric8.mockwebserver.ServerRequest;
import io.fabric8.mockwebserver.ServerResponse;
import io.prescale.controller.api.v1alpha1.ConditionReason;
import io.prescale.controller.demand.prometheus.PrometheusServer;
import io.prescale.controller.demand.prometheus.ScriptedServer;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * A program in which a leader's term is given more PredictiveHPAs than its heap has room for, each
 * with eight metrics and a history of as many steps as the schema admits; then some are deleted.
 */
final class FullMemory {
  static final int BEYOND = 3;
  private static final int METRICS = 8;
  private static final int STEPS = 48_960;
  private static final long BYTES = METRICS * ((160L << 10) + 8 * STEPS);
  private static final Pattern NUMBER = Pattern.compile("(start|end|step)=([0-9]+)");
  private static final Duration PATIENCE = Duration.ofMinutes(20);

  private final AtomicLong samples = new AtomicLong();
  private final KubernetesMockServer server = apiServer();

  public static void main(String[] ignored) throws Exception {
    new FullMemory().run();
  }

  private static KubernetesMockServer apiServer() {
    var responses = new HashMap<ServerRequest, Queue<ServerResponse>>();
    return new KubernetesMockServer(
        new Context(),
        new MockWebServer(),
        responses,
        new KubernetesMixedDispatcher(responses),
        false);
  }

  private void run() throws Exception {
    server.init();
    ScaleOfChat.answeredBy(server, () -> {});
    var memory = MemoryBudget.ofHeap(Runtime.getRuntime().maxMemory());
    int room = (int) (memory.bytes() / BYTES);
    try (var client = server.createClient();
        var prometheus = new ScriptedServer(this::answer);
        var term =
            new ReconcilingInMock(
                client,
                Optional.of(PrometheusServer.at(prometheus.url())),
                memory,
                () -> System.out.println("an informer stopped"))) {
      for (int i = 0; i < room + BEYOND; i++) {
        term.objects()
            .resource(
                client
                    .getKubernetesSerialization()
                    .unmarshal(manifest(i), GenericKubernetesResource.class))
            .create();
      }
      term.begin();
      await().atMost(PATIENCE).until(() -> reasons(term).size() == room + BEYOND);
      await().atMost(PATIENCE).until(() -> samples.get() >= 0.99 * room * METRICS * STEPS);
      System.out.printf("%d fit, %d wait%n", room, waiting(term).size());

      reasons(term).entrySet().stream()
          .filter(it -> !it.getValue().equals(ConditionReason.WaitingForMemory.name()))
          .limit(BEYOND)
          .forEach(it -> term.objects().withName(it.getKey()).delete());
      await().atMost(PATIENCE).until(() -> waiting(term).isEmpty());
      System.out.printf("%d are left, none waits%n", reasons(term).size());
    }
    System.exit(0); // fits of an hour may wait
  }

  private static List<String> waiting(ReconcilingInMock term) {
    return reasons(term).entrySet().stream()
        .filter(it -> it.getValue().equals(ConditionReason.WaitingForMemory.name()))
        .map(Map.Entry::getKey)
        .toList();
  }

  /** The reason of the condition Ready by object, of those that have it. */
  private static Map<String, String> reasons(ReconcilingInMock term) {
    var reasons = new HashMap<String, String>();
    for (var each : term.objects().list().getItems()) {
      if (each.<Object>get("status", "conditions") instanceof List<?> conditions) {
        conditions.stream()
            .filter(it -> it instanceof Map<?, ?> of && "Ready".equals(of.get("type")))
            .map(it -> String.valueOf(((Map<?, ?>) it).get("reason")))
            .forEach(reason -> reasons.put(each.getMetadata().getName(), reason));
      }
    }
    return reasons;
  }

  private static String manifest(int number) {
    var metrics =
        IntStream.range(0, METRICS)
            .mapToObj(
                i ->
                    "{name: m%1$d, prometheus: {query: 'max(load_%2$d_%1$d)'}, target: {averageValue: 4}}"
                        .formatted(i, number))
            .collect(joining(",\n  "));
    return """
    apiVersion: autoscaling.prescale.io/v1alpha1
    kind: PredictiveHPA
    metadata: {namespace: team, name: chat-%d, generation: 1, finalizers: [%s]}
    spec:
      scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: chat}
      mode: Shadow
      maxReplicas: 9
      forecast: {step: 60s, history: 34d}
      metrics: [%s]
    """
        .formatted(number, PredictiveHpaReconciler.FINALIZER, metrics);
  }

  /** A wave for every time that is asked for. */
  private void answer(HttpExchange exchange) throws IOException {
    var query = exchange.getRequestURI().getRawQuery();
    var asked = query != null ? query : new String(exchange.getRequestBody().readAllBytes(), UTF_8);
    var numbers = new HashMap<String, Long>();
    for (Matcher it = NUMBER.matcher(asked); it.find(); ) {
      numbers.put(it.group(1), Long.valueOf(it.group(2)));
    }
    var values = new StringBuilder();
    long end = numbers.getOrDefault("end", 0L);
    for (long at = numbers.getOrDefault("start", 1L); at <= end; at += 60) {
      values.append(values.isEmpty() ? "[" : ",[").append(at).append(",\"");
      values.append(100 + at / 60 % 1440 / 20 + at % 7).append("\"]");
      samples.incrementAndGet();
    }
    ScriptedServer.json(ScriptedServer.matrix("{\"metric\":{},\"values\":[%s]}".formatted(values)))
        .to(exchange);
  }
}
